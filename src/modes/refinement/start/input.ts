import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { decodeText, parseHumanText, readTextFile } from '../../../config/input/text-input.ts'
import { checkOutputTarget } from '../../../config/models/targets.ts'
import { type ExitCode, PawlError } from '../../../contract/exit.ts'
import { cleanHumanText } from '../../../contract/human-text.ts'
import { findNearest } from '../../../contract/nearest.ts'
import type { Brief, RefinedFile } from '../contract/request.ts'

/** Arguments of `pawl refine`. */
export type RefineArguments = {
  /** A file, a task in words, or - for a text on standard input. */
  readonly what: string
  readonly goal?: string | undefined
  readonly context: readonly string[]
  readonly out?: string | undefined
  readonly write: boolean
}

export type RefineInput = {
  readonly brief: Brief
  /** Name of the run. */
  readonly name: string
}

/** Relative paths start at `folder`. The page has no standard input. */
export type InputContext = { readonly folder: string; readonly readStdin?: (() => Promise<Buffer>) | undefined }

/** Reads and checks everything that was typed, before anything is spent. */
export async function readRefineInput(
  words: RefineArguments,
  { folder, readStdin }: InputContext,
): Promise<RefineInput> {
  const { what, write } = words
  const goal = words.goal === undefined ? {} : { goal: parseHumanText(words.goal, 'the goal') }
  const read = what === '-' ? await fromInput(readStdin) : (fromFile(what, folder) ?? fromWords(what, folder))
  const out = checkOutputTarget({ out: words.out, write, file: read.file?.path }, folder)
  return {
    brief: {
      ...read.brief,
      ...goal,
      context: readContext(words.context, folder),
      ...(read.file && { file: read.file }),
      ...(out !== undefined && { out }),
      write,
    },
    name: chooseRunName(read.file?.shown),
  }
}

type Read = { readonly brief: Omit<Brief, 'context'>; readonly file?: RefinedFile }

/** Piped input is treated like a file: it is the text to improve. */
async function fromInput(readStdin: InputContext['readStdin']): Promise<Read> {
  if (!readStdin) throw new PawlError(2, '- reads standard input, but there is none here')
  const text = normalizeNewlines(decodeText(await readStdin(), 'standard input'))
  if (text.trim() === '') throw emptyTask(2, 'standard input is empty')
  return { brief: { task: 'Refine this text', text } }
}

function fromFile(what: string, folder: string): Read | undefined {
  const named = resolve(folder, what)
  const bytes = what.trim() === '' || what.includes('\0') ? undefined : readTextFile(what, folder)
  if (!bytes) return undefined
  const text = normalizeNewlines(decodeText(bytes, what))
  if (text.trim() === '') throw emptyTask(30, `${what} is empty`, 'To write something new, give the task in words.')
  const path = realpathSync(named)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const link = lstatSync(named).isSymbolicLink() && ({ link: true } as const)
  const file = { path, shown: what, ...link, sha256, mode: statSync(path).mode & 0o7777 }
  return { brief: { task: `Refine ${readTitle(what)}`, text }, file }
}

function fromWords(what: string, folder: string): Read {
  if (cleanHumanText(what).text.trim() === '') throw emptyTask(2, 'the task is empty')
  const task = parseHumanText(what, 'the task')
  if (looksLikePath(what, folder)) throw missingFile(what, folder, 'If this is a task, use more words.')
  return { brief: { task } }
}

const emptyTask = (exit: ExitCode, message: string, hint?: string): PawlError =>
  new PawlError(exit, message, hint, 'empty_task')

/** True if there is nothing to refine. */
export const isEmptyTask = (error: unknown): error is PawlError =>
  error instanceof PawlError && error.code === 'empty_task'

/** Returns a file's name for models: one line, without its folder. */
const readTitle = (path: string): string => basename(path).replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')

/** Prompts use LF only. The file's own line endings are restored when it is written. */
const normalizeNewlines = (text: string): string => text.replace(/\r\n/g, '\n')

const maxContextBytes = 4 * 1024 * 1024

function readContext(paths: readonly string[], folder: string): Brief['context'] {
  const context = paths.map((name) => {
    const bytes = readTextFile(name, folder)
    if (!bytes) throw missingFile(name, folder)
    return { name: readTitle(name), text: normalizeNewlines(decodeText(bytes, name)) }
  })
  const bytes = context.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
  if (bytes > maxContextBytes)
    throw new PawlError(30, '--context is larger than 4 MiB in total', 'Give fewer or smaller files.')
  return context
}

const maxNameLength = 64

/** Derives the run's name from its file: lower-case letters, digits and hyphens. */
function chooseRunName(path: string | undefined): string {
  if (path === undefined) return defaultName
  const slug = basename(path, extname(path))
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, maxNameLength)
    .replace(/-$/, '')
  return slug || defaultName
}
const defaultName = 'refine'

const maxNames = 5000

/**
 * True if probably a file is meant, not a task. Words with spaces count only if their folder exists: tasks mention
 * TCP/IP and either/or.
 */
function looksLikePath(word: string, folder: string): boolean {
  if (/[\r\n]/.test(word)) return false
  if (!/\s/.test(word)) return word.includes('/') || /^[~.]/.test(word) || /\.[A-Za-z0-9]{1,5}$/.test(word)
  if (/^(?:~[^\s/]*|\.{1,2})?\//.test(word)) return true
  return word.includes('/') && isFolder(resolve(folder, dirname(word)))
}

/** The error for a missing file, with a guess which one was meant. */
function missingFile(word: string, folder: string, hint?: string): PawlError {
  const inside = dirname(word)
  const at = resolve(folder, inside)
  if (!isFolder(at)) return new PawlError(2, `there is no file ${word}: there is no folder ${inside}`, hint)
  const close = findNearest(basename(word), listNames(at))
  const guess = close && `Did you mean ${inside === '.' && !word.startsWith('.') ? close : join(inside, close)}?`
  return new PawlError(2, `there is no file ${word}`, guess ?? hint)
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder).slice(0, maxNames)
  } catch {
    return []
  }
}
