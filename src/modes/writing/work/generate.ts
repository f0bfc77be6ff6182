import type { View } from '../../../kernel/policy.ts'
import type { Attempt } from '../../../kernel/run.ts'
import { formatPartName, parsePartNumber } from '../core/level/levels.ts'
import type { WritingMemo } from '../core/memo.ts'
import { OutlineReply, type Piece } from '../core/pieces.ts'
import { fitDocuments } from '../core/reply/documents.ts'
import { checkStructure } from '../core/reply/structure.ts'
import { askForObject, NoAnswerError } from './call.ts'
import {
  currentTexts,
  fitOptions,
  listSources,
  type Made,
  matchEnd,
  sourceDocuments,
  toDocuments,
  toDraft,
} from './draft.ts'
import { commonValues, readFeedback, renderPrompt } from './prompts.ts'
import type { WritingTools } from './tools.ts'
import { type PieceContext, writePieces } from './write-pieces.ts'

type MemoView = View<WritingMemo>

/** Writes a level from the levels before it. */
export async function generate(a: Attempt, view: MemoView, tools: WritingTools, signal: AbortSignal): Promise<Made> {
  const { level, base } = tools
  const said = await readFeedback(view, tools)
  const pieces = await planGeneration(a, tools, signal)
  const about: PieceContext = {
    step: 'generate',
    temperature: level.temperature,
    current: new Map(),
    sources: listSources(tools, new Map()),
    values: (group, written) => {
      const own = group.flatMap(({ name }) => findFollowed(name, tools) ?? [])
      const done = fitDocuments(
        toDocuments(written, () => true),
        {
          ...fitOptions(tools),
          keep: new Set([...written.keys()].slice(-1)),
        },
      )
      const isLead = group.every(({ name }) => name === level.series?.lead)
      return {
        ...commonValues(tools, new Set(own)),
        sources: sourceDocuments(tools),
        written: done.documents,
        outlined: done.isShortened,
        must: group,
        problems: said.open,
        rules: isLead ? level.leadRules : level.rules,
      }
    },
  }
  const first = pieces.filter(({ name }) => name === level.series?.lead)
  const lead = await writePieces(a, first, about, tools, signal)
  const rest = await nextPieces(a, pieces, lead.texts, tools, signal)
  const continued: PieceContext = {
    ...about,
    values: (group, written) => about.values(group, new Map([...lead.texts, ...written])),
  }
  const parts = await writePieces(prefixKeys(a, 'part-'), rest, continued, tools, signal)
  const texts = [...lead.texts, ...parts.texts]
  const files = texts.map(([name, after]) => ({ name, before: undefined, after: matchEnd(after) }))
  const kept = new Set(texts.map(([name]) => name))
  // A level that is generated anew consists of the new files alone.
  const removed = [...currentTexts({ ...tools, base }).keys()].filter((name) => !kept.has(name))
  return {
    draft: toDraft(tools, files, removed, [], checkStructure(level, files, tools.brief)),
    raw: [...lead.raw, ...parts.raw],
  }
}

/** The lead file and the parts have calls of their own. */
const prefixKeys = (a: Attempt, prefix: string): Attempt => ({
  ...a,
  recorded: (key) => a.recorded(prefix + key),
  record: (call) => a.record({ ...call, key: prefix + call.key }),
})

/** The files that are known before anything is written. */
async function planGeneration(_a: Attempt, { level, base }: WritingTools, _signal: AbortSignal): Promise<Piece[]> {
  const { series, file } = level
  if (!series) return [{ name: file!, task: '', words: level.words, isRipple: false }]
  const lead = series.lead ? [{ name: series.lead, task: '', isRipple: false }] : []
  const followed = base.context.find((part) => part.level === series.follows)
  const source = base.type.levels.find(({ id }) => id === series.follows)
  const parts = (followed?.files ?? []).flatMap(({ path }): Piece[] => {
    const number = source?.series && parsePartNumber(source.series, path.slice(source.folder.length + 1))
    if (number === undefined) return []
    return [{ name: formatPartName(series, number), task: `from ${path}.`, words: level.words, isRipple: false }]
  })
  return [...lead, ...parts]
}

/** The parts of a series: those of the level it follows, else those of an outline that the model makes. */
async function nextPieces(
  a: Attempt,
  known: readonly Piece[],
  written: ReadonlyMap<string, string>,
  tools: WritingTools,
  signal: AbortSignal,
): Promise<readonly Piece[]> {
  const { level, base, request } = tools
  const { series } = level
  const parts = known.filter(({ name }) => name !== series?.lead)
  if (!series || parts.length > 0) return parts
  const wanted = base.project.parts ?? base.type.parts
  const values = { ...commonValues(tools), written: toDocuments(written, () => true), parts: wanted }
  const prompt = renderPrompt('outline', values, tools)
  const step = { ...prompt, key: 'outline', via: request.writer, role: 'plan', temperature: 0.5 } as const
  const read = await askForObject(a, step, OutlineReply, tools, signal)
  if (!('value' in read) || read.value.parts.length === 0) {
    const why = 'unreadable' in read ? read.unreadable : 'it is empty'
    throw new NoAnswerError({ status: 'failed', detail: `the outline could not be read: ${why}` })
  }
  return read.value.parts.map(({ title, summary }, at) => ({
    name: formatPartName(series, at + 1),
    task: `${title}. ${summary}`,
    words: level.words,
    isRipple: false,
  }))
}

/** The path of the file that a file of a following series is made from. */
function findFollowed(name: string, { level, base }: WritingTools): string | undefined {
  const source = base.type.levels.find(({ id }) => id === level.series?.follows)
  const number = level.series && parsePartNumber(level.series, name)
  if (!source?.series || number === undefined) return undefined
  const { series, folder } = source
  const files = base.context.find((part) => part.level === source.id)?.files ?? []
  return files.find(({ path }) => parsePartNumber(series, path.slice(folder.length + 1)) === number)?.path
}
