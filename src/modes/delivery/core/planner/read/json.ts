import { visitJson } from '../../json-syntax.ts'
import { PlanRefused } from './item.ts'

/** A JSON value with its line number. Objects are maps, so that keys such as `__proto__` are harmless. */
export type Json = {
  readonly line: number
  readonly value: null | boolean | number | string | Json[] | Map<string, Json>
}

const maxDepth = 100

/** Parses JSON and records the line of each value. */
export function parseJson(text: string): Json {
  // The list is there to hold the outermost value.
  const holders: (Json[] | Map<string, Json>)[] = [[]]
  let key = ''
  const add = (value: Json['value'], line: number): void => {
    const holder = holders.at(-1)!
    if (holder instanceof Map) holder.set(key, { line: line + 1, value })
    else holder.push({ line: line + 1, value })
  }
  const open = (holder: Json[] | Map<string, Json>, line: number): void => {
    add(holder, line)
    holders.push(holder)
  }
  const close = (): void => void holders.pop()
  const problem = visitJson(text, maxDepth, {
    onObjectBegin: (_offset, _length, line) => open(new Map(), line),
    onArrayBegin: (_offset, _length, line) => open([], line),
    onObjectProperty: (name) => {
      key = name
    },
    onLiteralValue: (value, _offset, _length, line) => add(value as Json['value'], line),
    onObjectEnd: close,
    onArrayEnd: close,
  })
  if (problem) {
    const { what, line, column, allowed } = problem
    const message = `${what}: line ${line}, column ${column}: expected ${allowed}`
    throw new PlanRefused({ code: 'unreadable-json', message, line })
  }
  return (holders[0] as Json[])[0]!
}
