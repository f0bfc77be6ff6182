import * as fs from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { cleanText } from './folds.ts'

export type HistoryFile = {
  /** The oldest first, without repetitions next to each other. */
  entries(): readonly string[]
  add(text: string): void
}

type Part = { readonly path: string; readonly entries: readonly string[]; readonly bytes: number }

/** Only the end of a longer file is read, and longer parts are set aside: entries may be long. */
const maxBytes = 4 * 1024 * 1024

/**
 * Opens a file with one JSON string per line. Entries are appended, and nothing is ever rewritten, so several processes can add at
 * once. A file that has become too long is renamed to `<path>.<number>-<pid>`, and older ones are removed when newer ones hold enough
 * entries. A process that is about to append to a renamed file loses nothing, because the renamed file is read too.
 */
export function openHistoryFile(path: string, limit: number): HistoryFile {
  let entries: readonly string[] = []
  try {
    const parts = [...findOlder(path), path].map(readPart)
    entries = collapse(parts.flatMap((part) => part.entries)).slice(-limit)
    if (isFull(parts.slice(-1), limit)) setAside(path, limit)
  } catch {
    // Nothing to read, or a folder that may not be changed.
  }
  return {
    entries: () => entries,
    add: (text) => {
      if (entries.at(-1) === text) return
      entries = [...entries, text].slice(-limit)
      try {
        append(path, `${JSON.stringify(text)}\n`)
      } catch {
        // The entry is remembered until the process ends.
      }
    },
  }
}

// Repositories may contain planted files: links and pipes are refused, and nothing waits for them.
const { O_RDONLY, O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = fs.constants
const careful = O_NOFOLLOW | O_NONBLOCK

function readPart(path: string): Part {
  try {
    return useFile(path, O_RDONLY, (file, size) => {
      const bytes = Buffer.alloc(Math.min(size, maxBytes))
      const length = fs.readSync(file, bytes, 0, bytes.length, size - bytes.length)
      const lines = bytes.toString('utf8', 0, length).split('\n')
      return { path, entries: collapse(lines.flatMap(parseEntry)), bytes: size }
    })
  } catch {
    return { path, entries: [], bytes: 0 }
  }
}

/** Returns no entry for a line that is torn or no JSON string. */
function parseEntry(line: string): string[] {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'string' && value.trim() !== '' ? [cleanText(value)] : []
  } catch {
    return []
  }
}

function append(path: string, line: string): void {
  fs.mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  useFile(path, O_RDWR | O_APPEND | O_CREAT, (file, size) => {
    fs.fchmodSync(file, 0o600)
    const last = Buffer.alloc(1)
    const isTorn = size > 0 && fs.readSync(file, last, 0, 1, size - 1) === 1 && last.toString() !== '\n'
    // One write, so that lines of several processes do not mix.
    fs.writeSync(file, isTorn ? `\n${line}` : line)
  })
}

function useFile<T>(path: string, flags: number, use: (file: number, size: number) => T): T {
  const file = fs.openSync(path, flags | careful, 0o600)
  try {
    const stat = fs.fstatSync(file)
    if (!stat.isFile()) throw new Error(`${path} is no file`)
    return use(file, stat.size)
  } finally {
    fs.closeSync(file)
  }
}

function setAside(path: string, limit: number): void {
  const older = findOlder(path)
  fs.renameSync(path, `${path}.${(readNumber(older.at(-1)) ?? 0) + 1}-${process.pid}`)
  const newer: Part[] = []
  for (const part of findOlder(path).toReversed()) {
    if (isFull(newer, limit)) fs.rmSync(part)
    else newer.push(readPart(part))
  }
}

const isFull = (parts: readonly Part[], limit: number): boolean =>
  parts.reduce((sum, { entries }) => sum + entries.length, 0) > limit ||
  parts.reduce((sum, { bytes }) => sum + bytes, 0) > maxBytes

/** Finds the renamed files, the oldest first. Numbers and not times order them, because clocks are set back. */
function findOlder(path: string): string[] {
  const names = fs.readdirSync(dirname(path)).filter((name) => name.startsWith(`${basename(path)}.`))
  return names
    .filter((name) => readNumber(name) !== undefined)
    .sort((a, b) => readNumber(a)! - readNumber(b)!)
    .map((name) => join(dirname(path), name))
}

function readNumber(name: string | undefined): number | undefined {
  const found = name === undefined ? null : /\.(\d+)-\d+$/.exec(name)
  return found ? Number(found[1]) : undefined
}

const collapse = (entries: readonly string[]): string[] => entries.filter((entry, at) => entry !== entries[at - 1])
