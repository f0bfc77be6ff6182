import type { Draft } from '../contract/request.ts'
import { listLevelFiles } from '../core/level/levels.ts'
import { type Document, type FitOptions, fitDocuments } from '../core/reply/documents.ts'
import { contextTokens, filesShare } from './prompts.ts'
import type { WritingTools } from './tools.ts'

/** The result of an attempt: the draft, and what the model said. */
export type Made = { readonly draft: Draft; readonly raw: readonly string[] }

/** The files of the level as they are, by their names. */
export function currentTexts({ base, level }: WritingTools): ReadonlyMap<string, string> {
  const texts = new Map(base.files.map(({ path, text }) => [path, text]))
  return new Map(listLevelFiles(level, [...texts.keys()]).map(({ name, path }) => [name, texts.get(path)!]))
}

/** For a level above an existing text, such as the treatment of an imported draft: the text that it must describe. */
export function sourceDocuments(tools: WritingTools): readonly Document[] {
  const { base, level } = tools
  const hasUpstream = base.context.some(({ files }) => files.length > 0)
  const below = base.below
  if (hasUpstream && level.context.some((id) => id !== 'taxonomy')) return []
  return fitDocuments(
    below.map(({ path, text }) => ({ name: path, text })),
    fitOptions(tools),
  ).documents
}

export const fitOptions = (tools: WritingTools): FitOptions => ({
  tokens: Math.floor(contextTokens(tools) * filesShare),
  estimateTokens: tools.estimateTokens,
})

export const toDocuments = (texts: ReadonlyMap<string, string>, test: (name: string) => boolean): Document[] =>
  [...texts].flatMap(([name, text]) => (test(name) ? [{ name, text }] : []))

export const listSources = ({ base, brief }: WritingTools, current: ReadonlyMap<string, string>): readonly string[] => [
  brief.feedback,
  ...current.values(),
  ...base.context.flatMap(({ files }) => files.map(({ text }) => text)),
]

/** A text file ends with a line break. */
export const matchEnd = (text: string): string => `${text.trimEnd()}\n`

type NewFile = { readonly name: string; readonly before: string | undefined; readonly after: string }

/** Paths are from the project's folder. A file whose text is the same is not part of the draft. */
export function toDraft(
  { level }: WritingTools,
  files: readonly NewFile[],
  removed: readonly string[],
  ripples: Draft['ripples'],
  problems: readonly string[],
): Draft {
  const path = (name: string): string => `${level.folder}/${name}`
  const changed = files.filter(({ before, after }) => before === undefined || before.trimEnd() !== after.trimEnd())
  return {
    files: Object.fromEntries([
      ...changed.map(({ name, after }) => [path(name), after] as const),
      ...removed.map((name) => [path(name), null] as const),
    ]),
    ripples: ripples
      .map((ripple) => ({ path: path(ripple.path), why: ripple.why }))
      .filter((ripple) => changed.some(({ name }) => path(name) === ripple.path)),
    problems: changed.length === 0 && removed.length === 0 ? ['The text is unchanged.'] : [...problems],
  }
}
