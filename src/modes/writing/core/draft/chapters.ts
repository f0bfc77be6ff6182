import { type ChapterHeading, parseChapterHeading, parseNumberedTitle } from './chapter-heading.ts'
import { findHeadings, type Heading } from './headings.ts'

/** A part of a draft: its text begins at `start` and ends where the next one begins. */
export type DraftPart = {
  readonly start: number
  /** Null for what stands before the first chapter. */
  readonly heading: string | null
  readonly meaning: ChapterHeading | undefined
}

export type FoundParts = {
  /** Without gaps, from the beginning of the draft. */
  readonly parts: readonly DraftPart[]
  /** What the chapters were recognized by. */
  readonly by: 'chapters' | 'numbers' | 'headings' | 'parts' | 'nothing'
}

type Mark = Heading & { readonly meaning: ChapterHeading | undefined }

/** Finds the chapters of a draft. `words` are words for a chapter besides the usual ones. */
export function findChapters(draft: string, words: readonly string[]): FoundParts {
  const known = words.map((word) => word.toLowerCase())
  const parse = (text: string): ChapterHeading | undefined => parseChapterHeading(text, known)
  const headings = findHeadings(draft, { isPlainHeading: (text) => !!parse(text), hasTildeFences: false })
  const findMeaning = ({ text, depth }: Heading): ChapterHeading | undefined =>
    parse(text) ?? (depth > 0 ? parseNumberedTitle(text) : undefined)
  const marks = headings
    .map((heading) => ({ ...heading, meaning: findMeaning(heading) }))
    .filter((mark) => isLikely(mark, parse))
  const { chosen, by } = chooseMarks(withoutContents(draft, marks))
  return { parts: joinMarks(draft, chosen, by === 'parts' ? 0 : longestPartOpening), by }
}

/** A plain line is a heading only if it stands alone. "CHAPTER ONE" may have its title, or the rest of it, in the next line. */
function isLikely({ text, depth, isApart, meaning, below }: Mark, parse: typeof parseChapterHeading): boolean {
  if (meaning === undefined && /^(?:scene|szene)\b/i.test(text)) return false
  const isLong = meaning?.kind === 'chapter' && (!meaning.titled || text === text.toUpperCase())
  return depth > 0 || isApart || (isLong && parse(below)?.kind !== 'chapter')
}

/** Leaves out a table of contents: a row of headings without text that come again with text. */
function withoutContents(draft: string, marks: readonly Mark[]): readonly Mark[] {
  const keys = marks.map(({ meaning, text }) => formatKey(meaning) ?? text.toLowerCase())
  const hasText = marks.map(({ end }, at) => draft.slice(end, marks[at + 1]?.start).trim() !== '')
  const last = new Map(keys.map((key, at) => [key, at]))
  // The last entry of the contents may have the title page below it.
  const comesAgain = keys.map((key, at) => last.get(key)! > at && hasText[last.get(key)!]!)
  const isEntry = marks.map((_, at) => comesAgain[at]! && !hasText[at])
  const isListed = (at: number): boolean => (isEntry[at]! && comesAgain[at + 1] === true) || isEntry[at - 1] === true
  return marks.filter((_, at) => !(comesAgain[at] && isListed(at)))
}

function formatKey(meaning: ChapterHeading | undefined): string | undefined {
  if (meaning?.kind === 'chapter' || meaning?.kind === 'numeral') return `${meaning.kind} ${meaning.number}`
  return meaning?.kind === 'special' ? meaning.word : undefined
}

function chooseMarks(marks: readonly Mark[]): { readonly chosen: readonly Mark[]; readonly by: FoundParts['by'] } {
  const chapters = marks.filter(({ meaning }) => meaning?.kind === 'chapter')
  if (chapters.length > 0) return { chosen: withNeighbours(marks, chapters), by: 'chapters' }
  const dominant = findDominant(marks)
  if (dominant.length > 1) return { chosen: withNeighbours(marks, dominant), by: 'headings' }
  // Below headings of chapters, numbers alone count scenes.
  const numbers = findRow(marks)
  if (numbers.length > 1) return { chosen: withNeighbours(marks, numbers), by: 'numbers' }
  const parts = marks.filter(({ meaning }) => meaning?.kind === 'part' || meaning?.kind === 'special')
  return parts.length > 1 ? { chosen: parts, by: 'parts' } : { chosen: [], by: 'nothing' }
}

/** Numbers on lines of their own are chapters if they count up from 1. In a new part they may begin again. */
function findRow(marks: readonly Mark[]): readonly Mark[] {
  let expected = 1
  let isNewPart = false
  return marks.filter(({ meaning }) => {
    if (meaning?.kind === 'part') isNewPart = true
    const mayBegin = isNewPart && meaning?.kind === 'numeral' && meaning.number === 1
    if (meaning?.kind !== 'numeral' || (meaning.number !== expected && !mayBegin)) return false
    expected = meaning.number + 1
    isNewPart = false
    return true
  })
}

/** The headings of the highest level that has several, unless a lower level has many times as many. */
function findDominant(marks: readonly Mark[]): readonly Mark[] {
  const titles = marks.filter((mark) => !isBeside(mark))
  const levels = [1, 2, 3, 4, 5, 6].map((depth) => titles.filter((mark) => mark.depth === depth))
  const [first = [], second = []] = levels.filter((level) => level.length > 1)
  return first.length < 3 && second.length >= 4 * first.length ? second : first
}

/** Adds what stands beside the chapters: prologue, epilogue, parts, and other headings of the same or a higher level. */
function withNeighbours(marks: readonly Mark[], chapters: readonly Mark[]): readonly Mark[] {
  const own = new Set(chapters)
  const isSure = (mark: Mark): boolean => own.has(mark) || isBeside(mark)
  const depth = chapters.reduce((deepest, mark) => Math.max(deepest, mark.depth), 0)
  const begin = marks.find(isSure)!.start
  const isEqual = (mark: Mark): boolean => mark.depth > 0 && mark.depth <= depth && mark.start > begin
  return marks.filter((mark) => isSure(mark) || isEqual(mark))
}

const isBeside = ({ meaning }: Mark): boolean => meaning?.kind === 'special' || meaning?.kind === 'part'

// A part has an epigraph before its first chapter, not pages of text.
const longestPartOpening = 1500

/** Joins a part with its first chapter and a chapter with its title in the next heading. */
function joinMarks(draft: string, marks: readonly Mark[], longestOpening: number): readonly DraftPart[] {
  const parts: DraftPart[] = []
  let waiting: Mark | undefined
  for (const [at, mark] of marks.entries()) {
    const next = marks[at + 1]
    const body = draft.slice(mark.end, next?.start).trim()
    const opens = mark.meaning?.kind === 'part' ? body.length <= longestOpening : isHigher(mark, next) && body === ''
    if (next && opens && waiting === undefined) waiting = mark
    // A plain "ACT I" with pages of text below it is within a chapter.
    const isInside = mark.meaning?.kind === 'part' && mark.depth === 0 && longestOpening > 0
    if ((next && opens) || isInside) continue
    const before = parts.at(-1)
    if (before && waiting === undefined && isTitle(draft, marks[at - 1], mark)) {
      parts[parts.length - 1] = { ...before, heading: `${before.heading}: ${mark.text}` }
      continue
    }
    parts.push({ start: waiting?.start ?? mark.start, heading: mark.text, meaning: mark.meaning })
    waiting = undefined
  }
  return withBeginning(draft, parts)
}

const isHigher = (mark: Mark, next: Mark | undefined): boolean =>
  mark.meaning === undefined && next !== undefined && mark.depth > 0 && mark.depth < next.depth

/** "# Chapter 1" and below it "# The Storm": one chapter. */
function isTitle(draft: string, before: Mark | undefined, mark: Mark): boolean {
  const isChapter = before?.meaning?.kind === 'chapter' && !before.meaning.titled
  return isChapter && mark.meaning === undefined && draft.slice(before.end, mark.start).trim() === ''
}

/** What stands before the first chapter is a part of its own, or belongs to the chapter if it is blank. */
function withBeginning(draft: string, parts: readonly DraftPart[]): readonly DraftPart[] {
  const [first, ...more] = parts
  if (!first) return []
  if (draft.slice(0, first.start).trim() === '') return [{ ...first, start: 0 }, ...more]
  return [{ start: 0, heading: null, meaning: undefined }, ...parts]
}
