import type { Granularity } from '../../../contract/plan.ts'

/**
 * The kind of a line. Besides the granularities of stories: `check` is a checkbox without an id outside a task section;
 * `aside` is a constraint or metric, which is not work by itself; `detail` and `prose` describe the line above them, as
 * a list item or a paragraph.
 */
export type Kind = Granularity | 'check' | 'aside' | 'detail' | 'prose'

/** The first kind found in a PRD becomes its stories. */
export const ladder = ['task', 'user-story', 'requirement', 'criterion', 'check', 'phase', 'aside'] as const

/** An id in a PRD. `shown` is its spelling there; `key` is the same for AC-1, AC-01 and ac1. */
export type Id = {
  readonly shown: string
  readonly key: string
  readonly prefix: string
  readonly numbers: readonly number[]
  readonly rest: string
}

// Repetitions are bounded and tried only at the start of a word, which keeps the time linear.
const start = '(?<![A-Za-z0-9_.-])'
const code = /([A-Za-z]{1,16}(?:-[A-Za-z]{1,16}){0,2})[-_]?(\d{1,9}(?:[.-]\d{1,9}){0,4})([a-z]?)(?![A-Za-z0-9_])/
const words =
  /(task|user story|story|requirement|feature|epic|phase|milestone|stage|sprint|scenario|acceptance criterion|criterion) {1,3}#?(\d{1,9}(?:\.\d{1,9}){0,4})(?![A-Za-z0-9_]|\.\d)/
const bare = /(\d{1,9}(?:\.\d{1,9}){0,4})(?![A-Za-z0-9_]|\.\d)/

const ids = `(?:${words.source}|${code.source})`
const idsAndNumbers = `(?:${words.source}|${code.source}|${bare.source})`
const anyId = new RegExp(start + ids, 'gi')
const anyIdOrNumber = new RegExp(start + idsAndNumbers, 'gi')
const idHere = new RegExp(ids, 'iy')
const idOrNumberHere = new RegExp(idsAndNumbers, 'iy')

export type FoundId = { readonly id: Id; readonly at: number; readonly end: number }

/** Finds all ids in a text, in order. Bare numbers count only if `numbers` is set. */
export function findIds(text: string, numbers = false): FoundId[] {
  if (!/\d/.test(text)) return []
  const found: FoundId[] = []
  for (const match of text.matchAll(numbers ? anyIdOrNumber : anyId)) found.push(toFoundId(match))
  return found
}

export function idAt(text: string, at: number, numbers = false): FoundId | undefined {
  const pattern = numbers ? idOrNumberHere : idHere
  pattern.lastIndex = at
  const match = pattern.exec(text)
  return match ? toFoundId(match) : undefined
}

const onlyMarks =
  /^(?:[\s,;:&+/|()[\]*_`.✓✔✅☑❌→⇒➜⟶↔>=<–—-]|\b(?:and|or|to|x|yes|no|full|partial|done|n\/a)\b){0,400}$/i

/** Whether the text has ids and ticks, and nothing else. */
export function isOnlyIds(text: string, numbers = false): boolean {
  let left = ''
  let at = 0
  for (const { at: from, end } of findIds(text, numbers)) {
    left += text.slice(at, from)
    at = end
  }
  return onlyMarks.test(left + text.slice(at))
}

export const parseId = (text: string): Id | undefined => {
  const found = idAt(text, 0, true)
  return found && found.end === text.length ? found.id : undefined
}

/** Any text is an id in JSON. It has no order of its own. */
export const textId = (text: string): Id =>
  parseId(text) ?? { shown: text, key: `"${text}`, prefix: `"${text}`, numbers: [], rest: '' }

export const numberId = (text: string): Id => createId(text, '', text, '')

function toFoundId(match: RegExpExecArray): FoundId {
  const [shown, word, wordNumber, prefix, number, rest, bareNumber] = match
  const id = createId(shown, word ?? prefix ?? '', wordNumber ?? number ?? bareNumber!, rest ?? '')
  return { id, at: match.index, end: match.index + shown.length }
}

function createId(shown: string, prefix: string, number: string, rest: string): Id {
  const upper = prefix.toUpperCase()
  const numbers = number.split(/[.-]/).map(Number)
  const small = rest.toLowerCase()
  return { shown, key: `${upper}:${numbers.join('.')}${small}`, prefix: upper, numbers, rest: small }
}

/** Compares prefix, numbers, then suffix, by code units and so independently of the locale. */
export function compareIds(a: Id, b: Id): number {
  return compareText(a.prefix, b.prefix) || compareNumbers(a.numbers, b.numbers) || compareText(a.rest, b.rest)
}

export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function compareNumbers(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    if (a[i] !== b[i]) return a[i]! - b[i]!
  }
  return a.length - b.length
}

/** Prefixes with the same meaning: `Task 1` is T-1 unless both exist. */
const families: readonly (readonly [Kind, readonly string[]])[] = [
  ['task', ['T', 'TASK', 'TSK']],
  ['user-story', ['US', 'STORY', 'USER STORY', 'S']],
  ['requirement', ['FR', 'REQ', 'R', 'RQ', 'REQUIREMENT', 'FEATURE', 'F']],
  ['criterion', ['AC', 'CRITERION', 'ACCEPTANCE CRITERION', 'SCENARIO']],
  ['phase', ['PHASE', 'EPIC', 'MILESTONE', 'STAGE', 'SPRINT', 'M']],
  ['aside', ['NFR', 'SC', 'CON', 'QR']],
]
const kindByPrefix = new Map(families.flatMap(([kind, prefixes]) => prefixes.map((prefix) => [prefix, kind] as const)))

/** Derives the kind from the prefix: US-1 is a user story anywhere. FR-AUTH-1 counts as FR. */
export const findKind = ({ prefix }: Id): Kind | undefined =>
  kindByPrefix.get(prefix) ?? kindByPrefix.get(prefix.split('-', 1)[0]!)

/** Returns the keys an id may be known by. Single letters are too ambiguous: S3 and R2 are also services. */
export function keysLike({ prefix, key }: Id): string[] {
  const number = key.slice(prefix.length)
  const family = prefix === '' ? undefined : kindByPrefix.get(prefix)
  if (prefix !== '' && !isDistinctive(prefix)) return [key]
  const alike = families.flatMap(([kind, prefixes]) =>
    kind === family || (prefix === '' && kind !== 'aside' && kind !== 'phase') ? prefixes.filter(isDistinctive) : [],
  )
  return [
    key,
    ...alike.filter((one) => one !== prefix).map((one) => one + number),
    ...(prefix === 'TASK' || prefix === 'REQUIREMENT' ? [number] : []),
  ]
}

/** Whether the prefix says what it is, even where nobody expects an id. R1 may be a risk, a reference or a requirement. */
export const isDistinctive = (prefix: string): boolean => prefix.length > 1 || prefix === 'T'
