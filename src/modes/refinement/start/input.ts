import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { decodeText, parseHumanText, readTextFile } from '../../../config/input/text-input.ts'
import { checkTargets } from '../../../config/models/targets.ts'
import { PawlError } from '../../../contract/exit.ts'
import { findNearest } from '../../../contract/nearest.ts'
import type { Brief, RefinedFile } from '../contract/request.ts'

/** What somebody typed after `pawl refine`. */
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
  /** Of the run. */
  readonly name: string
}

/** Files are named from `folder`. A page has no standard input. */
export type InputContext = { readonly folder: string; readonly readStdin?: (() => Promise<Buffer>) | undefined }

/** Everything that can be wrong with what was typed is told here, before anything is spent. */
export async function readRefineInput(
  words: RefineArguments,
  { folder, readStdin }: InputContext,
): Promise<RefineInput> {
  const { what, write } = words
  const goal = words.goal === undefined ? {} : { goal: parseHumanText(words.goal, 'the goal') }
  const read = what === '-' ? await fromInput(readStdin) : (fromFile(what, folder) ?? fromWords(what, folder))
  const out = checkTargets({ out: words.out, write, file: read.file?.path }, folder)
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

/** What is piped in stands for a file: it is the text that is to become better. */
async function fromInput(readStdin: InputContext['readStdin']): Promise<Read> {
  if (!readStdin) throw new PawlError(2, '- reads standard input, and there is none here')
  const text = normalizeNewlines(decodeText(await readStdin(), 'standard input'))
  if (text.trim() === '') throw new PawlError(2, 'standard input is empty')
  return { brief: { task: 'Refine this text', text } }
}

function fromFile(what: string, folder: string): Read | undefined {
  const named = resolve(folder, what)
  const bytes = what.trim() === '' || what.includes('\0') ? undefined : readTextFile(what, folder)
  if (!bytes) return undefined
  const text = normalizeNewlines(decodeText(bytes, what))
  if (text.trim() === '') throw new PawlError(30, `${what} holds no text`, 'For something new, give the task in words.')
  const path = realpathSync(named)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const link = lstatSync(named).isSymbolicLink() && ({ link: true } as const)
  const file = { path, shown: what, ...link, sha256, mode: statSync(path).mode & 0o7777 }
  return { brief: { task: `Refine ${readTitle(what)}`, text }, file }
}

function fromWords(what: string, folder: string): Read {
  const task = parseHumanText(what, 'the task')
  if (looksLikePath(what, folder)) throw missingFile(what, folder, 'If it is a task, say it in more words.')
  return { brief: { task } }
}

/** What a model is told that a file is called: not where it lies on this machine, and in one line. */
const readTitle = (path: string): string => basename(path).replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')

/** However a file ends its lines, prompts have one way; a file gets its own back when it is written. */
const normalizeNewlines = (text: string): string => text.replace(/\r\n/g, '\n')

const mostContextBytes = 4 * 1024 * 1024

function readContext(paths: readonly string[], folder: string): Brief['context'] {
  const context = paths.map((name) => {
    const bytes = readTextFile(name, folder)
    if (!bytes) throw missingFile(name, folder)
    return { name: readTitle(name), text: normalizeNewlines(decodeText(bytes, name)) }
  })
  const bytes = context.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
  if (bytes > mostContextBytes) throw new PawlError(30, '--context has more than 4 MiB in all', 'Give less of it.')
  return context
}

const longest = 64

/** What a run is called: as its file, in letters that fit a name. */
function chooseRunName(path: string | undefined): string {
  if (path === undefined) return usual
  const slug = basename(path, extname(path))
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, longest)
    .replace(/-$/, '')
  return slug || usual
}
const usual = 'refine'

const mostNames = 5000

/**
 * Whether somebody meant a file and not a task. With blanks in it, it is one only if its folder is there: tasks
 * speak of TCP/IP and of either/or.
 */
function looksLikePath(word: string, folder: string): boolean {
  if (/[\r\n]/.test(word)) return false
  if (!/\s/.test(word)) return word.includes('/') || /^[~.]/.test(word) || /\.[A-Za-z0-9]{1,5}$/.test(word)
  if (/^(?:~[^\s/]*|\.{1,2})?\//.test(word)) return true
  return word.includes('/') && isFolder(resolve(folder, dirname(word)))
}

/** It is not there: which one may have been meant. */
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
    return readdirSync(folder).slice(0, mostNames)
  } catch {
    return []
  }
}
