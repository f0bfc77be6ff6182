import { collapseSpaces } from '../../../../../judging/scoring/text-similarity.ts'
import type { Hunk, SemanticDiff, Unit } from '../../../contract/semantic-diff.ts'
import { splitBlocks } from '../text/blocks.ts'
import { unifyLineEnds } from '../text/lines.ts'
import { splitSentences } from '../text/sentences.ts'
import { countedNouns } from './lexicon.ts'
import { escapePattern } from './match.ts'
import { listNumbers, type Numbers } from './numbers.ts'
import { hasItems, isItem, listParts, type Part } from './parts.ts'
import { countStems, listSpellings, makeSearchable, type Spellings, type WordCounts } from './words.ts'

/** What is read of one text, when it is first needed. */
export type Read = {
  readonly numbers: () => Numbers
  readonly stems: () => WordCounts
  readonly searchable: () => string
  /** For each line, and at the end, how many lines with words are above it. Headings do not count. */
  readonly filled: () => Uint32Array
  readonly sizes: () => { readonly headings: number; readonly items: number; readonly paragraphs: number }
}

/** A unit with its texts; a missing file is empty. */
export type KnownUnit = Unit & {
  readonly before: string
  readonly after: string
  readonly read: { readonly before: Read; readonly after: Read }
  readonly hunks: readonly Hunk[]
  /** `chapter` and 3 for the label "Chapter 3". */
  readonly noun: string
  readonly number: number | undefined
}

/** What is true about a diff, in the form in which claims are checked. */
export type Known = {
  readonly units: readonly KnownUnit[]
  readonly hunks: ReadonlyMap<string, Hunk>
  /** Named parts of all units: sections, fields, labelled lines. */
  readonly parts: readonly Part[]
  /** What the person asked for. Its words may be used. */
  readonly request: string
  readonly spellings: () => Spellings
  /** Nouns that a number of things may be said of: those of the lexicon, and the names of lists. */
  readonly countable: () => string
  /** The hunks whose new text has a sentence. */
  readonly sentences: () => ReadonlyMap<string, ReadonlySet<string>>
}

type Texts = ReadonlyMap<string, string>

export function collectKnown(
  computed: Pick<SemanticDiff, 'units' | 'hunks'>,
  before: Texts,
  after: Texts,
  request: string,
): Known {
  const units = computed.units.map((unit): KnownUnit => {
    const [, noun = '', number] = /^(.*?)\s*(\d+)?$/u.exec(unit.label) ?? []
    const old = unifyLineEnds(before.get(unit.from_path ?? unit.path) ?? '')
    const young = unifyLineEnds(after.get(unit.path) ?? '')
    return {
      ...unit,
      before: old,
      after: young,
      read: { before: readLater(old), after: readLater(young) },
      hunks: computed.hunks.filter((hunk) => hunk.unit === unit.id),
      noun: noun.toLowerCase(),
      number: number === undefined ? undefined : Number(number),
    }
  })
  const parts = units.flatMap((unit) => listParts(unit))
  return {
    units,
    hunks: new Map(computed.hunks.map((hunk) => [hunk.id, hunk])),
    parts,
    request,
    spellings: once(() => listSpellings(units.flatMap((unit) => [unit.before, unit.after]))),
    countable: once(() => listCountable(parts)),
    sentences: once(() => indexSentences(computed.hunks)),
  }
}

function listCountable(parts: readonly Part[]): string {
  const names = new Set(parts.filter(hasItems).map(({ name }) => escapePattern(name.split(' ').at(-1)!)))
  return [...Object.values(countedNouns), ...names].join('|')
}

function indexSentences(hunks: readonly Hunk[]): ReadonlyMap<string, ReadonlySet<string>> {
  const index = new Map<string, Set<string>>()
  for (const { id, after } of hunks)
    for (const sentence of listSentences(after.text)) index.set(sentence, (index.get(sentence) ?? new Set()).add(id))
  return index
}

/** Sentences without the marks of lists, headings and JSON around them. */
export const listSentences = (text: string): readonly string[] =>
  text
    .split('\n')
    .flatMap((line) => splitSentences(line, 0, line.length).map(({ from, to }) => line.slice(from, to)))
    .map((sentence) => collapseSpaces(sentence).replace(/^[-*+# "]+|[", ]+$/g, ''))

/** Reads nothing until it is asked for. */
export const readLater = (text: string): Read => ({
  numbers: once(() => listNumbers(text)),
  stems: once(() => countStems(text)),
  searchable: once(() => makeSearchable(text)),
  filled: once(() => {
    const lines = text.split('\n')
    const above = new Uint32Array(lines.length + 1)
    for (const [at, line] of lines.entries())
      above[at + 1] = above[at]! + (line.trim() !== '' && !line.startsWith('#') ? 1 : 0)
    return above
  }),
  sizes: once(() => {
    const blocks = splitBlocks(text, 'markdown')
    const count = (kind: string): number => blocks.filter((block) => block.kind === kind).length
    return { headings: count('heading'), items: blocks.filter(isItem).length, paragraphs: count('prose') }
  }),
})

/** Reading a novel takes time, and many statements ask for the same. */
function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** True if a reader would see a difference. */
export const isChanged = (unit: KnownUnit): boolean => unit.hunks.length > 0 || unit.status === 'renamed'

/** The share of a unit's words, old and new, that is in these hunks. Hunks that differ only in whitespace do not count. */
export function measureHunks(unit: Pick<Unit, 'words_before' | 'words_after'>, hunks: readonly Hunk[]): number {
  const total = unit.words_before + unit.words_after
  const changed = hunks
    .filter(({ before, after }) => collapseSpaces(before.text) !== collapseSpaces(after.text))
    .reduce((sum, hunk) => sum + hunk.words_before + hunk.words_after, 0)
  return total === 0 ? 0 : changed / total
}
