import type { ChangedFile, Changes } from '../../ports/repository.ts'
import { createLineCounter } from './count-lines.ts'
import { inside, isOwn, textOf } from './names.ts'

const mostFiles = 500

/** `--raw` tells what became of a file, `--numstat` how many lines. No program of the configuration's is asked. */
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

/** The files of a diff and those that git does not know yet, most changed first. */
export function readFiles(diff: Buffer, untracked: readonly string[], root: string): Files {
  const files = new Map<string, ChangedFile>()
  const put = (path: string, what: Partial<ChangedFile>): void => {
    const before = files.get(path) ?? { path: textOf(path), status: 'modified', added: null, deleted: null }
    if (!isOwn(path)) files.set(path, { ...before, ...what })
  }
  for (const [path, what] of partsOf(diff)) put(path, what)
  const count = createLineCounter()
  for (const path of untracked) {
    // Taken out of git and left lying there: it is not gone.
    if (files.has(path)) put(path, { status: 'modified', added: null, deleted: null })
    else put(path, { status: 'added', added: count(inside(root, path)), deleted: 0 })
  }
  const all = [...files.values()].sort((a, b) => linesOf(b) - linesOf(a))
  const sum = (of: 'added' | 'deleted'): number => all.reduce((total, file) => total + (file[of] ?? 0), 0)
  return { files: all.slice(0, mostFiles), totalFiles: all.length, added: sum('added'), deleted: sum('deleted') }
}

/** `:100644 100644 1a2b 3c4d M`, then the path; later on `12<tab>3<tab>path`, a dash for what has no lines. */
export function* partsOf(diff: Buffer): Generator<[path: string, what: Partial<ChangedFile>]> {
  const parts = diff.toString('latin1').split('\0').values()
  for (const part of parts) {
    const numbers = /^(\d+|-)\t(\d+|-)\t/.exec(part)
    if (part.startsWith(':')) yield [parts.next().value ?? '', { status: statusOf(part.at(-1)) }]
    else if (numbers) yield [part.slice(numbers[0].length), { added: amount(numbers[1]), deleted: amount(numbers[2]) }]
  }
}

const statusOf = (letter: string | undefined): ChangedFile['status'] =>
  letter === 'A' ? 'added' : letter === 'D' ? 'deleted' : 'modified'
const amount = (text: string | undefined): number | null => (text === '-' ? null : Number(text))
const linesOf = ({ added, deleted }: ChangedFile): number => (added ?? 0) + (deleted ?? 0)
