import type { Level, ProjectType } from '../contract/project-type.ts'
import { type DraftPart, type FoundParts, findChapters } from './draft/chapters.ts'
import { type DraftSection, findSections } from './draft/sections.ts'
import { findLevel, formatPartName } from './level/levels.ts'

export type DraftFile = {
  readonly level: string
  /** In the level's folder. */
  readonly name: string
  readonly text: string
  readonly title: string
}

export type SplitDraft = { readonly files: readonly DraftFile[]; readonly notes: readonly string[] }

/** What stands before the first chapter. It is in the level's folder, but no part of the series. */
export const frontMatterFile = 'front-matter.md'

/**
 * Splits an existing draft into files of levels. If the type's main text is a series, each chapter is a file; joined, the files are
 * the draft again, without its byte order mark. Otherwise each level gets the sections that its `headings` name.
 */
export function splitDraft(given: string, type: ProjectType): SplitDraft {
  const draft = given.replace(/^\ufeff/, '')
  if (draft.trim() === '') return { files: [], notes: ['The draft is empty.'] }
  const level = findLevel(type, type.exports.at(-1)!)
  return level?.series ? splitChapters(draft, level, level.series) : splitSections(draft, type)
}

type Series = NonNullable<Level['series']>

function splitChapters(draft: string, level: Level, series: Series): SplitDraft {
  const { parts: found, by } = findChapters(draft, [series.one])
  const parts = found.length > 0 ? found : [{ start: 0, heading: '', meaning: undefined }]
  const { numbers, notes } = numberParts(parts, series)
  const files = parts.map(({ start, heading }, at) => {
    const name = heading === null ? frontMatterFile : formatPartName(series, numbers[at]!)
    const title = heading === null ? 'Front matter' : heading
    return { level: level.id, name, text: draft.slice(start, parts[at + 1]?.start), title }
  })
  return { files, notes: [describeFound(by, files, series), ...notes] }
}

function describeFound(by: FoundParts['by'], files: readonly DraftFile[], { one, many }: Series): string {
  const chapters = files.filter(({ name }) => name !== frontMatterFile)
  const front = files.length > chapters.length ? ` What stands before the first one is in ${frontMatterFile}.` : ''
  if (by === 'nothing') return `No headings of ${many} were found: the draft is one ${one}.`
  return `${chapters.length} ${chapters.length === 1 ? one : many}, found by headings such as "${chapters.at(-1)!.title}".${front}`
}

type Numbering = { readonly numbers: readonly (number | undefined)[]; readonly notes: readonly string[] }

/** Keeps the draft's own numbers if they only go up and every part without one can be placed; else counts anew. */
function numberParts(parts: readonly DraftPart[], series: Series): Numbering {
  const own = keepNumbers(parts)
  if (own) return { numbers: own, notes: describeGaps(own, series) }
  let next = 0
  const numbers = parts.map((part) => {
    if (part.heading === null) return undefined
    if (next === 0 && !isBefore(part)) next = 1
    return next++
  })
  const moved = parts.flatMap((part, at) => {
    const number = readNumber(part)
    return number === undefined || number === numbers[at] ? [] : [{ part, number: numbers[at]! }]
  })
  const [first] = moved
  if (!first) return { numbers, notes: [] }
  const example = `"${first.part.heading}" is ${formatPartName(series, first.number)}`
  const note = `The ${series.many} are counted anew, for their own numbers repeat, go down or are missing: ${example}.`
  return { numbers, notes: [note] }
}

/** Returns undefined if a number repeats or goes down, or if a part without one stands between or before numbered ones. */
function keepNumbers(parts: readonly DraftPart[]): readonly (number | undefined)[] | undefined {
  const chapters = parts.filter(({ heading }) => heading !== null)
  const own = chapters.map(readNumber)
  const [first, last] = [own.findIndex(isNumber), own.findLastIndex(isNumber)]
  const given = own.slice(first, last + 1)
  const goesUp = given.every((number, at) => number !== undefined && (at === 0 || number > given[at - 1]!))
  const hasPlace = first === 0 || (first === 1 && isBefore(chapters[0]!) && own[1]! > 0)
  if (!goesUp || !hasPlace) return undefined
  const kept = own.map((number, at) => number ?? (at < first ? 0 : own[last]! + at - last))
  return parts.length > chapters.length ? [undefined, ...kept] : kept
}

const isNumber = (number: number | undefined): boolean => number !== undefined

const readNumber = ({ meaning }: DraftPart): number | undefined =>
  meaning?.kind === 'chapter' || meaning?.kind === 'numeral' ? meaning.number : undefined

const isBefore = ({ meaning }: DraftPart): boolean => meaning?.kind === 'special' && meaning.place === 'before'

function describeGaps(numbers: readonly (number | undefined)[], { one, many }: Series): readonly string[] {
  const given = numbers.filter((number) => number !== undefined)
  const gaps = given.flatMap((number, at) => {
    const before = given[at - 1] ?? (number === 0 ? -1 : 0)
    return number > before + 1 ? [number === before + 2 ? `${before + 1}` : `${before + 1} to ${number - 1}`] : []
  })
  if (gaps.length === 0) return []
  const isOne = gaps.length === 1 && !gaps[0]!.includes(' ')
  return [`The draft has no ${isOne ? one : many} ${gaps.slice(0, 10).join(', ')}.`]
}

function splitSections(draft: string, type: ProjectType): SplitDraft {
  const levels = type.levels.filter(({ leaf, file, format }) => !leaf && file !== undefined && format === 'markdown')
  const [first] = levels
  if (!first) return { files: [], notes: [`The type ${type.type} has no level that a draft can go to.`] }
  const sections = findSections(draft, levels)
  const files = levels.flatMap((level): readonly DraftFile[] => {
    const texts = sections.flatMap(({ start, level: id }, at) =>
      id === level.id ? [draft.slice(start, sections[at + 1]?.start)] : [],
    )
    return texts.length === 0 ? [] : [{ level: level.id, name: level.file!, text: texts.join(''), title: level.title }]
  })
  return { files, notes: describeSections(sections, files, first) }
}

function describeSections(
  sections: readonly DraftSection[],
  files: readonly DraftFile[],
  first: Level,
): readonly string[] {
  const decided = new Set(sections.flatMap(({ by, level }) => (by === null ? [] : [`"${by}" to ${level}`])))
  const unknown = new Set(sections.flatMap(({ by, heading }) => (by === null && heading !== null ? [heading] : [])))
  const list = (names: ReadonlySet<string>): string =>
    [...names].slice(0, 10).join(', ') + (names.size > 10 ? `, and ${names.size - 10} more` : '')
  return [
    decided.size === 0 ? 'No headings of levels were found.' : `By their headings: ${list(decided)}.`,
    ...(unknown.size > 0 ? [`To ${first.id}, for no level has such a heading: ${list(unknown)}.`] : []),
    ...(files.length === 1 ? [`The draft is in ${files[0]!.level} only.`] : []),
  ]
}
