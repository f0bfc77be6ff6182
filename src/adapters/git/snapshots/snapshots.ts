import * as fs from 'node:fs'
import { join, resolve } from 'node:path'
import type { Capture } from '../../../ports/capture.ts'
import { NotSavedError } from '../../../ports/journal.ts'
import type { ChangedFile } from '../../../ports/repository.ts'
import { type Difference, type Kept, RepositoryBlockedError, type Snapshots } from '../../../ports/snapshots.ts'
import { partsOf } from '../changed-files.ts'
import { toText } from '../paths.ts'
import {
  buildMessage,
  findByTrailers,
  findCommit,
  makeCommit,
  moveRef,
  readTree,
  storyRef,
  storyTrailers,
} from './commits.ts'
import { chooseIdentity, type Person, requireIdentity } from './identity.ts'
import { openBranch, publish, refuseFiltered } from './publish.ts'
import { restorePaths } from './restore.ts'
import { takeTree } from './take.ts'
import { openTool, type Tool } from './tool.ts'
import { changesBetween, checkId, rawDiff } from './trees.ts'
import { undoCommit } from './undo.ts'

export type SnapshotsOptions = {
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
  readonly capture: Capture
  /** Absolute paths. Those inside the work tree are never taken; the folders of runs never are anyway. */
  readonly ownFolders?: readonly string[]
}

const mostMs = 120_000

/** The repository that a folder lies in. Each effect asks git anew: the repository may have changed in between. */
export function createSnapshots({ folder, env, capture, ownFolders = [] }: SnapshotsOptions): Snapshots {
  const inside = <T>(effect: (tool: Tool) => Promise<T>, signal?: AbortSignal): Promise<T> =>
    orNotSaved(async () =>
      effect(await openTool(folder, { capture, env, deadline: performance.now() + mostMs }, signal)),
    )
  return {
    take: async (signal) => {
      signal?.throwIfAborted()
      return inside((tool) => takeTree(tool, ownFolders), signal)
    },
    difference: (from, to) => inside((tool) => differenceBetween(tool, from, to)),
    read: (tree, path) => inside((tool) => readFrom(tool, tree, path)),
    restore: (tree, paths) => inside((tool) => restorePaths(tool, tree, paths.map(toBytes))),
    keep: (kept) => inside((tool) => keepStory(tool, kept, env)),
    commit: (kept, author) => inside((tool) => commitStory(tool, kept, { author, env })),
    find: (key) => inside((tool) => findByTrailers(tool, storyTrailers(key))),
    undo: (id, options) => inside((tool) => undoCommit(tool, id, { ...options, ownFolders, env })),
  }
}

const toBytes = (path: string): string => Buffer.from(path, 'utf8').toString('latin1')

/** A disk that is full or broken is nobody's failed attempt, and nothing that waiting for the repository would mend. */
async function orNotSaved<T>(effect: () => Promise<T>): Promise<T> {
  try {
    return await effect()
  } catch (error) {
    if (!isDiskFault(error)) throw error
    throw new NotSavedError(`cannot write to the repository: ${(error as Error).message}`, { cause: error })
  }
}

const codes = ['ENOSPC', 'EDQUOT', 'EIO', 'EMFILE', 'ENFILE']
/** As git says it in the language that it is asked in. */
const words =
  /No space left on device|Out of diskspace|Disk quota exceeded|Input\/output error|unable to write new index file/i

/** Whether what went wrong passes as soon as there is room again. */
function isDiskFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return (
    codes.includes((error as NodeJS.ErrnoException).code ?? '') || words.test(error.message) || isDiskFault(error.cause)
  )
}

// Nobody hides a file behind a heap of others: this many are more than git's answer can hold by far.
const mostFiles = 500_000
const mostPatchBytes = 512 * 1024

/** What is larger is named as binary, so that nobody holds it in memory to compare lines. */
const small = ['-c', 'core.bigFileThreshold=16m', '-c', 'core.quotePath=false']
const plainly = ['--no-ext-diff', '--no-textconv', '--no-color', '--submodule=short']

async function differenceBetween(tool: Tool, from: string, to: string): Promise<Difference> {
  const trees = [checkId(from), checkId(to)]
  const listed = await tool.run([...small, ...rawDiff, '--numstat', ...plainly, ...trees])
  const files = new Map<string, ChangedFile>()
  for (const [path, what] of partsOf(listed)) {
    const before = files.get(path) ?? { path: toText(path), status: 'modified', added: null, deleted: null }
    files.set(path, { ...before, ...what })
  }
  const args = [...small, 'diff-tree', '-r', '-p', '--no-renames', '--ignore-submodules=none', ...plainly, ...trees]
  const answer = await tool.attempt(args, { maxBytes: mostPatchBytes, beginning: true })
  const truncated = answer.code === null
  return {
    files: [...files.values()].slice(0, mostFiles),
    total: files.size,
    repositories: newRepositories(listed),
    patch: toText((truncated ? wholeLines(answer.stdout) : answer.stdout).toString('latin1')),
    truncated,
  }
}

/** `:000000 160000 0000 1a2b A`, then the path. */
function newRepositories(listed: Buffer): string[] {
  const parts = listed.toString('latin1').split('\0')
  return parts.flatMap((part, index) => (/^:(?!160000)\d+ 160000 /.test(part) ? [toText(parts[index + 1] ?? '')] : []))
}

const wholeLines = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.lastIndexOf(10) + 1)

const mostBytes = 2 * 1024 * 1024

/** A plain file's content in a tree. */
async function readFrom(tool: Tool, tree: string, path: string): Promise<string | undefined> {
  if (path === '' || path.includes('\0') || path.endsWith('/')) return undefined
  const args = ['ls-tree', '-z', '-l', '--full-tree', checkId(tree), '--', path]
  const { code, stdout } = await tool.attempt(args, { env: { GIT_LITERAL_PATHSPECS: '1' } })
  const [, id, size] = /^100\d+ blob (\w+) +(\d+)\t/.exec(stdout.toString('latin1')) ?? []
  if (code !== 0 || id === undefined || Number(size) > mostBytes) return undefined
  return (await tool.run(['cat-file', 'blob', id])).toString('utf8')
}

const mostTries = 5

/** As a commit under a ref of our own. */
async function keepStory(tool: Tool, kept: Kept, env: NodeJS.ProcessEnv): Promise<string> {
  const [ref, tree] = [storyRef(kept.key), checkId(kept.to)]
  for (let tries = 1; ; tries++) {
    const before = await findCommit(tool, ref)
    if (before !== undefined && (await readTree(tool, before)) === tree) return before
    const parent = await findCommit(tool, 'HEAD')
    const person = await chooseIdentity(tool, env)
    const message = buildMessage(kept, storyTrailers(kept.key))
    await syncObjects(tool, kept.from, tree)
    const commit = await makeCommit(tool, { tree, parent, message, env: person })
    if (await moveRef(tool, { ref, to: commit, from: before, why: 'keep', env: person })) return commit
    if (tries === mostTries) throw new RepositoryBlockedError(`${ref} is moved by somebody else all the time`)
  }
}

type CommitOptions = { readonly author: Person | undefined; readonly env: NodeJS.ProcessEnv }

/** As a commit on the branch, once. */
async function commitStory(tool: Tool, kept: Kept, options: CommitOptions): Promise<string | null> {
  const trailers = storyTrailers(kept.key)
  for (let tries = 1; ; tries++) {
    const branch = await openBranch(tool)
    const found = await findByTrailers(tool, trailers)
    if (found !== undefined) return found
    const changes = await changesBetween(tool, kept.from, kept.to)
    if (changes.length === 0) return null
    const env = await requireIdentity(tool, options.env, options.author)
    await keepForCommitByHand(tool, kept, changes, options)
    await syncObjects(tool, kept.from, kept.to)
    const made = await publish(tool, { branch, changes, message: buildMessage(kept, trailers), env }, tries > 1)
    if (made !== 'moved') return made.commit
    if (tries === mostTries) throw new RepositoryBlockedError(`${branch} is moved by somebody else all the time`)
  }
}

async function keepForCommitByHand(
  tool: Tool,
  kept: Kept,
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

const mostObjects = 5000

/** What is new in `to` survives a power loss before anything points at it. Beyond some thousand files time counts more. */
async function syncObjects({ run, root }: Tool, from: string, to: string): Promise<void> {
  const args = ['diff-tree', '-r', '-t', '-z', '--raw', '--no-renames', '--no-abbrev', checkId(from), checkId(to)]
  const lines = (await run(args)).toString('latin1').split('\0')
  const ids = lines.flatMap((line) => /^:\d+ (?!000000|160000)\d+ \w+ (\w+) /.exec(line)?.[1] ?? [])
  const objects = resolve(root, (await run(['rev-parse', '--git-path', 'objects'])).toString('utf8').replace(/\n$/, ''))
  for (const id of [to, ...ids].slice(0, mostObjects)) sync(join(objects, id.slice(0, 2), id.slice(2)))
}

/** One that is not there lies in a pack, and those are synced by git. */
function sync(path: string): void {
  const fd = openIfThere(path)
  if (fd === undefined) return
  try {
    fs.fdatasyncSync(fd)
  } finally {
    fs.closeSync(fd)
  }
}

function openIfThere(path: string): number | undefined {
  try {
    return fs.openSync(path, 'r')
  } catch {
    return undefined
  }
}
