import * as fs from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { RepositoryBlockedError } from '../../../ports/snapshots.ts'
import type { Tool } from './tool.ts'
import { type Change, setInIndex } from './trees.ts'
import { abandoned, copyIndex, marksOfIndex } from './workshop.ts'

const mostWaitMs = 5000
const strayAfterMs = 1000

/** The user's own index gets these paths, and whatever else is in it stays. */
export async function changeIndex(tool: Tool, workshop: string, changes: readonly Change[]): Promise<void> {
  const [own, copy] = [join(tool.gitDir, 'index'), join(workshop, 'next-index')]
  const began = performance.now()
  for (let passed = 0; ; passed = performance.now() - began) {
    const before = marksOfIndex(own)
    copyIndex(own, copy)
    await setInIndex(
      tool,
      copy,
      changes.map(({ path, is }) => [path, is] as const),
    )
    // Exits with 1 where something is changed, which is no matter here.
    await tool.attempt(['update-index', '-q', '--refresh'], { index: copy })
    const placed = place(copy, own, before)
    if (placed === 'placed') return
    if (passed > strayAfterMs) dropStray(tool.gitDir)
    if (passed > mostWaitMs) throw new RepositoryBlockedError(blocked(own, placed))
    if (placed === 'locked') await pause(20 + Math.random() * 60)
  }
}

/**
 * As git does it: whoever has made the lock may replace the index, and nobody else. The lock is our finished file
 * under a second name, so it exists for two calls only, and if we are killed between them it is provably ours.
 */
function place(copy: string, own: string, before: string): 'placed' | 'locked' | 'changed' {
  const lock = `${own}.lock`
  try {
    linkOrCopy(copy, lock)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return 'locked'
    throw error
  }
  if (marksOfIndex(own) === before) {
    fs.renameSync(lock, own)
    return 'placed'
  }
  fs.unlinkSync(lock)
  return 'changed'
}

function linkOrCopy(from: string, to: string): void {
  try {
    fs.linkSync(from, to)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(code ?? '')) throw error
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
  if (lock && abandoned(gitDir).some((folder) => isIt(join(folder, 'next-index')))) fs.unlinkSync(path)
}

const blocked = (own: string, by: 'locked' | 'changed'): string =>
  by === 'changed'
    ? `${own} changed all the time while something was to be committed: let the other program end, then try again`
    : `${own}.lock is there: another git is at work, or one was killed. If none is running, remove that file, then try again`
