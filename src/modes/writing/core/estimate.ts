import type { Rung } from '../../../contract/models.ts'
import { formatAmount, formatDuration } from '../../../show/format.ts'
import type { Level } from '../contract/project-type.ts'
import type { Base } from '../contract/request.ts'
import { listLevelFiles, parsePartNumber } from './level/levels.ts'
import { findScope } from './level/scope.ts'
import { isInScope } from './pieces.ts'

export type Estimate = {
  readonly inputTokens: number
  readonly outputTokens: number
  /** null if a price is unknown. */
  readonly costUsd: number | null
  readonly ms: number
}

export type EstimateOptions = {
  readonly kind: 'iterate' | 'generate' | 'analyze'
  readonly feedback: string
  readonly writer: Rung
  readonly judge: Rung
  readonly estimateTokens: (text: string) => number
  /** Tokens per second, measured in this session. */
  readonly speed?: number | undefined
}

const tokensPerWord = 1.5
const speeds = { local: 25, remote: 60 } as const
/** Prompts besides the texts, and the replies of judge and description. */
const [overheadIn, overheadOut] = [1500, 1500]

/** Estimates one attempt with its judgement and description. Each further attempt costs about as much again. */
export function estimateIteration(base: Base, level: Level, options: EstimateOptions): Estimate {
  const { kind, writer, judge, estimateTokens } = options
  const size = (texts: readonly { readonly text: string }[]): number =>
    texts.reduce((sum, { text }) => sum + estimateTokens(text), 0)
  const context = size(base.context.flatMap(({ files }) => files)) + estimateTokens(base.taxonomy)
  const own = size(base.files)
  const written =
    kind === 'iterate'
      ? size(findConcerned(base, level, options.feedback)) * 1.1
      : expectWords(base, level) * tokensPerWord
  const isPlanned = kind === 'iterate' && level.series !== undefined
  const writing = (context + own) * (isPlanned ? 2 : 1) + overheadIn
  const judging = kind === 'iterate' ? context + own + written + overheadIn + 2 * written + overheadIn : 0
  const replies = kind === 'iterate' ? overheadOut : 0
  const cost = [price(writer, writing, written), price(judge, judging, replies)]
  const speed = options.speed ?? (writer.local ? speeds.local : speeds.remote)
  return {
    inputTokens: Math.round(writing + judging),
    outputTokens: Math.round(written + replies),
    costUsd: cost.includes(null) ? null : cost.reduce<number>((sum, one) => sum + one!, 0),
    ms: Math.round(((written + replies) / speed) * 1000),
  }
}

const price = ({ price: per, local }: Rung, input: number, output: number): number | null =>
  per ? (input * per.input + output * per.output) / 1e6 : local ? 0 : null

/** The files that the feedback names, or all. */
function findConcerned({ files }: Base, level: Level, feedback: string): Base['files'] {
  const { series, folder } = level
  const numberOf = (name: string): number | undefined => series && parsePartNumber(series, name)
  const nameOf = (path: string): string => path.slice(folder.length + 1)
  const scope = findScope(
    feedback,
    level,
    files.flatMap(({ path }) => numberOf(nameOf(path)) ?? []),
  )
  return scope ? files.filter(({ path }) => isInScope(nameOf(path), level, scope, { numberOf })) : files
}

/** The words of a level that is written anew. */
export function expectWords(base: Base, level: Level): number {
  const { series } = level
  if (!series) return level.words
  const source = base.type.levels.find(({ id }) => id === series.follows)
  const followed = base.context.find((part) => part.level === source?.id)?.files ?? []
  const parts = source
    ? listLevelFiles(
        source,
        followed.map(({ path }) => path),
      ).filter(({ kind }) => kind === 'part').length
    : 0
  return level.words * ((parts || base.project.parts || base.type.parts || 1) + (series.lead ? 1 : 0))
}

/** "Estimate: about 24,000 tokens, ~$0.05, 1m 20s for each attempt" */
export function formatEstimate({ inputTokens, outputTokens, costUsd, ms }: Estimate): string {
  const cost =
    costUsd === null
      ? 'cost unknown'
      : costUsd === 0
        ? 'no cost'
        : `~$${costUsd < 0.01 ? costUsd.toFixed(4) : costUsd.toFixed(2)}`
  const tokens = `about ${formatAmount(roundTokens(inputTokens + outputTokens))} tokens`
  return `Estimate: ${tokens}, ${cost}, about ${formatDuration(Math.max(1000, ms))} for each attempt`
}

const roundTokens = (count: number): number => (count < 1000 ? count : Math.round(count / 100) * 100)
