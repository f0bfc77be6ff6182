import type { Budget } from '../../../../../judging/text/align.ts'
import type { Hunk } from '../../../contract/semantic-diff.ts'
import { type FieldChange, mergeValues } from '../json/merge.ts'
import { formatValue, parseBoth, type Value } from '../json/values.ts'
import { type Block, readHeading } from '../text/blocks.ts'
import { indexLines } from '../text/lines.ts'
import { countWords } from '../text/words.ts'
import { findMoves } from './moves.ts'
import { findSpans, type Moves, type Outlines, outlineTexts, type Range, type Span } from './texts.ts'

/** Both texts of a unit, with LF line ends; a missing file is undefined. */
export type UnitTexts = {
  readonly before: string | undefined
  readonly after: string | undefined
  readonly format: 'markdown' | 'json'
}

/** A hunk that has no id yet. */
export type Place = Omit<Hunk, 'id' | 'unit' | 'moved'> & {
  /** Undefined for a field and for a whole file. */
  readonly span: Span | undefined
  readonly move: number | undefined
}

export type Comparison = {
  readonly places: readonly Place[]
  /** The texts are too long or too different: the only place is the whole file. */
  readonly limited: boolean
}

/** A longer unit is one hunk. */
const mostCharacters = 8_000_000
/** So is a unit with more hunks: nobody would read them. */
const mostPlaces = 5000

/** Finds the changed places of each unit. */
export function compareUnits(units: readonly UnitTexts[], budget: Budget): readonly Comparison[] {
  const fields = units.map((unit) => compareFields(unit))
  const outlines = units.map((unit, index) => (fields[index] ? undefined : outlineUnit(unit, budget)))
  const moves = findMoves(outlines.map((outline) => (outline === 'too much' ? undefined : outline)))
  return units.map((unit, index) => {
    const outline = outlines[index]
    const places = fields[index] ?? (outline === 'too much' ? undefined : findPlaces(outline, moves[index]!, budget))
    return places && places.length <= mostPlaces
      ? { places, limited: false }
      : { places: [showWhole(unit)], limited: true }
  })
}

/** Undefined if the unit is not JSON. */
function compareFields({ before, after, format }: UnitTexts): readonly Place[] | undefined {
  if (format !== 'json' || before === after) return undefined
  if (before === undefined || after === undefined) return [showWhole({ before, after, format })]
  if (before.length + after.length > mostCharacters) return undefined
  const values = parseBoth(before, after)
  if (!values) return undefined
  const changes: FieldChange[] = []
  mergeValues(values.before, values.after, (change) => {
    changes.push(change)
    return 'after'
  })
  const lines = { before: indexLines(before), after: indexLines(after) }
  return changes.map((change) => showField(change, lines))
}

type LineIndex = (position: number) => number

function showField(change: FieldChange, lines: { before: LineIndex; after: LineIndex }): Place {
  const show = (value: Value | undefined, place: number, lineAt: LineIndex): Hunk['before'] => {
    if (!value) return { start: lineAt(place), lines: 0, text: '' }
    const start = lineAt(value.from)
    return { start, lines: lineAt(value.to - 1) - start + 1, text: formatValue(value) }
  }
  const sides = {
    before: show(change.before, change.place.before, lines.before),
    after: show(change.after, change.place.after, lines.after),
  }
  return {
    ...describe(sides),
    granularity: 'field',
    field: change.path,
    heading: null,
    span: undefined,
    move: undefined,
  }
}

/** Undefined if there is nothing to compare. */
function outlineUnit(
  { before = '', after = '', format }: UnitTexts,
  budget: Budget,
): Outlines | 'too much' | undefined {
  if (before === after) return undefined
  if (before.length + after.length > mostCharacters) return 'too much'
  return outlineTexts(before, after, format === 'markdown' ? 'markdown' : 'lines', budget) ?? 'too much'
}

function findPlaces(outlines: Outlines | undefined, moves: Moves, budget: Budget): readonly Place[] | undefined {
  if (!outlines) return []
  const spans = findSpans(outlines, moves, budget)
  if (!spans || spans.length > mostPlaces) return undefined
  const [before, after] = [indexText(outlines.before), indexText(outlines.after)]
  return spans.map((span) => {
    const sides = { before: showSide(span.before, before), after: showSide(span.after, after) }
    const heading = sides.after.text === '' ? before.headingAt(span.before.from) : after.headingAt(span.after.shownFrom)
    return { ...describe(sides), granularity: span.granularity, field: null, heading, span, move: span.move }
  })
}

type TextIndex = {
  readonly text: string
  readonly lineAt: LineIndex
  /** The heading above a position, null if there is none. Positions must not decrease. */
  readonly headingAt: (position: number) => string | null
}

function indexText({ text, blocks }: { readonly text: string; readonly blocks: readonly Block[] }): TextIndex {
  const headings = blocks.filter(({ kind }) => kind === 'heading')
  let [next, above] = [0, null as string | null]
  const headingAt = (position: number): string | null => {
    for (; next < headings.length && headings[next]!.from < position; next++) above = readHeading(headings[next]!)
    return above
  }
  return { text, lineAt: indexLines(text), headingAt }
}

function showSide({ from, shownFrom, shownTo }: Range, { text, lineAt }: TextIndex): Hunk['before'] {
  if (shownFrom === shownTo) return { start: from === 0 ? 0 : lineAt(from - 1), lines: 0, text: '' }
  const start = lineAt(shownFrom)
  return { start, lines: lineAt(shownTo - 1) - start + 1, text: text.slice(shownFrom, shownTo) }
}

function showWhole({ before = '', after = '' }: UnitTexts): Place {
  const show = (text: string): Hunk['before'] =>
    text === '' ? { start: 0, lines: 0, text } : { start: 1, lines: indexLines(text)(text.length - 1), text }
  const sides = { before: show(before), after: show(after) }
  return { ...describe(sides), granularity: 'line', field: null, heading: null, span: undefined, move: undefined }
}

const describe = (sides: Pick<Hunk, 'before' | 'after'>) => ({
  ...sides,
  words_before: countWords(sides.before.text),
  words_after: countWords(sides.after.text),
})
