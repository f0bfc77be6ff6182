import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findCommonDir, toBytes } from '../paths.ts'
import { withTempFolder } from './temp-index.ts'
import type { Tool } from './tool.ts'
import { checkId, type Entry, isLink, listEntries, nulList, parseId, setInIndex } from './trees.ts'

/** Writes files of a tree into another folder than the work tree. Paths that the tree does not have are left out. */
export async function writePaths(tool: Tool, tree: string, paths: readonly string[], folder: string): Promise<void> {
  const entries = await listEntries(tool, checkId(tree))
  const files = paths.flatMap((path): { path: string; is: Entry }[] => {
    const is = entries.get(path)
    return is && !isLink(is) ? [{ path, is }] : []
  })
  if (files.length === 0) return
  await withTempFolder(tool.gitDir, async (temp) => {
    const index = join(temp, 'index')
    await setInIndex(tool, index, files)
    const input = nulList(files.map(({ path }) => path))
    await tool.run(['checkout-index', '--force', '--quiet', '-z', '--stdin', `--prefix=${folder}/`], { index, input })
  })
}

/**
 * Makes a small repository in a folder: HEAD and the refs as they are, the given tree as its index, no hooks, no remotes. Its objects are
 * those at `.git/base`, which the caller provides.
 */
export async function makeRepository(tool: Tool, tree: string, folder: string): Promise<{ readonly objects: string }> {
  const own = join(folder, '.git')
  for (const part of ['objects/info', 'objects/pack', 'refs/heads', 'base'])
    mkdirSync(join(own, part), { recursive: true })
  const branch = (await tool.attempt(['symbolic-ref', '--quiet', 'HEAD'])).stdout.toString('utf8')
  const head = branch ? `ref: ${branch}` : (await tool.run(['rev-parse', 'HEAD'])).toString('utf8')
  writeFileSync(join(own, 'HEAD'), head)
  const refs = await tool.run(['for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads', 'refs/tags'])
  writeFileSync(join(own, 'packed-refs'), Buffer.concat([Buffer.from('# pack-refs with: sorted \n'), refs]))
  const format = checkId(tree).length === 64 ? '1\n[extensions]\n\tobjectFormat = sha256\n[core]' : '0'
  writeFileSync(join(own, 'config'), `[core]\n\trepositoryFormatVersion = ${format}\n\tbare = false\n`)
  writeFileSync(join(own, 'objects', 'info', 'alternates'), '../base\n')
  await tool.run(['read-tree', tree], { index: join(own, 'index') })
  return { objects: join(findCommonDir(tool.gitDir), 'objects') }
}

type Combined = {
  readonly tree: string
  readonly from: string
  readonly paths: readonly string[]
  readonly texts: Readonly<Record<string, string>>
}

/** Makes a tree of two: some paths of one, all others of the other. */
export async function combineTrees(tool: Tool, { tree, from, paths, texts }: Combined): Promise<string> {
  const [there, wanted] = [await listEntries(tool, checkId(tree)), await listEntries(tool, checkId(from))]
  const changes = paths.map(toBytes).map((path) => ({ path, was: there.get(path), is: wanted.get(path) }))
  for (const [path, text] of Object.entries(texts)) {
    const id = parseId(await tool.run(['hash-object', '-w', '--stdin'], { input: Buffer.from(text) }))
    changes.push({ path: toBytes(path), was: there.get(toBytes(path)), is: { mode: '100644', id } })
  }
  return withTempFolder(tool.gitDir, async (temp) => {
    const index = join(temp, 'index')
    await tool.run(['read-tree', tree], { index })
    await setInIndex(tool, index, changes)
    return parseId(await tool.run(['write-tree'], { index }))
  })
}
