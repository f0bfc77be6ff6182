import type { Granularity } from '../../../contract/plan.ts'

/**
 * What a line is. Besides what may become stories: a `check` is a box to tick without id or section of tasks; an `aside` is
 * asked for but is no work of its own, such as a constraint or a goal to measure; a `detail` says more about the line it
 * stands below, `prose` does so in a paragraph.
 */
export type Kind = Granularity | 'check' | 'aside' | 'detail' | 'prose'

/** The first of these that a PRD has becomes its stories. */
export const ladder = ['task', 'user-story', 'requirement', 'criterion', 'check', 'phase', 'aside'] as const

/** An id as a PRD writes it. `key` is the same for AC-1, AC-01 and ac1. */
export type Id = {
  readonly shown: string
  readonly key: string
  readonly prefix: string
  readonly numbers: readonly number[]
  readonly rest: string
}

// Every repetition is bounded and only tried at the start of a word, so that no text takes long.
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

/** Every id in a text, in order. Numbers alone are ids only where the format says so. */
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

export const parseId = (text: string): Id | undefined => {
  const found = idAt(text, 0, true)
  return found && found.end === text.length ? found.id : undefined
}

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

/** By prefix, then number, then what follows; code units, so that no locale has a say. */
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

/** Prefixes that mean the same thing: `Task 1` is T-1 where there is no other. */
const families: readonly (readonly [Kind, readonly string[]])[] = [
  ['task', ['T', 'TASK', 'TSK']],
  ['user-story', ['US', 'STORY', 'USER STORY', 'S']],
  ['requirement', ['FR', 'REQ', 'R', 'RQ', 'REQUIREMENT', 'FEATURE', 'F']],
  ['criterion', ['AC', 'CRITERION', 'ACCEPTANCE CRITERION', 'SCENARIO']],
  ['phase', ['PHASE', 'EPIC', 'MILESTONE', 'STAGE', 'SPRINT', 'M']],
  ['aside', ['NFR', 'SC', 'CON', 'QR']],
]
const kindByPrefix = new Map(families.flatMap(([kind, prefixes]) => prefixes.map((prefix) => [prefix, kind] as const)))

/** What a prefix says about a line: US-1 is a user story wherever it stands. FR-AUTH-1 counts as FR. */
export const findKind = ({ prefix }: Id): Kind | undefined =>
  kindByPrefix.get(prefix) ?? kindByPrefix.get(prefix.split('-', 1)[0]!)

/** Other keys under which an id may be known. One letter says too little: S3 and R2 are services as well. */
export function keysLike({ prefix, key }: Id): string[] {
  const number = key.slice(prefix.length)
  const family = prefix === '' ? undefined : kindByPrefix.get(prefix)
  if (prefix !== '' && !speaks(prefix)) return [key]
  const alike = families.flatMap(([kind, prefixes]) =>
    kind === family || (prefix === '' && kind !== 'aside' && kind !== 'phase') ? prefixes.filter(speaks) : [],
  )
  return [
    key,
    ...alike.filter((one) => one !== prefix).map((one) => one + number),
    ...(prefix === 'TASK' || prefix === 'REQUIREMENT' ? [number] : []),
  ]
}

const speaks = (prefix: string): boolean => prefix.length > 1 || prefix === 'T'
