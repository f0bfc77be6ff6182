export type Json = Readonly<Record<string, unknown>>

/** JSON as configuration files have it, with comments and commas at the end. undefined: no object can be read. */
export function readJson(text: string | undefined): Json | undefined {
  if (text === undefined) return undefined
  try {
    return objectOf(JSON.parse(text.replace(/^\uFEFF/, '').replace(outside, (part) => (part[0] === '"' ? part : ''))))
  } catch {
    return undefined
  }
}

// Each alternative ends somewhere even when nothing closes it, so that no text takes long.
const outside = /"(?:[^"\\\n]|\\.)*"?|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|,(?=\s*[}\]])/g

export const objectOf = (value: unknown): Json | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/** The keys whose values differ, those that are only on one side included. */
export function changedKeys(before: Json = {}, after: Json = {}): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (key) => textOf(before[key]) !== textOf(after[key]),
  )
}
