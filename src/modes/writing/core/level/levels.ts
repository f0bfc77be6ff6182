import { isOwnFile } from '../../contract/project.ts'
import type { Level, ProjectType } from '../../contract/project-type.ts'
import type { Unit } from '../../contract/semantic-diff.ts'

type Series = NonNullable<Level['series']>
type Reports = NonNullable<Level['reports']>

/** A file of a level. */
export type LevelFile = {
  /** Relative to the project's folder, with `/`. */
  readonly path: string
  readonly name: string
  /** Reports count as parts. */
  readonly kind: Unit['kind']
  /** Of a part of a series; null for other files. */
  readonly number: number | null
  /** For people: "Chapter 3", "Foundation", "Treatment". */
  readonly label: string
}

export const findLevel = (type: ProjectType, id: string): Level | undefined =>
  type.levels.find((level) => level.id === id)

/** Returns the path of a level's file in its project. */
export const formatLevelPath = (level: Level, name: string): string => `${level.folder}/${name}`

/** Returns the name of a part: 3 gives `chapter-03.md`, 120 gives `chapter-120.md`. */
export const formatPartName = ({ pattern }: Series, number: number): string =>
  pattern.replace('{n}', String(number).padStart(2, '0'))

/** Returns the number of a part, or undefined if the name is not one. Reads `chapter-3.md` and `chapter-003.md` too. */
export function parsePartNumber({ pattern }: Series, name: string): number | undefined {
  const digits = matchPattern(pattern, '{n}', name)
  return digits !== undefined && /^\d{1,5}$/.test(digits) ? Number(digits) : undefined
}

/** Returns the file name of a report: `pacing` gives `pacing.md`. */
export const formatReportName = ({ pattern }: Reports, report: string): string => pattern.replace('{name}', report)

/** Returns the paths that a complete level has. Reports are made one by one, so such a level expects none. */
export function listExpectedPaths(level: Level, parts: number): readonly string[] {
  const { file, series } = level
  const numbers = Array.from({ length: parts }, (_, index) => index + 1)
  const lead = series?.lead === undefined ? [] : [series.lead]
  const names = series ? [...lead, ...numbers.map((number) => formatPartName(series, number))] : file ? [file] : []
  return names.map((name) => formatLevelPath(level, name))
}

/** Returns the files of a level among the paths of a project, in reading order: the lead, then parts by number. */
export function listLevelFiles(level: Level, paths: readonly string[]): readonly LevelFile[] {
  const start = `${level.folder}/`
  const files = paths
    .filter((path) => path.startsWith(start))
    .flatMap((path) => describeFile(level, path.slice(start.length)) ?? [])
    .sort((a, b) => compareFiles(a, b, level.series))
  const isRepeated = ({ number }: LevelFile, index: number): boolean =>
    number !== null && files[index - 1]?.number === number
  return files.map((file, index) =>
    isRepeated(file, index) ? { ...file, label: `${file.label} (${file.name})` } : file,
  )
}

/** Returns the label of a level's file: "Chapter 3", "Foundation", "Treatment". A name of no file is its own label. */
export const formatFileLabel = (level: Level, name: string): string => describeFile(level, name)?.label ?? name

/** Returns undefined for a name that is no file of the level, such as a history, a hidden file or a person's notes. */
function describeFile(level: Level, name: string): LevelFile | undefined {
  if (!/^[A-Za-z0-9_]/.test(name) || name.includes('/') || isOwnFile(name) || name === combinedFile) return undefined
  const { file, series, reports } = level
  const about = { path: formatLevelPath(level, name), name, number: null }
  if (name === file) return { ...about, kind: 'whole', label: level.title }
  if (name === series?.lead) return { ...about, kind: 'lead', label: formatStem(name) }
  const number = series && parsePartNumber(series, name)
  if (series && number !== undefined) return { ...about, kind: 'part', number, label: formatPartLabel(series, number) }
  const report = reports && matchPattern(reports.pattern, '{name}', name)
  return report === undefined ? undefined : { ...about, kind: 'part', label: formatStem(report) }
}

/** All texts of a level in one file, which other programs make for reading. */
const combinedFile = 'combined.md'

/** Part 0 stands before the first one. */
const formatPartLabel = ({ one }: Series, number: number): string =>
  number === 0 ? 'Prologue' : `${capitalize(one)} ${number}`

const formatStem = (name: string): string => capitalize(name.replace(/\.[^.]*$/, '').replace(/[-_]+/g, ' '))

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Returns what stands in place of the placeholder, or undefined. */
function matchPattern(pattern: string, placeholder: string, name: string): string | undefined {
  const [start = '', end = ''] = pattern.split(placeholder)
  const fits = name.length > start.length + end.length && name.startsWith(start) && name.endsWith(end)
  return fits ? name.slice(start.length, name.length - end.length) : undefined
}

const kinds: readonly LevelFile['kind'][] = ['whole', 'lead', 'part']

/** Of two names with one number, the one that this program would write comes first. */
function compareFiles(a: LevelFile, b: LevelFile, series: Series | undefined): number {
  const isOther = ({ name, number }: LevelFile): number =>
    series && number !== null && name !== formatPartName(series, number) ? 1 : 0
  return (
    kinds.indexOf(a.kind) - kinds.indexOf(b.kind) ||
    (a.number ?? 0) - (b.number ?? 0) ||
    isOther(a) - isOther(b) ||
    (a.name < b.name ? -1 : 1)
  )
}
