import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readPlan } from '../../../../src/modes/delivery/start/execute.ts'
import { findJsonProblem } from '../../../../src/modes/delivery/start/input/parse-contract.ts'
import { parseRunInput } from '../../../../src/modes/delivery/start/input/read-input.ts'
import { fileWith, goodInput, goodPlan, refusalOf } from './contract-files.ts'

const oddValue = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom('', ' ', '\0', '\ud800', '\u202e', '..', '/', -0, 0, -1, 2 ** 53, 1e308, null, [], {}, [[]]),
  fc.string({ unit: 'binary', maxLength: 50 }),
)
const oddKey = fc.oneof(
  fc.constantFrom('toString', 'constructor', '__proto__', 'hasOwnProperty', 'limits', 'id', 'allow', 'wait_minutes'),
  fc.string({ unit: 'binary', maxLength: 20 }),
)
const oddText = fc.oneof(
  fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '\\',
    '\\u',
    '//',
    '\0',
    '\ufeff',
    '\r\n',
    '1e309',
    '-',
    '0x',
    '\u2028',
  ),
  fc.string({ unit: 'binary', maxLength: 10 }),
)

type Change = { readonly at: number; readonly value: unknown; readonly key: string; readonly kind: number }
const change = fc.record({ at: fc.nat(), value: oddValue, key: oddKey, kind: fc.nat(2) })
const cut = fc.record({ from: fc.nat(), length: fc.nat(40), put: oddText })

/** Every object and list in a value, outermost first. */
function holdersIn(value: unknown): Record<string, unknown>[] {
  if (value === null || typeof value !== 'object') return []
  return [value as Record<string, unknown>, ...Object.values(value).flatMap(holdersIn)]
}

/** Replaces, adds or takes away something somewhere. */
function changed(good: object, changes: readonly Change[]): object {
  const copy = structuredClone(good)
  for (const { at, value: given, key, kind } of changes) {
    const value: unknown = structuredClone(given)
    const holders = holdersIn(copy)
    const holder = holders[at % holders.length]!
    const keys = Object.keys(holder)
    const there = keys[at % Math.max(1, keys.length)]
    if (kind < 2 && Array.isArray(holder)) holder.push(value)
    else if (kind === 0 || there === undefined)
      Object.defineProperty(holder, key, { value, enumerable: true, writable: true, configurable: true })
    else if (kind === 1 || Array.isArray(holder)) holder[there] = value
    else delete holder[there]
  }
  return copy
}

const cutText = (text: string, { from, length, put }: { from: number; length: number; put: string }): string => {
  const start = from % text.length
  return text.slice(0, start) + put + text.slice(start + length)
}

/** Read, or refused as it must be. */
function settles(action: () => unknown): void {
  try {
    action()
  } catch (error) {
    refusalOf(() => {
      throw error
    })
  }
}

test('a run input with anything changed in it is read or refused in one line', () => {
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) =>
      settles(() => parseRunInput(JSON.stringify(changed(goodInput, changes)), 'in.json')),
    ),
    { numRuns: 3000 },
  )
})

test('a plan with anything changed in it is read or refused in one line', () => {
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) =>
      settles(() => readPlan(fileWith(JSON.stringify(changed(goodPlan, changes))))),
    ),
    { numRuns: 300 },
  )
})

test('a run input with pieces of its text replaced is read or refused in one line', () => {
  const text = JSON.stringify(goodInput, null, 1)
  fc.assert(
    fc.property(cut, (piece) => settles(() => parseRunInput(cutText(text, piece), 'in.json'))),
    { numRuns: 3000 },
  )
})

test('the scanner takes for JSON what JSON.parse does, and nothing else', () => {
  const texts = fc.oneof(
    fc.json(),
    fc.tuple(fc.json(), cut).map(([text, piece]) => cutText(text, piece)),
    fc.array(oddText, { maxLength: 12 }).map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(texts, (text) => {
      const problem = findJsonProblem(text)
      if (problem === undefined) expect(isJson(text)).toBe(true)
      if (isJson(text)) expect(problem?.what).not.toBe('not JSON')
    }),
    { numRuns: 5000 },
  )
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
