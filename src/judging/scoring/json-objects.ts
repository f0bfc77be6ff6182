import type { Json } from '../../contract/values.ts'

/** An object that stands in a text, and its own characters. */
export type FoundObject = { readonly value: { readonly [key: string]: Json }; readonly source: string }

const mostDepth = 64
const mostObjects = 100

/**
 * The JSON objects in a reply, with whatever prose and fences stand around them; undefined where one is not exactly JSON. What begins like an
 * object (`{"key":`) and then breaks off, repeats a key or nests too deep spoils the whole: nothing inside it may speak in its place. So each
 * character is read once, however hostile the reply.
 */
export function objectsIn(text: string): readonly FoundObject[] | undefined {
  const found: FoundObject[] = []
  for (let at = text.indexOf('{'); at >= 0; at = text.indexOf('{', at)) {
    if (!beginsObject(text, at)) {
      at += 1
      continue
    }
    const end = endOfObject(text, at)
    if (end === undefined) return undefined
    const source = text.slice(at, end)
    const value = parsed(source)
    if (value === undefined || found.length === mostObjects) return undefined
    found.push({ value, source })
    at = end
  }
  return found
}

function beginsObject(text: string, at: number): boolean {
  const key = skipBlanks(text, at + 1)
  if (text[key] !== '"') return false
  return text[skipBlanks(text, endOfString(text, key))] === ':'
}

/** Behind the brace that closes it. undefined: there is none, it nests too deep, or a key comes twice and nobody knows which one is meant. */
function endOfObject(text: string, start: number): number | undefined {
  const open: Set<string>[] = []
  for (let at = start; at < text.length; at++) {
    const character = text[at]!
    if (character === '{' || character === '[') {
      if (open.push(new Set()) > mostDepth) return undefined
    } else if (character === '}' || character === ']') {
      open.pop()
      if (open.length === 0) return at + 1
    } else if (character === '"') {
      const end = endOfString(text, at)
      if (text[skipBlanks(text, end)] === ':' && !isNew(text.slice(at, end), open.at(-1)!)) return undefined
      at = end - 1
    }
  }
  return undefined
}

function isNew(quoted: string, keys: Set<string>): boolean {
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

/** Behind the closing quote, or the end of the text. */
function endOfString(text: string, quote: number): number {
  let at = quote + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return Math.min(at + 1, text.length)
}

function skipBlanks(text: string, from: number): number {
  let at = from
  while (at < text.length && ' \n\r\t'.includes(text[at]!)) at += 1
  return at
}

function parsed(source: string): FoundObject['value'] | undefined {
  try {
    return JSON.parse(source) as FoundObject['value']
  } catch {
    return undefined
  }
}
