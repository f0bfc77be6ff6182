import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findCommonDir, toBytes } from '../paths.ts'
import { withTempFolder } from './temp-index.ts'
import type { Tool } from './tool.ts'
import { checkId, listEntries, nulList, parseId, setInIndex } from './trees.ts'

/** Writes files of an index into another folder than the work tree. Submodules are left out. */
export async function writePaths(tool: Tool, index: string, paths: readonly string[], folder: string): Promise<void> {
  if (paths.length === 0) return
  const args = ['checkout-index', '--force', '--quiet', '-z', '--stdin', `--prefix=${folder}/`]
  await tool.run(args, { index, input: nulList(paths) })
}

/**
 * Makes a small repository in a folder: HEAD and the refs as they are, the given tree as its index, no hooks, no remotes. Its objects are
 * those at `.git/base`, which the caller provides.
 */
export async function makeRepository(tool: Tool, tree: string, folder: string) {
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
    changes.push({ path: toBytes(path), was: there.get(toBytes(path)), is: { mode: '100644', id } })
  }
  return withTempFolder(tool.gitDir, async (temp) => {
    const index = join(temp, 'index')
    await tool.run(['read-tree', tree], { index })
    await setInIndex(tool, index, changes)
    return parseId(await tool.run(['write-tree'], { index }))
  })
}
