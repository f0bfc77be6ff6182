import type { Json } from '../../contract/values.ts'

/** A parsed object and its source text. */
export type FoundObject = { readonly value: { readonly [key: string]: Json }; readonly source: string }

const maxDepth = 64
const maxObjects = 100

/**
 * Finds the JSON objects in a reply, between any prose and fences. Undefined if text that starts like an object (`{"key":`) is cut off, repeats a
 * key or nests too deeply: an object nested in a broken one must not be used in its place. Linear time, however hostile the reply.
 */
export function findJsonObjects(text: string): readonly FoundObject[] | undefined {
  const found: FoundObject[] = []
  for (let at = text.indexOf('{'); at >= 0; at = text.indexOf('{', at)) {
    if (!beginsObject(text, at)) {
      at += 1
      continue
    }
    const end = endOfObject(text, at)
    if (end === undefined) return undefined
    const source = text.slice(at, end)
    const value = tryParse(source)
    if (value === undefined || found.length === maxObjects) return undefined
    found.push({ value, source })
    at = end
  }
  return found
}

function beginsObject(text: string, at: number): boolean {
  const key = skipSpaces(text, at + 1)
  if (text[key] !== '"') return false
  return text[skipSpaces(text, endOfString(text, key))] === ':'
}

/** Returns the position after the closing brace. Undefined if there is none, on a duplicate key, or if it nests too deeply. */
function endOfObject(text: string, start: number): number | undefined {
  const open: Set<string>[] = []
  for (let at = start; at < text.length; at++) {
    const character = text[at]!
    if (character === '{' || character === '[') {
      if (open.push(new Set()) > maxDepth) return undefined
    } else if (character === '}' || character === ']') {
      open.pop()
      if (open.length === 0) return at + 1
    } else if (character === '"') {
      const end = endOfString(text, at)
      if (text[skipSpaces(text, end)] === ':' && !addKey(text.slice(at, end), open.at(-1)!)) return undefined
      at = end - 1
    }
  }
  return undefined
}

/** Returns false if the key is already in the set. */
function addKey(quoted: string, keys: Set<string>): boolean {
  const key = quoted.includes('\\') ? unescaped(quoted) : quoted
  if (keys.has(key)) return false
  keys.add(key)
  return true
}

/** `"\u0061"` is the key `"a"`. */
function unescaped(quoted: string): string {
  try {
    return JSON.stringify(JSON.parse(quoted))
  } catch {
    return quoted
  }
}

/** Returns the position after the closing quote, or the end of the text. */
function endOfString(text: string, quote: number): number {
  let at = quote + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return Math.min(at + 1, text.length)
}

function skipSpaces(text: string, from: number): number {
  let at = from
  while (at < text.length && ' \n\r\t'.includes(text[at]!)) at += 1
  return at
}

function tryParse(source: string): FoundObject['value'] | undefined {
  try {
    return JSON.parse(source) as FoundObject['value']
  } catch {
    return undefined
  }
}
