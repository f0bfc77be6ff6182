import { randomUUID } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'
import type { SapLine } from './sap-line.ts'
import { parseLine, thinOut } from './sap-sampling.ts'

export type SapFile = {
  /** Adds complete lines at the end of `sap.log`, also while other processes do. Throws if it cannot. */
  append(lines: readonly SapLine[]): void
  /** Returns the number of a run's last event in files of this day and later, 0 if there is none. */
  findLastSeq(run: string, since: string): number
}

export type SapFileTools = {
  /** Runs an action in one process at a time. */
  readonly withLock: <Result>(action: () => Result) => Result
  /** Replaced in tests that simulate a full disk. */
  readonly write?: (fd: number, bytes: Uint8Array) => number
}

const logName = 'sap.log'
const dayPattern = /^sap\.log\.(\d{4}-\d\d-\d\d)$/
/** Larger files are never read, so they are not thinned out either. */
const maxReadBytes = 256 * 1024 * 1024

/** The first line written on a new day (UTC) renames `sap.log` to `sap.log.<day of its last change>`. */
export function openSapFile(folder: string, { withLock, write = fs.writeSync }: SapFileTools): SapFile {
  const path = join(folder, logName)
  return {
    append(lines) {
      makeFolder(folder)
      if (findPastDay(path) !== undefined) withLock(() => rotate(path))
      const fd = openForAppend(path)
      try {
        // One O_APPEND write, so that lines of several processes do not mix.
        const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
        const bytes = Buffer.from(endsTorn(fd) ? `\n${text}` : text)
        if (write(fd, bytes) < bytes.length) throw new Error('the disk is full')
      } finally {
        fs.closeSync(fd)
      }
    },
    findLastSeq(run, since) {
      makeFolder(folder)
      const names = fs.readdirSync(folder).filter((name) => name === logName || isSince(name, since))
      const texts = names.flatMap((name) => readLines(join(folder, name)).filter((text) => text.includes(run)))
      return texts.map(parseLine).reduce((last, line) => (line?.run_id === run ? Math.max(last, line.seq) : last), 0)
    },
  }
}

const isSince = (name: string, since: string): boolean => (dayPattern.exec(name)?.[1] ?? '') >= since

/** Called under the lock: another process may have rotated the file in the meantime. */
function rotate(path: string): void {
  const day = findPastDay(path)
  if (day === undefined) return
  const target = `${path}.${day}`
  // Possible after the clock was set back. The file is rotated on another day.
  if (fs.lstatSync(target, { throwIfNoEntry: false })) return
  fs.renameSync(path, target)
  const texts = readLines(target)
  const left = thinOut(texts)
  if (left.length < texts.length) replaceFile(target, left.map((text) => `${text}\n`).join(''))
}

/** Returns the day of the file's last change if that day is over. */
function findPastDay(path: string): string | undefined {
  const found = fs.lstatSync(path, { throwIfNoEntry: false })
  const day = found?.isFile() && found.size > 0 ? found.mtime.toISOString().slice(0, 10) : undefined
  return day !== undefined && day < new Date().toISOString().slice(0, 10) ? day : undefined
}

/** Other tools may log to this folder, so it has the default mode. The log itself is readable only by its owner. */
function makeFolder(folder: string): void {
  const found = fs.lstatSync(folder, { throwIfNoEntry: false })
  if (found && !found.isDirectory()) throw new Error(`${folder} is not a folder`)
  // Not recursive: a deleted workspace is not created again.
  if (found || !createFolder(folder)) return
  fs.writeFileSync(join(folder, '.gitignore'), '*\n', { flag: 'wx' })
}

/** False if another process was faster. */
function createFolder(folder: string): boolean {
  try {
    fs.mkdirSync(folder, { mode: 0o755 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Refuses symlinks, pipes and hard links: a repository may contain any of them under this name. */
function openForAppend(path: string): number {
  const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = fs.constants
  const fd = fs.openSync(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600)
  const found = fs.fstatSync(fd)
  if (found.isFile() && found.nlink <= 1) return fd
  fs.closeSync(fd)
  throw new Error(`${path} is not a regular file with a single name`)
}

/** True if a crash or a full disk left an incomplete last line. */
function endsTorn(fd: number): boolean {
  const { size } = fs.fstatSync(fd)
  const last = Buffer.alloc(1)
  return size > 0 && fs.readSync(fd, last, 0, 1, size - 1) === 1 && last[0] !== 10
}

function readLines(path: string): string[] {
  const found = fs.lstatSync(path, { throwIfNoEntry: false })
  if (!found?.isFile() || found.size > maxReadBytes) return []
  return fs
    .readFileSync(path, 'utf8')
    .split('\n')
    .filter((text) => text !== '')
}

function replaceFile(path: string, text: string): void {
  const part = `${path}.${randomUUID()}`
  try {
    fs.writeFileSync(part, text, { flag: 'wx', mode: 0o600 })
    fs.renameSync(part, path)
  } finally {
    fs.rmSync(part, { force: true })
  }
}
