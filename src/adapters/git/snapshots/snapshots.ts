import { isUtf8 } from 'node:buffer'
import { join } from 'node:path'
import type { ChangedFile } from '../../../ports/repository.ts'
import { type Difference, RepositoryBlockedError, type Snapshots, type VerifiedTree } from '../../../ports/snapshots.ts'
import { partsOf } from '../changed-files.ts'
import { toBytes, toText } from '../paths.ts'
import { checkOutTree, combineTrees } from './checkout.ts'
import { buildMessage, findByTrailers, makeCommit, moveRef, storyRef, storyTrailers } from './commits.ts'
import { createEffects, type EffectOptions } from './effects.ts'
import { chooseIdentity, type Person, requireIdentity } from './identity.ts'
import { findLost } from './lost.ts'
import { publishOnce, refuseFiltered } from './publish.ts'
import { restorePaths } from './restore.ts'
import { openSubmodule } from './submodules.ts'
import { syncTree } from './sync.ts'
import { takeTree } from './take.ts'
import { remember, type Tool } from './tool.ts'
import {
  changesBetween,
  checkId,
  diffTrees,
  type Entry,
  findFile,
  isFile,
  isLink,
  listEntries,
  plainDiff,
  readBlobs,
  resolveIds,
  smallFiles,
} from './trees.ts'
import { undoCommit } from './undo.ts'

export type SnapshotsOptions = EffectOptions & {
  /** Absolute paths of folders that are never part of a snapshot. The folders of runs never are. */
  readonly ownFolders?: readonly string[]
}

/** Snapshots of the repository that contains this folder. */
export function createSnapshots({ folder, env, capture, ownFolders = [] }: SnapshotsOptions): Snapshots {
  const inside = createEffects({ folder, env, capture })
  return {
    take: async (signal) => {
      signal?.throwIfAborted()
      return inside((tool) => takeTree(tool, ownFolders), signal)
    },
    difference: (from, to) => inside((tool) => differenceBetween(tool, from, to)),
    patch: (from, to) => inside((tool) => patchBetween(tool, from, to)),
    read: (tree, path) => inside((tool) => readFrom(tool, tree, path)),
    readAll: (tree, paths) => inside((tool) => readAll(tool, tree, paths)),
    list: (tree) => inside(async (tool) => [...(await listEntries(tool, tree)).keys()].map(toText)),
    listIgnored: () => inside(listIgnored),
    listFolders: (tree) => inside((tool) => listFolders(tool, tree)),
    sync: (from, to) => inside((tool) => syncTree(tool, from, to)),
    checkOut: (tree, from, folder) => inside((tool) => checkOutTree(tool, tree, from, folder)),
    combine: (tree, from, paths, texts) => inside((tool) => combineTrees(tool, { tree, from, paths, texts })),
    restore: (tree, paths) => inside((tool) => restorePaths(tool, tree, paths.map(toBytes))),
    keep: (kept) => inside((tool) => keepStory(tool, kept, env)),
    commit: (kept, author) => inside((tool) => commitStory(tool, kept, { author, env })),
    findLost: (stories) => inside((tool) => findLost(tool, stories)),
    undo: (id, options) => inside((tool) => undoCommit(tool, id, { ...options, ownFolders, env })),
  }
}

// Far more than git's answer can hold, so a file cannot be hidden behind many others.
const maxFiles = 500_000
const maxPatchBytes = 512 * 1024

async function differenceBetween(tool: Tool, from: string, to: string): Promise<Difference> {
  const listed = await diffTrees(tool, from, to)
  const files = new Map<string, ChangedFile>()
  for (const [path, what] of partsOf(listed)) {
    const before = files.get(path) ?? { path: toText(path), status: 'modified', added: null, deleted: null }
    files.set(path, { ...before, ...what })
  }
  const all = [...files.values()]
  const absent = await findAbsent(tool, from, to)
  return { files: all.slice(0, maxFiles), total: files.size, repositories: newRepositories(listed), absent }
}

async function findAbsent(tool: Tool, from: string, to: string): Promise<readonly string[]> {
  const absent: string[] = []
  for (const { path, is } of await changesBetween(tool, from, to))
    if (is && isLink(is) && (await openSubmodule(tool, path, is.id)) === undefined) absent.push(toText(path))
  return absent
}

async function patchBetween(tool: Tool, from: string, to: string): Promise<{ patch: string; truncated: boolean }> {
  const trees = [checkId(from), checkId(to)]
  const options = ['-r', '-p', '--no-renames', '--ignore-submodules=none', ...plainDiff]
  const args = [...smallFiles, 'diff-tree', ...options, ...trees]
  const answer = await tool.attempt(args, { maxBytes: maxPatchBytes, beginning: true })
  const truncated = answer.code === null
  const bytes = truncated ? answer.stdout.subarray(0, answer.stdout.lastIndexOf(10) + 1) : answer.stdout
  return { patch: toText(bytes.toString('latin1')), truncated }
}

/** `:000000 160000 0000 1a2b A`, then the path. */
function newRepositories(listed: Buffer): string[] {
  const parts = listed.toString('latin1').split('\0')
  return parts.flatMap((part, index) => (/^:(?!160000)\d+ 160000 /.test(part) ? [toText(parts[index + 1] ?? '')] : []))
}

const maxBytes = 2 * 1024 * 1024

/** Returns a plain file's content in a tree. */
async function readFrom(tool: Tool, tree: string, path: string): Promise<string | undefined> {
  if (path.includes('\0') || path.split('/').some((part) => part === '' || part === '..')) return undefined
  const content = await remember(tool.memory, `file ${tree} ${path}`, async () => {
    const found = await findFile(tool, checkId(tree), path)
    return found === undefined || found.size > maxBytes ? undefined : tool.run(['cat-file', 'blob', found.id])
  })
  return content?.toString('utf8')
}

const maxTotal = 32 * 1024 * 1024

async function readAll(tool: Tool, tree: string, paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (paths.length === 0) return new Map()
  const entries = await listEntries(tool, tree)
  const ids = new Map<string, string>()
  let total = 0
  for (const path of new Set(paths.map(toBytes))) {
    const { mode = '', id, size = 0 }: Partial<Entry> = entries.get(path) ?? {}
    if (id === undefined || !isFile({ mode, id }) || size > maxBytes || total + size > maxTotal) continue
    total += size
    ids.set(path, id)
  }
  const blobs = await readBlobs(tool, [...ids.values()])
  const texts = [...ids].map(([path, id]) => [toText(path), blobs.get(id)!] as const)
  return new Map(
    texts.flatMap(([path, bytes]) => (bytes.includes(0) || !isUtf8(bytes) ? [] : [[path, bytes.toString('utf8')]])),
  )
}

async function listIgnored({ run, gitDir }: Tool): Promise<readonly string[]> {
  const args = ['ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z']
  return (await run(args, { index: join(gitDir, 'index') })).toString('latin1').split('\0').filter(Boolean).map(toText)
}

async function listFolders({ run }: Tool, tree: string): Promise<ReadonlySet<string>> {
  const listed = await run(['ls-tree', '-d', '-r', '-z', '--name-only', '--full-tree', checkId(tree)])
  return new Set(listed.toString('latin1').split('\0').filter(Boolean).map(toText))
}

const maxTries = 5

/** Keeps the story as a commit under a ref of our own. */
async function keepStory(tool: Tool, kept: VerifiedTree, env: NodeJS.ProcessEnv): Promise<string> {
  const [ref, tree] = [storyRef(kept.key), checkId(kept.to)]
  for (let tries = 1; ; tries++) {
    const names = [`${ref}^{commit}`, `${ref}^{tree}`, 'HEAD^{commit}']
    const [before, treeBefore, parent] = await resolveIds(tool, names)
    if (before !== undefined && treeBefore === tree) return before
    const person = chooseIdentity(tool, env)
    const message = buildMessage(kept, storyTrailers(kept.key))
    await syncTree(tool, kept.from, tree)
    const commit = await makeCommit(tool, { tree, parent, message, env: person })
    if (await moveRef(tool, { ref, to: commit, from: before, why: 'keep', env: person })) return commit
    if (tries === maxTries) throw new RepositoryBlockedError(`another process keeps moving ${ref}`)
  }
}

type CommitOptions = { readonly author: Person | undefined; readonly env: NodeJS.ProcessEnv }

/** Commits the story on the branch, once. */
function commitStory(tool: Tool, kept: VerifiedTree, options: CommitOptions): Promise<string | null> {
  const trailers = storyTrailers(kept.key)
  return publishOnce(tool, {
    find: () => findByTrailers(tool, trailers),
    prepare: async () => {
      const changes = await changesBetween(tool, kept.from, kept.to)
      if (changes.length === 0) return null
      const env = requireIdentity(tool, options.env, options.author)
      await keepForCommitByHand(tool, kept, changes, options)
      return { trees: kept, changes, message: buildMessage(kept, trailers), env }
    },
  })
}

async function keepForCommitByHand(
  tool: Tool,
  kept: VerifiedTree,
  changes: Awaited<ReturnType<typeof changesBetween>>,
  { env }: CommitOptions,
): Promise<void> {
  try {
    await refuseFiltered(tool, changes, `it is kept as ${storyRef(kept.key)}, commit it by hand`)
  } catch (error) {
    await keepStory(tool, kept, env)
    throw error
  }
}
