import { isUtf8 } from 'node:buffer'
import type { z } from 'zod'
import { firstBrokenLine, readNamedFile } from '../../../../config/input/named-file.ts'
import { ContractError, type ContractProblem, formatPointer } from './contract-error.ts'
import { firstProblem, wrongValue } from './first-problem.ts'

/** One of the files that programs hand to each other. */
export type ContractFile<Schema extends z.ZodObject | z.ZodReadonly<z.ZodObject>> = {
  readonly schema: Schema
  readonly mostMebibytes: number
  /** The next command for whoever has a bad one. */
  readonly hint: string
}
type AnyContract = z.ZodObject | z.ZodReadonly<z.ZodObject>

/** The text as it is, byte order mark included. */
export function readContractText(path: string, { mostMebibytes, hint }: ContractFile<AnyContract>): string {
  const most = mostMebibytes * 1024 * 1024
  const refuse = (found: string, place?: string): ContractError => {
    const allowed = `a text file in UTF-8 of at most ${mostMebibytes} MiB`
    return new ContractError(path, { what: 'cannot be read', found, allowed, ...(place && { place }) }, hint)
  }
  const bytes = path.includes('\0') ? 'a path with NUL in it' : readNamedFile(path, most)
  if (bytes === 'missing') throw refuse('no such file')
  if (typeof bytes === 'string') throw refuse(bytes)
  if (bytes.length > most) throw refuse(`more than ${mostMebibytes} MiB`)
  if (!isUtf8(bytes)) throw refuse('bytes that are not UTF-8', `${firstBrokenLine(bytes)}:1`)
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}

export function parseContract<Schema extends AnyContract>(
  text: string,
  file: string,
  contract: ContractFile<Schema>,
): z.output<Schema> {
  const refuse = (problem: ContractProblem): ContractError => new ContractError(file, problem, contract.hint)
  // Columns count from the first letter.
  const content = text.replace(/^\ufeff/, '')
  if (content.trim() === '') throw refuse({ pointer: '', what: 'empty', found: 'nothing', allowed: 'a JSON object' })
  const broken = findJsonProblem(content)
  if (broken) throw refuse({ ...broken, place: describePlace(content, broken.offset) })
  const value: unknown = JSON.parse(content)
  const problem = wrongVersion(value) ?? firstProblem(contract.schema, value) ?? wrongValue(contract.schema, value, [])
  if (problem) throw refuse(problem)
  return contract.schema.parse(value) as z.output<Schema>
}

/** Looked at first: in a file of a later version nothing else means what we think. */
function wrongVersion(value: unknown): ContractProblem | undefined {
  if (value === null || typeof value !== 'object' || !Object.hasOwn(value, 'contract_version')) return undefined
  const { contract_version: version } = value as { readonly contract_version: unknown }
  if (typeof version !== 'number' || !(version > 1)) return undefined
  return {
    pointer: '/contract_version',
    what: 'a version that this pawl does not know',
    found: `${version}`,
    allowed: '1',
  }
}

function describePlace(text: string, offset: number): string {
  const before = text.slice(0, offset)
  return `${before.split('\n').length}:${offset - before.lastIndexOf('\n')}`
}

type JsonProblem = {
  readonly offset: number
  readonly pointer: string
  readonly what: string
  readonly found: string
  readonly allowed: string
}

const deepest = 64
/** They mean something else to JavaScript than to whoever wrote them. */
const trapKeys = new Set(['__proto__', 'constructor', 'prototype'])

type Frame = { readonly keys: Set<string> | null; step: string | number }

/**
 * What JSON.parse passes over or explains badly: where the text is no JSON, keys that stand twice, nesting without end,
 * text that is no Unicode. One pass, no recursion.
 */
export function findJsonProblem(text: string): JsonProblem | undefined {
  const frames: Frame[] = []
  let at = skipSpace(text, 0)
  let expects: 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'more' = 'value'
  const pointer = (): string => formatPointer(frames.map(({ step }) => step))
  const problem = (what: string, found: string, allowed: string, offset = at): JsonProblem => {
    return { offset, pointer: pointer(), what, found, allowed }
  }
  const broken = (allowed: string): JsonProblem => {
    if (typeof frames.at(-1)?.step === 'string' && expects.startsWith('key')) frames.pop()
    return problem('not JSON', tokenAt(text, at), allowed)
  }

  for (;;) {
    const frame = frames.at(-1)
    const letter = text[at]
    if (expects === 'more') {
      if (!frame) return letter === undefined ? undefined : broken('nothing behind the end of the value')
      const closing = frame.keys ? '}' : ']'
      if (letter === closing) {
        frames.pop()
        at++
      } else if (letter === ',') {
        if (typeof frame.step === 'number') frame.step++
        expects = frame.keys ? 'key' : 'value'
        at++
      } else return broken(`"," or "${closing}"`)
    } else if ((expects === 'key-or-end' && letter === '}') || (expects === 'value-or-end' && letter === ']')) {
      frames.pop()
      at++
      expects = 'more'
    } else if (expects === 'key' || expects === 'key-or-end') {
      const read = letter === '"' ? readString(text, at) : undefined
      if (!read) return broken(expects === 'key' ? 'a key in double quotes' : 'a key in double quotes, or "}"')
      frame!.step = read.value
      const twice = frame!.keys!.has(read.value)
      if (twice) return problem('a key stands twice', JSON.stringify(read.value.slice(0, 200)), 'each key once')
      if (trapKeys.has(read.value)) return problem('unknown key', read.value, 'the names that the contract has')
      if (!isText(read.value)) return problem('unreadable key', read.source, 'Unicode text without NUL')
      frame!.keys!.add(read.value)
      at = skipSpace(text, read.end)
      if (text[at] !== ':') return problem('not JSON', tokenAt(text, at), '":"')
      at++
      expects = 'value'
    } else if (letter === '{' || letter === '[') {
      if (frames.length === deepest) {
        return problem('nested too deeply', `more than ${deepest} levels`, `at most ${deepest} levels`)
      }
      frames.push(letter === '{' ? { keys: new Set(), step: '' } : { keys: null, step: 0 })
      expects = letter === '{' ? 'key-or-end' : 'value-or-end'
      at++
    } else if (letter === '"') {
      const read = readString(text, at)
      if (!read) return broken('text in double quotes, ended and with control characters written as escapes')
      if (!isText(read.value)) return problem('unreadable text', read.source, 'Unicode text without NUL')
      at = read.end
      expects = 'more'
    } else {
      const end = endOfLiteral(text, at)
      if (end === undefined) return broken(expects === 'value' ? 'a value' : 'a value, or "]"')
      at = end
      expects = 'more'
    }
    at = skipSpace(text, at)
  }
}

const isText = (value: string): boolean => value.isWellFormed() && !value.includes('\0')

function skipSpace(text: string, from: number): number {
  let at = from
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at++
  return at
}

type ReadString = { readonly value: string; readonly source: string; readonly end: number }

/** By hand: an expression that repeats over megabytes runs out of room. */
function readString(text: string, from: number): ReadString | undefined {
  let escaped = false
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x20) return undefined
    if (code === 0x5c) {
      escaped = true
      at++
    } else if (code === 0x22) {
      const end = at + 1
      const value = escaped ? unescaped(text.slice(from, end)) : text.slice(from + 1, at)
      return value === undefined ? undefined : { value, source: text.slice(from, Math.min(end, from + 100)), end }
    }
  }
  return undefined
}

function unescaped(source: string): string | undefined {
  try {
    return JSON.parse(source) as string
  } catch {
    return undefined
  }
}

const literal = /(?:true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)(?![\w.+-])/y

function endOfLiteral(text: string, from: number): number | undefined {
  literal.lastIndex = from
  return literal.test(text) ? literal.lastIndex : undefined
}

function tokenAt(text: string, at: number): string {
  return at >= text.length ? 'the end of the text' : (/^(?:[\w.+-]+|.)/s.exec(text.slice(at, at + 100))?.[0] ?? '')
}
