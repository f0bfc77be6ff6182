import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { toText } from '../paths.ts'
import { withTempFolder } from './temp-index.ts'
import type { Tool } from './tool.ts'
import { type Change, changesBetween, checkId, isLink, resolveIds } from './trees.ts'

/** Writes the commit that a submodule was moved to. Returns what is gone from it. */
export async function writeSubmodule(
  tool: Tool,
  { path, was, is }: Change,
  folder: string,
): Promise<readonly string[]> {
  const inner = await openSubmodule(tool, path, is!.id)
  if (inner === undefined) return []
  return withTempFolder(tool.gitDir, async (temp) => {
    const index = join(temp, 'index')
    await inner.run(['read-tree', is!.id], { index })
    await inner.run(['checkout-index', '--force', '--quiet', '--all', `--prefix=${folder}/${toText(path)}/`], { index })
    if (!was || !isLink(was) || !(await hasCommit(inner, was.id))) return []
    const changed = await changesBetween(inner, was.id, is!.id)
    return changed.flatMap((change) => (change.is ? [] : [`${path}/${change.path}`]))
  })
}

/** Opens a submodule that has this commit. */
export async function openSubmodule(tool: Tool, path: string, commit: string): Promise<Tool | undefined> {
  const at = join(tool.root, toText(path))
  const inner = existsSync(join(at, '.git')) ? await tool.openInner(at) : undefined
  return inner && (await hasCommit(inner, commit)) ? inner : undefined
}

const hasCommit = async (tool: Tool, id: string): Promise<boolean> =>
  (await resolveIds(tool, [`${checkId(id)}^{commit}`]))[0] !== undefined
