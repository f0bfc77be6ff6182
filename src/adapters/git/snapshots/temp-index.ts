import * as fs from 'node:fs'
import { join } from 'node:path'

const ownFolder = /^pawl-(\d+)-\w{6}$/
const leftAfterMs = 60_000
const settledMs = 50

/** Runs `work` with a temporary folder inside the git folder. No other process can lock an index in it. */
export async function withTempFolder<T>(gitDir: string, work: (folder: string) => Promise<T>): Promise<T> {
  sweep(gitDir)
  const folder = fs.mkdtempSync(join(gitDir, `pawl-${process.pid}-`))
  try {
    return await work(folder)
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

/** Removes what killed processes left. A recent folder may belong to a process that we cannot see from here. */
function sweep(gitDir: string): void {
  for (const folder of listAbandoned(gitDir)) {
    const found = fs.lstatSync(folder, { throwIfNoEntry: false })
    if (found && Date.now() - found.mtimeMs > leftAfterMs) fs.rmSync(folder, { recursive: true, force: true })
  }
}

/** Lists the temporary folders of processes that have ended. */
export function listAbandoned(gitDir: string): string[] {
  return fs.readdirSync(gitDir, { withFileTypes: true }).flatMap((found) => {
    const [, pid] = ownFolder.exec(found.name) ?? []
    return pid !== undefined && found.isDirectory() && !isAlive(Number(pid)) ? [join(gitDir, found.name)] : []
  })
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Recognizes one state of an index file. */
export function fingerprintIndex(path: string): string {
  return findIndexState(path).state
}

/** `isSettled`: written long enough ago that another write would change the file's dates. */
export function findIndexState(path: string): { readonly state: string; readonly isSettled: boolean } {
  const found = fs.statSync(path, { bigint: true, throwIfNoEntry: false })
  if (!found) return { state: 'none', isSettled: true }
  const { ino, size, mtimeNs, ctimeNs } = found
  const isSettled = Date.now() - Number(ctimeNs / 1_000_000n) > settledMs
  return { state: [ino, size, mtimeNs, ctimeNs].join(' '), isSettled }
}

/**
 * Copies an index with what git knows of the files, so that only changed ones are read again. git rereads a file that is
 * as young as the index, so the copy must not look younger than the original; fractions of a second cannot be set
 * exactly.
 */
export function copyIndex(from: string, to: string): void {
  fs.rmSync(to, { force: true })
  const found = fs.statSync(from, { throwIfNoEntry: false })
  if (!found) return
  fs.copyFileSync(from, to, fs.constants.COPYFILE_FICLONE)
  setDate(to, Math.floor(found.mtimeMs / 1000))
}

/**
 * Makes git read every file again. Agents can write the index and set dates: a changed file with the old size and date
 * would pass as unchanged.
 */
export function invalidateStats(index: string): void {
  if (fs.existsSync(index)) setDate(index, 1)
}

const setDate = (path: string, seconds: number): void => fs.utimesSync(path, seconds, seconds)
