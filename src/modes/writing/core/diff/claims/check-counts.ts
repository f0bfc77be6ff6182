import type { Clause, Subject } from './clauses.ts'
import type { Known } from './known.ts'
import { addVerbs, contrastWords, countedNouns, fillers, newWords, predicates, removeVerbs } from './lexicon.ts'
import { hasWord, stemWord, wordPattern } from './match.ts'
import { type FoundNumber, findNumbers, formatMeasure, isReference, type Numbers } from './numbers.ts'
import { hasItems, type Part } from './parts.ts'
import type { Finding, Statement } from './statement.ts'
import { countLike, listCounts } from './tally.ts'

/** Checks the numbers of a statement: how much was added or removed, how many there are of something, and what the text says. */
export function checkCounts(statement: Statement, known: Known): readonly Finding[] {
  return statement.clauses.flatMap((clause) => {
    const numbers = findNumbers(clause.text).slice(0, mostNumbers)
    const counts = numbers.flatMap((number) => readCount(clause, number, known) ?? [])
    const articles = readArticles(clause)
    const reversed = checkDirection(clause, statement)
    const wrong = [
      ...[...counts, ...articles].flatMap((count) => checkCount(count, statement) ?? []),
      ...(reversed ? [reversed] : []),
    ]
    if (wrong.length > 0 || !texts.has(statement.field)) return wrong
    const checked = new Set(
      counts
        .filter(({ predicate, parts, noun }) => predicate !== undefined || parts || noun === 'word')
        .map(({ at }) => at),
    )
    return numbers.flatMap((number) =>
      checked.has(number.at) ? [] : (checkMention(clause, number, statement, known) ?? []),
    )
  })
}

/** No honest clause has more. */
const mostNumbers = 12

/** Fields that tell what is in the texts. The others also speak about things around them. */
const texts: ReadonlySet<string> = new Set(['title', 'summary', 'before', 'after'])

/** A number of something: `three new scenes`, `two requirements are added`, `five themes`. */
type Count = {
  readonly number: number
  readonly at: number
  readonly noun: keyof typeof countedNouns | 'other'
  /** The list that the noun names. */
  readonly parts: readonly Part[] | undefined
  readonly predicate: 'added' | 'removed' | 'new' | undefined
}

const adjectives = '(?<adjectives>(?:\\s+[\\p{L}-]+){0,3}?)'
const nounOrMark = '(?:⟦(?<mark>\\d+)⟧|(?<noun>[\\p{L}-]+))'

function readCount(clause: Clause, number: FoundNumber, known: Known): Count | undefined {
  const { text, subjects } = clause
  if (number.isPercent || number.measure !== undefined || isReference(text, number)) return undefined
  const rest = text.slice(number.end)
  const before = text.slice(0, number.at)
  // The noun is the first word that can be counted, or else the next word.
  for (const found of [
    rest.match(
      new RegExp(`^${adjectives}\\s+(?:⟦(?<mark>\\d+)⟧|(?<noun>${known.countable()}))(?![\\p{L}\\p{N}])`, 'iu'),
    ),
    rest.match(new RegExp(`^${adjectives}\\s+${nounOrMark}`, 'iu')),
  ]) {
    if (!found) continue
    const { adjectives: words = '', mark, noun } = found.groups!
    const parts = mark === undefined ? findCollection(noun!, known) : readItems(subjects[Number(mark)]!)
    const after = rest.slice(found[0].length)
    return {
      number: number.value,
      at: number.at,
      noun: readNoun(noun),
      parts,
      predicate: readPredicate(words, before, after),
    }
  }
  return undefined
}

/** `events` may mean the list called "Key Events". */
function findCollection(noun: string, known: Known): readonly Part[] | undefined {
  const parts = known.parts.filter(
    (part) => hasItems(part) && stemWord(part.name.split(' ').at(-1)!) === stemWord(noun),
  )
  return parts.length > 0 ? parts : undefined
}

function readItems(subject: Subject): readonly Part[] | undefined {
  const parts = subject.kind === 'parts' ? subject.parts.filter(hasItems) : []
  return parts.length > 0 ? parts : undefined
}

function readNoun(noun: string | undefined): Count['noun'] {
  const names = Object.keys(countedNouns) as (keyof typeof countedNouns)[]
  return names.find((name) => new RegExp(`^(?:${countedNouns[name]})$`, 'iu').test(noun ?? '')) ?? 'other'
}

function readPredicate(adjective: string, before: string, after: string): Count['predicate'] {
  const said = (words: string): boolean =>
    new RegExp(`^(?:\\s+(?:${fillers}))*\\s+(?:${words})(?![\\p{L}])`, 'iu').test(after)
  const done = (words: string): boolean => new RegExp(`${wordPattern(words)}\\s+(?:the\\s+)?$`, 'iu').test(before)
  if (said(predicates.removed) || done(removeVerbs)) return 'removed'
  if (said(predicates.added) || done(addVerbs)) return 'added'
  return hasWord(adjective, newWords) ? 'new' : undefined
}

/** `a new section`, `a section on privacy is added`. */
function readArticles({ text }: Clause): readonly Count[] {
  const pattern = `${wordPattern('a|an|one|another|ein|eine|einen')}(?<adjectives>(?:\\s+[\\p{L}-]+){0,2}?)\\s+(?<noun>${countedNouns.heading})(?![\\p{L}])(?<about>\\s+(?:on|about|for|über|zu)\\s+[\\p{L}-]+)?`
  return [...text.matchAll(new RegExp(pattern, 'giu'))].flatMap((found) => {
    const after = text.slice(found.index + found[0].length)
    const predicate = readPredicate(found.groups!.adjectives!, text.slice(0, found.index), after)
    return predicate === undefined
      ? []
      : [{ number: 1, at: found.index, noun: 'heading' as const, parts: undefined, predicate }]
  })
}

function checkCount({ number, noun, parts, predicate }: Count, statement: Statement): Finding | undefined {
  const wrong = (truth: number | string): Finding => ({
    code: 'count-differs',
    says: `it says ${number}; there are ${truth}`,
  })
  // A target of 90,000 words is something that the text says, and no count of its words.
  const isSaid = statement.units.some(({ read: { before, after } }) =>
    [before, after].some((side) => side.numbers().values.has(number)),
  )
  if (noun === 'word') return isSaid || isNear(number, statement) ? undefined : wrong('other numbers of words')
  const tally = countLike(parts ? 'item' : noun, statement)
  if (parts && predicate === undefined) {
    const sizes = parts.flatMap(({ items: { before, after } }) => [
      before.length,
      after.length,
      countNew(before, after),
      countNew(after, before),
    ])
    return sizes.includes(number) ? undefined : wrong([...new Set(sizes)].join(' or '))
  }
  if (predicate === undefined)
    return noun === 'heading' && tally.all.length > 0 && !tally.all.includes(number)
      ? wrong(tally.all.join(' or '))
      : undefined
  if (tally.most === undefined) return undefined
  const most = predicate === 'removed' ? tally.most.removed : tally.most.added
  if (number > most) return wrong(most)
  const { change, hunks } = statement
  const growth = hunks.reduce((sum, hunk) => sum + hunk.words_after - hunk.words_before, 0)
  const isShrunk =
    change !== null && number > 1 && predicate !== 'removed' && noun !== 'other' && noun !== 'sentence' && growth < 0
  return isShrunk
    ? { code: 'direction-differs', says: `it says that ${number} were added; the text lost ${-growth} words` }
    : undefined
}

/** Numbers of words are estimates. A few words are not counted: a hunk has whole sentences. */
const fewWords = 10
const tolerance = 0.3

function isNear(number: number, { hunks, units }: Statement): boolean {
  const sum = (list: readonly { words_before: number; words_after: number }[]): readonly number[] => {
    const before = list.reduce((total, one) => total + one.words_before, 0)
    const after = list.reduce((total, one) => total + one.words_after, 0)
    return [before, after, Math.abs(after - before)]
  }
  const sizes = [...sum(hunks), ...sum(units), ...units.flatMap((unit) => sum([unit]))]
  return number < fewWords || sizes.some((size) => Math.abs(size - number) <= tolerance * number)
}

const countNew = (old: readonly string[], young: readonly string[]): number =>
  young.filter((item) => !old.includes(item)).length

/** Checks a number that is not a count of changes: the text has to mention it. */
function checkMention(clause: Clause, number: FoundNumber, statement: Statement, known: Known): Finding | undefined {
  if (number.isPercent || number.value < 2 || isReference(clause.text, number)) return undefined
  const isContrast = hasWord(clause.text, contrastWords)
  const sides = statement.units.flatMap(({ read: { before, after } }) => [
    ...(statement.field === 'after' && !isContrast ? [] : [before.numbers()]),
    ...(statement.field === 'before' && !isContrast ? [] : [after.numbers()]),
  ])
  const isThere = sides.some((side) => hasNumber(side, number))
  if (isThere || (!number.measure && listCounts(statement, known).has(number.value))) return undefined
  if (isDifference(number.value, statement)) return undefined
  return { code: 'fact-not-found', says: `the text does not say ${clause.text.slice(number.at, number.end)}` }
}

/** `three years longer`: the difference or the sum of numbers in the changed passages. */
function isDifference(value: number, { hunks }: Statement): boolean {
  const read = (text: string): readonly number[] =>
    findNumbers(text)
      .slice(0, mostRead)
      .map((found) => found.value)
  return hunks.some(({ before, after }) => {
    const [old, young] = [read(before.text), read(after.text)]
    return old.some((one) => young.some((other) => Math.abs(other - one) === value || one + other === value))
  })
}

const mostRead = 30

/** A measure must be there as a measure, unless the text leaves it out: `61, a teacher`. */
const hasNumber = ({ values, bare, measures }: Numbers, { value, measure }: FoundNumber): boolean =>
  measure ? measures.has(formatMeasure(measure)) || bare.has(value) : values.has(value)

/** Finds `from 1 second to 2 seconds` where it is the other way round. */
function checkDirection(clause: Clause, { units }: Statement): Finding | undefined {
  const numbers = findNumbers(clause.text)
  const at = numbers.findIndex((number, index) => {
    const next = numbers[index + 1]
    if (!next || !/(?:from|von)\s+(?:\p{L}+\s+)?$/iu.test(clause.text.slice(0, number.at))) return false
    return /^\s*\p{L}*\s*(?:to|auf|zu)\s+(?:\p{L}+\s+)?$/iu.test(clause.text.slice(number.end, next.at))
  })
  if (at < 0) return undefined
  const [from, to] = [numbers[at]!, numbers[at + 1]!]
  const has = (side: 'before' | 'after', number: FoundNumber): boolean =>
    units.some(({ read }) => hasNumber(read[side].numbers(), number))
  const isReversed = !has('before', from) && has('after', from) && has('before', to) && !has('after', to)
  return isReversed ? { code: 'direction-differs', says: 'it is the other way round' } : undefined
}
