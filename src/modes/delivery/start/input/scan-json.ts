import { pointerOf } from './contract-error.ts'

export type JsonProblem = {
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
  const pointer = (): string => pointerOf(frames.map(({ step }) => step))
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
