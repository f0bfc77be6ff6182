import * as fs from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { RepositoryBlockedError } from '../../../ports/snapshots.ts'
import type { Tool } from './tool.ts'
import { type Change, setInIndex } from './trees.ts'
import { abandoned, copyIndex, marksOfIndex } from './workshop.ts'

const mostWaitMs = 5000
const strayAfterMs = 1000

/** The user's own index with other paths in it, made and not yet in its place. */
export type NextIndex = {
  /** False where another git has the lock or came in between. Holds the lock for two calls only. */
  place(): boolean
  /** For whoever holds the lock. */
  placeUnderLock(): void
}

export async function makeNextIndex(tool: Tool, workshop: string, changes: readonly Change[]): Promise<NextIndex> {
  const [own, next] = [join(tool.gitDir, 'index'), join(workshop, 'next-index')]
  const before = marksOfIndex(own)
  copyIndex(own, next)
  const entries = changes.map(({ path, is }) => [path, is] as const)
  await setInIndex(tool, next, entries)
  // Exits with 1 where something is changed, which is no matter here.
  await tool.attempt(['update-index', '-q', '--refresh'], { index: next })
  return {
    place: () => {
      if (!tryLock(own, next)) return false
      const isSame = marksOfIndex(own) === before
      if (isSame) fs.renameSync(lockOf(own), own)
      else fs.unlinkSync(lockOf(own))
      return isSame
    },
    placeUnderLock: () => fs.renameSync(next, own),
  }
}

/** As git does it: whoever has made the lock may replace the index, and nobody else. Waits for some seconds. */
export async function withIndexLock<T>(gitDir: string, workshop: string, work: () => Promise<T>): Promise<T> {
  const [own, held] = [join(gitDir, 'index'), join(workshop, 'held')]
  fs.writeFileSync(held, '')
  await waitForLock(gitDir, own, held)
  try {
    return await work()
  } finally {
    fs.unlinkSync(lockOf(own))
  }
}

const lockOf = (own: string): string => `${own}.lock`

async function waitForLock(gitDir: string, own: string, file: string): Promise<void> {
  const began = performance.now()
  while (!tryLock(own, file)) {
    const passed = performance.now() - began
    if (passed > strayAfterMs) dropStray(gitDir)
    if (passed > mostWaitMs) throw new RepositoryBlockedError(`${lockOf(own)} ${blocked}`)
    await pause(5 + Math.random() * 10)
  }
}

/** The lock is a file of our workshop under a second name: if we are killed while it is there, it is provably ours. */
function tryLock(own: string, file: string): boolean {
  try {
    linkOrCopy(file, lockOf(own))
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
  const files = abandoned(gitDir).flatMap((folder) => [join(folder, 'next-index'), join(folder, 'held')])
  if (lock && files.some(isIt)) fs.unlinkSync(path)
}

const blocked =
  'is there: another git is at work, or one was killed. If none is running, remove that file, then try again'
