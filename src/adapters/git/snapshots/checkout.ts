import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findCommonDir, toBytes, toText } from '../paths.ts'
import { writeSubmodule } from './submodules.ts'
import { withTempFolder } from './temp-index.ts'
import type { Tool } from './tool.ts'
import { changesBetween, checkId, isLink, listEntries, nulList, parseId, setInIndex } from './trees.ts'

type CheckedOut = { readonly objects: string; readonly gone: readonly string[] }

/**
 * Writes what a tree has and another one does not into a folder, beside a small repository. Returns the paths that are gone since the other
 * tree. Submodules have no repository of their own there.
 */
export async function checkOutTree(tool: Tool, tree: string, from: string, folder: string): Promise<CheckedOut> {
  const { index, objects } = await makeRepository(tool, tree, folder)
  const changes = await changesBetween(tool, from, tree)
  const files = changes.flatMap(({ path, is }) => (is && !isLink(is) ? [path] : []))
  const prefix = `--prefix=${folder}/`
  if (files.length > 0)
    await tool.run(['checkout-index', '--force', '--quiet', '-z', '--stdin', prefix], { index, input: nulList(files) })
  const gone = changes.flatMap(({ path, is }) => (is ? [] : [path]))
  for (const change of changes)
    if (change.is && isLink(change.is)) gone.push(...(await writeSubmodule(tool, change, folder)))
  const links = [...(await listEntries(tool, tree))].flatMap(([path, entry]) => (isLink(entry) ? [`${path}/.git`] : []))
  return { objects, gone: [...gone, ...links].map(toText) }
}

/**
 * Makes a small repository in a folder: HEAD and the refs as they are, the given tree as its index, no hooks, no remotes. Its objects are
 * those at `.git/base`, which the caller provides.
 */
async function makeRepository(tool: Tool, tree: string, folder: string) {
  const own = join(folder, '.git')
  for (const part of ['objects/info', 'objects/pack', 'refs/heads', 'base'])
    mkdirSync(join(own, part), { recursive: true })
  // A branch without a commit has no ref, and a detached HEAD no branch.
  const listed = (
    await tool.run(['for-each-ref', '--format=%(HEAD)%(objectname) %(refname)', 'refs/heads', 'refs/tags'])
  )
    .toString('latin1')
    .split('\n')
    .filter(Boolean)
  const branch = listed.find((line) => line.startsWith('*'))?.replace(/^\S+ /, '')
  const head = branch === undefined ? await findHead(tool) : `ref: ${branch}\n`
  writeFileSync(join(own, 'HEAD'), head, 'latin1')
  const refs = listed.map((line) => `${line.slice(1)}\n`).join('')
  writeFileSync(join(own, 'packed-refs'), `# pack-refs with: sorted \n${refs}`, 'latin1')
  const format = checkId(tree).length === 64 ? '1\n[extensions]\n\tobjectFormat = sha256\n[core]' : '0'
  writeFileSync(join(own, 'config'), `[core]\n\trepositoryFormatVersion = ${format}\n\tbare = false\n`)
  writeFileSync(join(own, 'objects', 'info', 'alternates'), '../base\n')
  const index = join(own, 'index')
  await tool.run(['read-tree', tree], { index })
  return { index, objects: join(findCommonDir(tool.gitDir), 'objects') }
}

async function findHead(tool: Tool): Promise<string> {
  const branch = (await tool.attempt(['symbolic-ref', '--quiet', 'HEAD'])).stdout.toString('latin1')
  return branch ? `ref: ${branch}` : (await tool.run(['rev-parse', 'HEAD'])).toString('latin1')
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
    const was = there.get(toBytes(path))
    const mode = (was ?? wanted.get(toBytes(path)))?.mode === '100755' ? '100755' : '100644'
    changes.push({ path: toBytes(path), was, is: { mode, id } })
  }
  return withTempFolder(tool.gitDir, async (temp) => {
    const index = join(temp, 'index')
    await tool.run(['read-tree', tree], { index })
    await setInIndex(tool, index, changes)
    return parseId(await tool.run(['write-tree'], { index }))
  })
}
