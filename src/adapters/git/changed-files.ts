import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs'
import type { ChangedFile, Changes } from '../../ports/repository.ts'
import { inside, isOwn, toText } from './paths.ts'

const mostFiles = 500

/** `--raw` gives the status of each file, `--numstat` its line counts. No program from the config runs. */
export const diffArgs = [
  'diff',
  '--raw',
  '--numstat',
  '-z',
  '--no-renames',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--ignore-submodules=dirty',
]

type Files = Pick<Changes, 'files' | 'totalFiles' | 'added' | 'deleted'>

/** Lists the files of a diff and the untracked ones, most changed first. */
export function readFiles(diff: Buffer, untracked: readonly string[], root: string): Files {
  const files = new Map<string, ChangedFile>()
  const put = (path: string, what: Partial<ChangedFile>): void => {
    const before = files.get(path) ?? { path: toText(path), status: 'modified', added: null, deleted: null }
    if (!isOwn(path)) files.set(path, { ...before, ...what })
  }
  for (const [path, what] of partsOf(diff)) put(path, what)
  const count = createLineCounter()
  for (const path of untracked) {
    // Removed from git but still on disk, so it is not deleted.
    if (files.has(path)) put(path, { status: 'modified', added: null, deleted: null })
    else put(path, { status: 'added', added: count(inside(root, path)), deleted: 0 })
  }
  const all = [...files.values()].sort((a, b) => countChangedLines(b) - countChangedLines(a))
  const sum = (of: 'added' | 'deleted'): number => all.reduce((total, file) => total + (file[of] ?? 0), 0)
  return { files: all.slice(0, mostFiles), totalFiles: all.length, added: sum('added'), deleted: sum('deleted') }
}

/** `:100644 100644 1a2b 3c4d M`, then the path; later on `12<tab>3<tab>path`, a dash for what has no lines. */
export function* partsOf(diff: Buffer): Generator<[path: string, what: Partial<ChangedFile>]> {
  const parts = diff.toString('latin1').split('\0').values()
  for (const part of parts) {
    const numbers = /^(\d+|-)\t(\d+|-)\t/.exec(part)
    if (part.startsWith(':')) yield [parts.next().value ?? '', { status: parseStatusLetter(part.at(-1)) }]
    else if (numbers) yield [part.slice(numbers[0].length), { added: amount(numbers[1]), deleted: amount(numbers[2]) }]
  }
}

const parseStatusLetter = (letter: string | undefined): ChangedFile['status'] =>
  letter === 'A' ? 'added' : letter === 'D' ? 'deleted' : 'modified'
const amount = (text: string | undefined): number | null => (text === '-' ? null : Number(text))
const countChangedLines = ({ added, deleted }: ChangedFile): number => (added ?? 0) + (deleted ?? 0)

const mostBytes = 16 * 1024 * 1024
/** git looks for a zero byte this far to decide whether a file is text. */
const binaryProbeBytes = 8000

/** Counts the lines of untracked files. null if binary, not a regular file, or too large. */
function createLineCounter(): (path: Buffer) => number | null {
  let left = mostBytes
  return (path) => {
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (!found?.isFile() || found.size > left) return null
    left -= found.size
    const bytes = readSome(path, found.size)
    if (!bytes || bytes.subarray(0, binaryProbeBytes).includes(0)) return null
    return countLines(bytes)
  }
}

function countLines(bytes: Buffer): number {
  let lines = bytes.length > 0 && bytes.at(-1) !== 10 ? 1 : 0
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines += 1
  return lines
}

/** The file may just have become a pipe or a symlink, or may be unreadable. */
export function readSome(path: Buffer, size: number): Buffer | undefined {
  let fd: number
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch {
    return undefined
  }
  try {
    const bytes = Buffer.alloc(size)
    return fstatSync(fd).isFile() ? bytes.subarray(0, readSync(fd, bytes, 0, size, 0)) : undefined
  } catch {
    return undefined
  } finally {
    closeSync(fd)
  }
}
