import type { Known, KnownUnit } from './known.ts'
import { allWords, articles, countedNouns, newWords, otherWords, possibilities } from './lexicon.ts'
import { escapePattern, hasWord, wordPattern } from './match.ts'
import { findNumbers, readCardinal, readOrdinal } from './numbers.ts'
import type { Part } from './parts.ts'

/** Something that a sentence speaks about. */
export type Subject =
  | { readonly kind: 'units'; readonly units: readonly KnownUnit[]; readonly missing: readonly string[] }
  | { readonly kind: 'parts'; readonly parts: readonly Part[] }
  /** "All chapters", "four of nine files", "no chapter", "two new chapters". `units` are all of that noun. */
  | {
      readonly kind: 'quantity'
      readonly units: readonly KnownUnit[]
      readonly count: number | 'all' | 'none'
      readonly isNew: boolean
    }

/** A part of a sentence. In `text`, each subject is replaced by a mark such as `⟦0⟧`. */
export type Clause = { readonly said: string; readonly text: string; readonly subjects: readonly Subject[] }

/** Longer texts are checked up to here. */
const mostCharacters = 4000

/** Splits what a model says into clauses about what is. Clauses about what could be are left out. */
export function splitClauses(said: string, known: Known, scope: readonly KnownUnit[]): readonly Clause[] {
  return said
    .slice(0, mostCharacters)
    .replace(/[⟦⟧]/g, ' ')
    .split(
      /(?<=[.;!?])\s+|\n+|;\s|,?\s+(?:but|although|though|whereas|while|because|aber|obwohl|während|weil|sondern)\s+/iu,
    )
    .map((text) => text.trim())
    .filter((text) => text !== '' && !hasWord(text, possibilities))
    .map((text) => markSubjects(text, known, scope))
}

function markSubjects(said: string, known: Known, scope: readonly KnownUnit[]): Clause {
  const subjects: Subject[] = []
  const mark = (subject: Subject | undefined, source: string): string => {
    if (subject === undefined) return source
    subjects.push(subject)
    return `⟦${subjects.length - 1}⟧`
  }
  const nouns = [...new Set(known.units.filter(({ number }) => number !== undefined).map(({ noun }) => noun))]
  const counted = [...nouns.map((noun) => `${escapePattern(noun)}(?:s|n)?`), countedNouns.file].join('|')
  let text = nouns.reduce((spelled, noun) => spellNumbers(spelled, noun, known), said)
  for (const noun of nouns)
    text = text.replace(new RegExp(referencePattern(noun), 'giu'), (source) =>
      mark(findUnits(source, noun, known), source),
    )
  text = text.replace(new RegExp(quantityPattern(counted), 'giu'), (source, ...groups: unknown[]) =>
    mark(readQuantity(groups.at(-1) as Groups, known), source),
  )
  for (const [name, subject] of listNames(known, scope, text.toLowerCase())) {
    const pattern = `(?:(?:${articles})\\s+)?${wordPattern(escapePattern(name))}`
    text = text.replace(new RegExp(pattern, 'giu'), (source) => mark(subject, source))
  }
  return joinSubjects({ said, text, subjects }, known)
}

/** Writes `chapter three`, `the third chapter` and `the last chapter` as `chapter 3`. */
function spellNumbers(text: string, noun: string, { units }: Known): string {
  const name = escapePattern(noun)
  const last = Math.max(...units.filter((unit) => unit.noun === noun).map(({ number }) => number!))
  return text
    .replace(
      new RegExp(`(?<![\\p{L}\\p{N}])(${name})\\s+(\\p{L}+)(?![\\p{L}\\p{N}])`, 'giu'),
      (source, word: string, number: string) => {
        const value = readCardinal(number)
        return value === undefined ? source : `${word} ${value}`
      },
    )
    .replace(
      new RegExp(`(?<![\\p{L}\\p{N}])(?:(?:${articles})\\s+)?(\\p{L}+)\\s+(${name})(?!\\s+\\d|[\\p{L}\\p{N}])`, 'giu'),
      (source, order: string, word: string) => {
        const value = /^(?:last|final|letzte[ns]?)$/iu.test(order) ? last : readOrdinal(order)
        return value === undefined ? source : `${word} ${value}`
      },
    )
}

const numberList = '\\d+(?:\\s*(?:-|–|to|bis|through)\\s*\\d+)?'
const comma = '(?:\\s*,\\s*(?:and\\s+|und\\s+|or\\s+)?|\\s+(?:and|und|or|oder|nor|noch|&)\\s+)'

/** `chapter 3`, `chapters 2, 4 and 8-15`. */
const referencePattern = (noun: string): string =>
  `(?<![\\p{L}\\p{N}])${escapePattern(noun)}(?:s|n)?\\s+${numberList}(?:${comma}${numberList}(?!\\s*(?:%|\\p{L}*\\s*(?:words|files)))(?![\\p{L}\\p{N}]))*(?![\\p{L}\\p{N}])`

function findUnits(source: string, noun: string, known: Known): Subject | undefined {
  const own = known.units.filter((unit) => unit.noun === noun)
  const numbers = [...source.matchAll(/(\d+)(?:\s*(?:-|–|to|bis|through)\s*(\d+))?/giu)].flatMap(([, from, to]) =>
    Array.from(
      { length: Math.min(1000, Math.max(1, Number(to ?? from) - Number(from) + 1)) },
      (_, at) => Number(from) + at,
    ),
  )
  const units = own.filter(({ number }) => numbers.includes(number!))
  const missing = numbers
    .filter((number) => !own.some((unit) => unit.number === number))
    .map((number) => `${noun} ${number}`)
  return { kind: 'units', units, missing }
}

type Groups = Readonly<Record<'all' | 'none' | 'count' | 'fresh' | 'noun', string | undefined>>

/** `all nine files`, `four of the nine files`, `no chapter`, `two new chapters`. */
const quantityPattern = (nouns: string): string => {
  const count = `(?!(?:${otherWords})\\s)(?:\\d+|\\p{L}+)`
  return [
    `(?<![\\p{L}\\p{N}])(?:`,
    `(?<all>${allWords})(?:\\s+(?:of\\s+)?(?:the|der|die))?(?:\\s+${count})?`,
    `|(?<none>no|keine?|none of the)`,
    `|(?<count>${count})(?:\\s+(?:of|out of|von|der)(?:\\s+(?:the|den|all))?\\s+${count})?(?:\\s+(?<fresh>${newWords}))?`,
    `)\\s+(?<noun>${nouns})(?![\\p{L}\\p{N}])`,
  ].join('')
}

function readQuantity({ all, none, count, fresh, noun }: Groups, known: Known): Subject | undefined {
  const isFile = new RegExp(`^(?:${countedNouns.file})$`, 'iu').test(noun!)
  const units = isFile ? known.units : known.units.filter((unit) => unit.number !== undefined)
  if (all !== undefined) return { kind: 'quantity', units, count: 'all', isNew: false }
  if (none !== undefined) return { kind: 'quantity', units, count: 'none', isNew: false }
  const number = /^(?:both|beide)$/iu.test(count!) ? 2 : findNumbers(count!)[0]?.value
  return number === undefined ? undefined : { kind: 'quantity', units, count: number, isNew: fresh !== undefined }
}

/** The longest name of a part that a sentence would use. */
const mostWords = 5

/** Names in the text of units without a number and of parts, longest first. Parts of the scope hide those of other units. */
function listNames(known: Known, scope: readonly KnownUnit[], text: string): readonly (readonly [string, Subject])[] {
  const leads = known.units.filter(({ number, kind }) => number === undefined && kind === 'lead')
  const own = known.parts.filter(({ unit }) => scope.some(({ id }) => id === unit))
  const names = new Map<string, Part[]>()
  for (const part of own.length > 0 ? own : known.parts) {
    if (part.name.length < 2 || part.name.split(' ').length > mostWords || !text.includes(part.name)) continue
    names.set(part.name, [...(names.get(part.name) ?? []), part])
  }
  for (const { noun } of leads) names.delete(noun)
  const subjects: readonly (readonly [string, Subject])[] = [
    ...leads.map((unit) => [unit.noun, { kind: 'units', units: [unit], missing: [] }] as const),
    ...[...names].map(([name, parts]) => [name, { kind: 'parts', parts }] as const),
  ]
  return subjects.toSorted(([one], [other]) => other.length - one.length)
}

const listed = new RegExp(`⟦(\\d+)⟧(?:${comma})(?:in\\s+|to\\s+|an\\s+)?⟦(\\d+)⟧`, 'u')
const partOf = /⟦(\d+)⟧\s+(?:of|in|from|von|aus|in)\s+⟦(\d+)⟧/iu

/** `⟦0⟧, ⟦1⟧ and ⟦2⟧` becomes one subject. So does `the hook of chapter 5`. */
function joinSubjects(clause: Clause, known: Known): Clause {
  const subjects = [...clause.subjects]
  let { text } = clause
  for (let left = subjects.length; left > 0; left--) {
    const found = listed.exec(text) ?? partOf.exec(text)
    if (!found) break
    const [one, other] = [subjects[Number(found[1])]!, subjects[Number(found[2])]!]
    const joined = listed.test(found[0]) ? joinTwo(one, other) : narrow(one, other, known)
    subjects.push(joined)
    text = text.replace(found[0], `⟦${subjects.length - 1}⟧`)
  }
  return { ...clause, text, subjects }
}

/** Of different kinds, the last stands nearest to what is said. */
function joinTwo(one: Subject, other: Subject): Subject {
  if (one.kind === 'units' && other.kind === 'units')
    return { kind: 'units', units: [...one.units, ...other.units], missing: [...one.missing, ...other.missing] }
  if (one.kind === 'parts' && other.kind === 'parts') return { kind: 'parts', parts: [...one.parts, ...other.parts] }
  return other
}

/** The parts of that name in these units. */
function narrow(one: Subject, other: Subject, known: Known): Subject {
  if (one.kind !== 'parts' || other.kind !== 'units') return one
  const names = new Set(one.parts.map(({ name }) => name))
  return {
    kind: 'parts',
    parts: known.parts.filter(({ name, unit }) => names.has(name) && other.units.some(({ id }) => id === unit)),
  }
}
