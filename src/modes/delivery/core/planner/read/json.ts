import { visitJson } from '../../json-syntax.ts'
import { PlanRefused } from './item.ts'

/** A JSON value with its place in the text. Objects are maps, so that keys such as `__proto__` are harmless. */
export type Json = {
  readonly line: number
  endLine: number
  readonly start: number
  end: number
  readonly value: null | boolean | number | string | Json[] | Map<string, Json>
}

const maxDepth = 100

/** Parses JSON and records the place of each value. */
export function parseJson(text: string): Json {
  // The list is there to hold the outermost value.
  const outer: Json = { line: 1, endLine: 1, start: 0, end: 0, value: [] }
  const holders = [outer]
  let key = ''
  const add = (value: Json['value'], start: number, length: number, line: number): Json => {
    const holder = holders.at(-1)!.value as Json[] | Map<string, Json>
    const json = { line: line + 1, endLine: line + 1, start, end: start + length, value }
    if (holder instanceof Map) holder.set(key, json)
    else holder.push(json)
    return json
  }
  const close = (offset: number, length: number, line: number): void => {
    const json = holders.pop()!
    json.end = offset + length
    json.endLine = line + 1
  }
  const problem = visitJson(text, maxDepth, {
    onObjectBegin: (offset, length, line) => void holders.push(add(new Map(), offset, length, line)),
    onArrayBegin: (offset, length, line) => void holders.push(add([], offset, length, line)),
    onObjectProperty: (name) => {
      key = name
    },
    onLiteralValue: (value, offset, length, line) => void add(value as Json['value'], offset, length, line),
    onObjectEnd: close,
    onArrayEnd: close,
  })
  if (problem) {
    const { what, line, column, allowed } = problem
    const message = `${what}: line ${line}, column ${column}: expected ${allowed}`
    throw new PlanRefused({ code: 'unreadable-json', message, line })
  }
  return (outer.value as Json[])[0]!
}
