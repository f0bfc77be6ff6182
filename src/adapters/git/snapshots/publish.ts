import * as fs from 'node:fs'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { RepositoryBlockedError } from '../../../ports/snapshots.ts'
import { readBranch, toText } from '../paths.ts'
import { findCommit, makeCommit, moveRef } from './commits.ts'
import { dropOldLock } from './stale-lock.ts'
import { syncFile, syncTree } from './sync.ts'
import { copyIndex, fingerprintIndex, listAbandoned, withTempFolder } from './temp-index.ts'
import type { Tool } from './tool.ts'
import { type Change, findFiltered, hashEmptyTree, parseId, resolveIds, setInIndex } from './trees.ts'

type Publication = {
  /** Trees that the changes lead from and to, where both are there already. */
  readonly trees?: { readonly from: string; readonly to: string }
  readonly changes: readonly Change[]
  readonly message: Buffer
  /** Author and committer. */
  readonly env: Record<string, string>
}

/** A commit that must not be made twice. */
type Once = {
  /** Finds the commit in HEAD's history. */
  find(): Promise<string | undefined>
  /** `parent` is the last commit of the branch. null: there is nothing to commit. */
  prepare(parent: string | undefined): Promise<Publication | null>
}

/** `moved`: another process changed the branch or the index. Try again with `contended`. */
type Published = { readonly commit: string | null } | 'moved'

const maxTries = 5

/** Publishes what `prepare` returns, unless `find` finds it. Does it all again if another process interferes. */
export async function publishOnce(tool: Tool, once: Once): Promise<string | null> {
  for (let tries = 1; ; tries++) {
    const branch = await openBranch(tool)
    const made = await publish(tool, branch, once, tries > 1)
    if (made !== 'moved') return made.commit
    if (tries === maxTries) throw new RepositoryBlockedError(`another process keeps moving ${branch}`)
  }
}

/**
 * Commits these changes alone on top of the branch and adds them to the user's index. The index comes first: after a
 * crash in between the changes are staged and the next call commits them, and a commit made by someone else at that
 * moment includes them instead of reverting them. With `contended` the index stays locked all the while.
 */
function publish(tool: Tool, branch: string, once: Once, contended: boolean): Promise<Published> {
  return withTempFolder(tool.gitDir, (folder) => {
    const build = (): Promise<Published> => buildOn(tool, once, { branch, folder, contended })
    return contended ? withIndexLock(tool, folder, build) : build()
  })
}

async function buildOn(
  tool: Tool,
  { find, prepare }: Once,
  { branch, folder, contended }: { branch: string; folder: string; contended: boolean },
): Promise<Published> {
  // The branch is read before the search: as long as it stays there, no other process has made this commit.
  const [parent, parentTree] = await resolveIds(tool, [`${branch}^{commit}`, `${branch}^{tree}`])
  const found = await find()
  if (found !== undefined) return { commit: found }
  const publication = await prepare(parent)
  if (publication === null) return { commit: null }
  const { trees, changes, message, env } = publication
  const isKnown = trees !== undefined && trees.from === parentTree
  const tree = isKnown ? trees.to : await applyChanges(tool, join(folder, 'index'), parent, changes)
  if (parent === undefined ? changes.length === 0 : tree === parentTree) return { commit: null }
  await syncTree(tool, parentTree ?? hashEmptyTree(tree), tree)
  const commit = await makeCommit(tool, { tree, parent, message, env })
  const next = await makeNextIndex(tool, folder, changes)
  const isCurrent = (await currentBranch(tool)) === branch && (await findCommit(tool, branch)) === parent
  if (!isCurrent) return 'moved'
  if (contended) next.placeUnderLock()
  else if (!next.place()) return 'moved'
  const why = `commit: ${message.toString('utf8').split('\n', 1)[0]}`
  return (await moveRef(tool, { ref: branch, to: commit, from: parent, why, env })) ? { commit } : 'moved'
}

async function applyChanges(tool: Tool, index: string, parent: string | undefined, changes: readonly Change[]) {
  await tool.run(['read-tree', ...(parent === undefined ? ['--empty'] : [parent])], { index })
  await setInIndex(tool, index, changes)
  return parseId(await tool.run(['write-tree'], { index }))
}

const maxWaitMs = 5000
const strayAfterMs = 1000

/** The user's index with the changes in it, not yet in its place. */
type NextIndex = {
  /** False if another git has the lock or changed the index. Holds the lock for two calls only. */
  place(): boolean
  /** For a caller that holds the lock. */
  placeUnderLock(): void
}

async function makeNextIndex(tool: Tool, folder: string, changes: readonly Change[]): Promise<NextIndex> {
  const [own, next] = [join(tool.gitDir, 'index'), join(folder, 'next-index')]
  const before = fingerprintIndex(own)
  copyIndex(own, next)
  await setInIndex(tool, next, changes)
  // Exits with 1 if a file differs from the index, which does not matter here.
  await tool.attempt(['update-index', '-q', '--refresh'], { index: next })
  // After a power loss, git must find the old index or the new one, and the new one before the branch moves.
  syncFile(next)
  return {
    place: () => {
      if (!tryLock(own, next)) return false
      const isSame = fingerprintIndex(own) === before
      if (isSame) fs.renameSync(lockPath(own), own)
      else fs.unlinkSync(lockPath(own))
      syncFile(tool.gitDir)
      return isSame
    },
    placeUnderLock: () => {
      fs.renameSync(next, own)
      syncFile(tool.gitDir)
    },
  }
}

/** Locks the index as git does: only the creator of the lock file may replace the index. Waits some seconds. */
async function withIndexLock<T>(tool: Tool, folder: string, work: () => Promise<T>): Promise<T> {
  const [own, held] = [join(tool.gitDir, 'index'), join(folder, 'held')]
  fs.writeFileSync(held, '')
  await waitForLock(tool, own, held)
  try {
    return await work()
  } finally {
    fs.unlinkSync(lockPath(own))
  }
}

const lockPath = (own: string): string => `${own}.lock`

async function waitForLock(tool: Tool, own: string, file: string): Promise<void> {
  const began = performance.now()
  while (!tryLock(own, file)) {
    const passed = performance.now() - began
    if (passed > strayAfterMs) dropStray(tool)
    if (passed > maxWaitMs) throw new RepositoryBlockedError(`${lockPath(own)} ${blocked}`)
    await pause(5 + Math.random() * 10)
  }
}

/** The lock is a hard link to a file in our temporary folder: if we are killed, it is provably ours. */
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

/** Removes an old lock, or one that is the same file as one in the temporary folder of a process that has ended. */
function dropStray({ root, gitDir }: Tool): void {
  const path = join(gitDir, 'index.lock')
  if (dropOldLock(path, root)) return
  const lock = fs.lstatSync(path, { throwIfNoEntry: false })
  const isIt = (file: string): boolean => {
    const found = fs.lstatSync(file, { throwIfNoEntry: false })
    return found !== undefined && found.ino === lock?.ino && found.dev === lock.dev
  }
  const files = listAbandoned(gitDir).flatMap((folder) => [join(folder, 'next-index'), join(folder, 'held')])
  if (lock && files.some(isIt)) fs.unlinkSync(path)
}

const blocked =
  'exists: another git is running, or one was killed. If none is running, remove that file, then try again'

const underway = {
  'rebase-merge': 'a rebase',
  'rebase-apply': 'a rebase or an am',
  MERGE_HEAD: 'a merge',
  CHERRY_PICK_HEAD: 'a cherry-pick',
  REVERT_HEAD: 'a revert',
  sequencer: 'a cherry-pick or a revert',
  BISECT_LOG: 'a bisect',
} as const

/** Returns the current branch as a ref. Throws if nothing can be committed on it now. */
async function openBranch(tool: Tool): Promise<string> {
  const found = Object.entries(underway).find(([name]) => existsSync(join(tool.gitDir, name)))
  if (found)
    throw new RepositoryBlockedError(`the repository is in the middle of ${found[1]}: finish or abort it first`)
  const branch = await currentBranch(tool)
  if (branch?.startsWith('refs/heads/')) return branch
  throw new RepositoryBlockedError('HEAD is detached, so there is no branch to commit on: git switch <branch>')
}

/** Reads HEAD itself where it is a plain file, as it almost always is. */
async function currentBranch({ attempt, gitDir }: Tool): Promise<string | undefined> {
  const branch = readBranch(gitDir)
  if (branch !== undefined) return `refs/heads/${branch}`
  const { code, stdout } = await attempt(['symbolic-ref', '--quiet', 'HEAD'])
  return code === 0 ? stdout.toString('utf8').trim() : undefined
}

/** With filters off, a commit would hold other bytes than git's own would. */
export async function refuseFiltered(tool: Tool, changes: readonly Change[], hint: string): Promise<void> {
  const filtered = (
    await findFiltered(
      tool,
      changes.map(({ path }) => path),
    )
  ).map(toText)
  if (filtered.length === 0) return
  const some = filtered.slice(0, 10).join(', ') + (filtered.length > 10 ? ', …' : '')
  throw new RepositoryBlockedError(`a filter such as Git LFS applies to ${some}, and filters are not run here: ${hint}`)
}
