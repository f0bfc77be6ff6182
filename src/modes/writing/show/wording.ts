import { formatCount } from '../../../show/format.ts'
import type { Level, ProjectType } from '../contract/project-type.ts'
import type { Base } from '../contract/request.ts'
import { findLevel, listLevelFiles } from '../core/level/levels.ts'

/** "foundation, 15 chapters": the files of a level in a few words. Empty if there are none. */
function describeFiles(level: Level, paths: readonly string[]): string[] {
  const files = listLevelFiles(level, paths)
  if (files.length === 0) return []
  const { series, reports } = level
  if (!series && !reports) return [level.id]
  const lead = files.filter(({ kind }) => kind === 'lead').map(({ label }) => label.toLowerCase())
  const parts = files.filter(({ kind }) => kind === 'part').length
  const { one, many } = (series ?? reports)!
  return [...lead, ...(parts > 0 ? [`${parts} ${parts === 1 ? one : many}`] : [])]
}

/** What a model is given, in the order of the type: "taxonomy, treatment, foundation, 15 chapters, 3 previous iterations". */
export function describeContext({ type, context, files, taxonomy, history }: Base, level: Level): string {
  const upstream = level.context.flatMap((id) => {
    if (id === 'taxonomy') return taxonomy === '' ? [] : [id]
    const found = context.find((part) => part.level === id)
    const from = findLevel(type, id)
    return found && from
      ? describeFiles(
          from,
          found.files.map(({ path }) => path),
        )
      : []
  })
  const own = describeFiles(
    level,
    files.map(({ path }) => path),
  )
  // "5 chapters" of beats and "5 chapters" of prose would read like a mistake.
  const named = own.map((words) => (upstream.includes(words) ? `${words} of ${level.id}` : words))
  const before = history.length > 0 ? [formatCount(history.length, 'previous iteration')] : []
  return [...upstream, ...named, ...before].join(', ')
}

/** "Prose (8 chapters)": a level that will be affected. */
export function describeDownstream(level: Level, files: readonly { readonly path: string }[]): string {
  if (!level.series && !level.reports) return formatCount(files.length, 'file')
  const paths = files.map(({ path }) => path)
  return describeFiles(level, paths).join(', ')
}

export const findTitle = (type: ProjectType, id: string): string => findLevel(type, id)?.title ?? id

/** A text in quotes, indented, as the seed shows it. */
export const quoteLines = (text: string, indent = '  '): string[] =>
  text
    .split('\n')
    .map((line, at, all) => `${at === 0 ? `${indent}"` : `${indent} `}${line}${at === all.length - 1 ? '"' : ''}`)

/** The first sentence of a text, for one line. */
export function firstSentence(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return (/^.*?[.!?](?=\s|$)/u.exec(line)?.[0] ?? line).replace(/\.$/, '')
}
