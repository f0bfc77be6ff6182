import * as fs from 'node:fs'
import { join } from 'node:path'

const ownFolder = /^pawl-(\d+)-\w{6}$/
const leftAfterMs = 60_000

/** A folder beside git's own files, made anew and gone afterwards: an index in it is locked by nobody else. */
export async function withTempFolder<T>(gitDir: string, work: (folder: string) => Promise<T>): Promise<T> {
  sweep(gitDir)
  const folder = fs.mkdtempSync(join(gitDir, `pawl-${process.pid}-`))
  try {
    return await work(folder)
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

/** What a killed process has left. A young one may belong to somebody whom we cannot see from here. */
function sweep(gitDir: string): void {
  for (const folder of listAbandoned(gitDir)) {
    const found = fs.lstatSync(folder, { throwIfNoEntry: false })
    if (found && Date.now() - found.mtimeMs > leftAfterMs) fs.rmSync(folder, { recursive: true, force: true })
  }
}

/** The workshops of processes that are no more. */
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

/** What tells one state of an index from another. */
export function fingerprintIndex(path: string): string {
  const found = fs.statSync(path, { bigint: true, throwIfNoEntry: false })
  return found ? [found.ino, found.size, found.mtimeNs, found.ctimeNs].join(' ') : 'none'
}

/**
 * With what git knows of the files, so that only those that changed are read again. A file of the same moment as the
 * index is one that git reads again: the copy must not look younger than what it is a copy of, and fractions of
 * a second cannot be set exactly.
 */
export function copyIndex(from: string, to: string): void {
  fs.rmSync(to, { force: true })
  const found = fs.statSync(from, { throwIfNoEntry: false })
  if (!found) return
  fs.copyFileSync(from, to, fs.constants.COPYFILE_FICLONE)
  setDate(to, Math.floor(found.mtimeMs / 1000))
}

/**
 * Makes git read every file again. Agents can write the index, and git compares dates by the second: a file of the same
 * size whose date was set back would pass for what it was.
 */
export function invalidateStats(index: string): void {
  if (fs.existsSync(index)) setDate(index, 1)
}

const setDate = (path: string, seconds: number): void => fs.utimesSync(path, seconds, seconds)
