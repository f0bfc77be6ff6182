import * as fs from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { cleanText } from './folds.ts'

export type HistoryFile = {
  /** The oldest first, without repetitions next to each other. */
  entries(): readonly string[]
  add(text: string): void
}

type Part = { readonly path: string; readonly entries: readonly string[]; readonly bytes: number }

/** Only the end of a longer part is read: entries may be long. */
const maxBytes = 4 * 1024 * 1024

/**
 * Opens a history with one JSON string per line. When the file is full, the next entries go to `<path>.1`, and so on. Parts are removed
 * when newer ones hold enough entries. Nothing is ever rewritten or renamed, so several processes can add and trim at once.
 */
export function openHistoryFile(path: string, limit: number): HistoryFile {
  let entries: readonly string[] = []
  try {
    const parts = listParts(path).map(readPart)
    entries = collapse(parts.flatMap((part) => part.entries)).slice(-limit)
    for (const [at, part] of parts.entries()) {
      if (isFull(parts.slice(at + 1), limit)) fs.rmSync(part.path, { force: true })
    }
    if (isFull(parts.slice(-1), limit)) startPart(path, parts.at(-1)!)
  } catch {
    // Nothing to read, a folder that may not be changed, or a part that another process has started.
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
    return withFile(path, O_RDONLY, (file, size) => {
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

/** Appends to the newest part. Another process may have started it, so it is looked up each time. */
function append(path: string, line: string): void {
  fs.mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  withFile(listParts(path).at(-1) ?? path, O_RDWR | O_APPEND | O_CREAT, (file, size) => {
    fs.fchmodSync(file, 0o600)
    const last = Buffer.alloc(1)
    const isTorn = size > 0 && fs.readSync(file, last, 0, 1, size - 1) === 1 && last.toString() !== '\n'
    // One write, so that lines of several processes do not mix.
    fs.writeSync(file, isTorn ? `\n${line}` : line)
  })
}

function withFile<T>(path: string, flags: number, use: (file: number, size: number) => T): T {
  const file = fs.openSync(path, flags | careful, 0o600)
  try {
    const stat = fs.fstatSync(file)
    if (!stat.isFile()) throw new Error(`${path} is no file`)
    return use(file, stat.size)
  } finally {
    fs.closeSync(file)
  }
}

/** Starts the part after the last one. Fails if another process has just done so. */
function startPart(path: string, last: Part): void {
  const next = readNumber(path, basename(last.path))! + 1
  fs.closeSync(fs.openSync(`${path}.${next}`, 'wx', 0o600))
}

const isFull = (parts: readonly Part[], limit: number): boolean =>
  parts.reduce((sum, { entries }) => sum + entries.length, 0) > limit ||
  parts.reduce((sum, { bytes }) => sum + bytes, 0) > maxBytes

/** Lists the parts that exist, the oldest first. */
function listParts(path: string): string[] {
  const names = fs.readdirSync(dirname(path)).filter((name) => readNumber(path, name) !== undefined)
  return names.sort((a, b) => readNumber(path, a)! - readNumber(path, b)!).map((name) => join(dirname(path), name))
}

/** Reads the number of a part from its name. The first part has no number in its name. */
function readNumber(path: string, name: string): number | undefined {
  if (name === basename(path)) return 0
  const rest = name.startsWith(`${basename(path)}.`) ? name.slice(basename(path).length + 1) : ''
  return /^[1-9]\d{0,8}$/.test(rest) ? Number(rest) : undefined
}

const collapse = (entries: readonly string[]): string[] => entries.filter((entry, at) => entry !== entries[at - 1])
