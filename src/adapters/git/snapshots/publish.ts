import * as fs from 'node:fs'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { RepositoryBlockedError } from '../../../ports/snapshots.ts'
import { toText } from '../paths.ts'
import { findCommit, makeCommit, moveRef, readTree } from './commits.ts'
import { copyIndex, fingerprintIndex, listAbandoned, withTempFolder } from './temp-index.ts'
import type { Tool } from './tool.ts'
import { type Change, findFiltered, parseId, setInIndex } from './trees.ts'

export type Publication = {
  readonly branch: string
  readonly changes: readonly Change[]
  readonly message: Buffer
  /** Who has done it. */
  readonly env: Record<string, string>
}

/** `moved`: somebody else was at work in between. Ask again, then with `contended`. */
type Published = { readonly commit: string | null } | 'moved'

/**
 * One commit with these changes alone on top of the branch, and the user's index along with it. The index comes
 * first: killed in between, the changes are staged and the next call commits them, and a commit that somebody makes
 * in that moment has them too, instead of taking them back. Where others are at work all the time, `contended` keeps
 * the index locked for as long as it takes.
 */
export function publish(tool: Tool, publication: Publication, contended: boolean): Promise<Published> {
  return withTempFolder(tool.gitDir, (workshop) => {
    const build = (): Promise<Published> => buildOn(tool, workshop, publication, contended)
    return contended ? withIndexLock(tool.gitDir, workshop, build) : build()
  })
}

async function buildOn(
  tool: Tool,
  workshop: string,
  { branch, changes, message, env }: Publication,
  contended: boolean,
): Promise<Published> {
  const parent = await findCommit(tool, branch)
  const tree = await treeWith(tool, join(workshop, 'index'), parent, changes)
  if (parent === undefined ? changes.length === 0 : tree === (await readTree(tool, parent))) return { commit: null }
  const commit = await makeCommit(tool, { tree, parent, message, env })
  const next = await makeNextIndex(tool, workshop, changes)
  const isCurrent = (await currentBranch(tool)) === branch && (await findCommit(tool, branch)) === parent
  if (!isCurrent) return 'moved'
  if (contended) next.placeUnderLock()
  else if (!next.place()) return 'moved'
  const why = `commit: ${message.toString('utf8').split('\n', 1)[0]}`
  return (await moveRef(tool, { ref: branch, to: commit, from: parent, why, env })) ? { commit } : 'moved'
}

async function treeWith(tool: Tool, index: string, parent: string | undefined, changes: readonly Change[]) {
  await tool.run(['read-tree', ...(parent === undefined ? ['--empty'] : [parent])], { index })
  await setInIndex(
    tool,
    index,
    changes.map(({ path, is }) => [path, is] as const),
  )
  return parseId(await tool.run(['write-tree'], { index }))
}

const mostWaitMs = 5000
const strayAfterMs = 1000

/** The user's own index with other paths in it, made and not yet in its place. */
type NextIndex = {
  /** False where another git has the lock or came in between. Holds the lock for two calls only. */
  place(): boolean
  /** For whoever holds the lock. */
  placeUnderLock(): void
}

async function makeNextIndex(tool: Tool, workshop: string, changes: readonly Change[]): Promise<NextIndex> {
  const [own, next] = [join(tool.gitDir, 'index'), join(workshop, 'next-index')]
  const before = fingerprintIndex(own)
  copyIndex(own, next)
  const entries = changes.map(({ path, is }) => [path, is] as const)
  await setInIndex(tool, next, entries)
  // Exits with 1 where something is changed, which is no matter here.
  await tool.attempt(['update-index', '-q', '--refresh'], { index: next })
  return {
    place: () => {
      if (!tryLock(own, next)) return false
      const isSame = fingerprintIndex(own) === before
      if (isSame) fs.renameSync(lockPath(own), own)
      else fs.unlinkSync(lockPath(own))
      return isSame
    },
    placeUnderLock: () => fs.renameSync(next, own),
  }
}

/** As git does it: whoever has made the lock may replace the index, and nobody else. Waits for some seconds. */
async function withIndexLock<T>(gitDir: string, workshop: string, work: () => Promise<T>): Promise<T> {
  const [own, held] = [join(gitDir, 'index'), join(workshop, 'held')]
  fs.writeFileSync(held, '')
  await waitForLock(gitDir, own, held)
  try {
    return await work()
  } finally {
    fs.unlinkSync(lockPath(own))
  }
}

const lockPath = (own: string): string => `${own}.lock`

async function waitForLock(gitDir: string, own: string, file: string): Promise<void> {
  const began = performance.now()
  while (!tryLock(own, file)) {
    const passed = performance.now() - began
    if (passed > strayAfterMs) dropStray(gitDir)
    if (passed > mostWaitMs) throw new RepositoryBlockedError(`${lockPath(own)} ${blocked}`)
    await pause(5 + Math.random() * 10)
  }
}

/** The lock is a file of our workshop under a second name: if we are killed while it is there, it is provably ours. */
function tryLock(own: string, file: string): boolean {
  try {
    linkOrCopy(file, lockPath(own))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function linkOrCopy(from: string, to: string): void {
  try {
    fs.linkSync(from, to)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(code)) throw error
    fs.copyFileSync(from, to, fs.constants.COPYFILE_EXCL)
  }
}

/** A lock that is the same file as one in the workshop of a process that is no more was made by it. */
function dropStray(gitDir: string): void {
  const path = join(gitDir, 'index.lock')
  const lock = fs.lstatSync(path, { throwIfNoEntry: false })
  const isIt = (file: string): boolean => {
    const found = fs.lstatSync(file, { throwIfNoEntry: false })
    return found !== undefined && found.ino === lock?.ino && found.dev === lock.dev
  }
  const files = listAbandoned(gitDir).flatMap((folder) => [join(folder, 'next-index'), join(folder, 'held')])
  if (lock && files.some(isIt)) fs.unlinkSync(path)
}

const blocked =
  'is there: another git is at work, or one was killed. If none is running, remove that file, then try again'

const underway = {
  'rebase-merge': 'a rebase',
  'rebase-apply': 'a rebase or an am',
  MERGE_HEAD: 'a merge',
  CHERRY_PICK_HEAD: 'a cherry-pick',
  REVERT_HEAD: 'a revert',
  sequencer: 'a cherry-pick or a revert',
  BISECT_LOG: 'a bisect',
} as const

/** The branch that HEAD is, as a ref, if one may commit on it now. */
export async function openBranch(tool: Tool): Promise<string> {
  const found = Object.entries(underway).find(([name]) => existsSync(join(tool.gitDir, name)))
  if (found) throw new RepositoryBlockedError(`the repository is in the middle of ${found[1]}: end it first`)
  const branch = await currentBranch(tool)
  if (branch?.startsWith('refs/heads/')) return branch
  throw new RepositoryBlockedError('HEAD is detached, so there is no branch to commit on: git switch <branch>')
}

async function currentBranch({ attempt }: Tool): Promise<string | undefined> {
  const { code, stdout } = await attempt(['symbolic-ref', '--quiet', 'HEAD'])
  return code === 0 ? stdout.toString('utf8').trim() : undefined
}

/** With filters off, what would be committed is not what git would make of it. */
export async function refuseFiltered(tool: Tool, changes: readonly Change[], hint: string): Promise<void> {
  const filtered = (
    await findFiltered(
      tool,
      changes.map(({ path }) => path),
    )
  ).map(toText)
  if (filtered.length === 0) return
  const some = filtered.slice(0, 10).join(', ') + (filtered.length > 10 ? ', …' : '')
  throw new RepositoryBlockedError(`a filter such as Git LFS stands for ${some}, and filters are not run here: ${hint}`)
}
