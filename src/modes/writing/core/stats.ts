import type { Json } from '../../../contract/values.ts'
import type { HistoryEntry } from '../contract/project.ts'

export type RunStat = {
  readonly did: Json
  readonly standing: string
  readonly spend: { readonly tokens: number; readonly costUsd: number } | undefined
}

export type Stats = {
  readonly iterations: number
  readonly rejected: number
  readonly meanAttempts: number
  readonly levels: readonly { readonly name: string; readonly accepted: number; readonly rate: number }[]
  readonly kinds: readonly {
    readonly name: string
    readonly count: number
    readonly meanAttempts: number
    readonly approvedAtOnce: number
  }[]
  readonly tokens: number
  readonly costUsd: number
}

type LevelHistory = { readonly level: string; readonly entries: readonly HistoryEntry[] }

/** Counts what worked: by level, and by the kind of feedback. */
export function summarizeStats(histories: readonly LevelHistory[], runs: readonly RunStat[]): Stats {
  const entries = histories.flatMap((history) => history.entries)
  const rejected = runs.filter(({ standing, did }) => standing === 'cancelled' && isIteration(did))
  return {
    iterations: entries.length,
    rejected: rejected.length,
    meanAttempts: mean(entries.map(({ judge_attempts }) => judge_attempts)),
    levels: histories
      .filter((history) => history.entries.length > 0)
      .map(({ level, entries: accepted }) => {
        const lost = rejected.filter(({ did }) => readTarget(did) === level).length
        return { name: level, accepted: accepted.length, rate: percent(accepted.length, accepted.length + lost) }
      }),
    kinds: groupByKind(entries),
    tokens: runs.reduce((sum, { spend, did }) => sum + (spend?.tokens ?? 0) + readOverhead(did), 0),
    costUsd: runs.reduce((sum, { spend }) => sum + (spend?.costUsd ?? 0), 0),
  }
}

function groupByKind(entries: readonly HistoryEntry[]): Stats['kinds'] {
  const groups = Map.groupBy(entries, ({ feedback }) => classifyFeedback(feedback))
  return [...groups]
    .map(([name, found]) => ({
      name,
      count: found.length,
      meanAttempts: mean(found.map(({ judge_attempts }) => judge_attempts)),
      approvedAtOnce: percent(
        found.filter(({ judge_attempts, judge_verdict }) => judge_attempts === 1 && judge_verdict === 'approved')
          .length,
        found.length,
      ),
    }))
    .toSorted((a, b) => b.count - a.count)
}

/** Kinds by the verb of the request, in order: the first that fits counts. */
const kinds: readonly (readonly [string, RegExp])[] = [
  ['shorten', /\b(?:shorten|shorter|cut|trim|condense|tighten|kürz\p{L}*)\b/iu],
  [
    'tone',
    /\b(?:dark\p{L}*|light\p{L}*|funn\p{L}*|tone|mood|warm\p{L}*|cold\p{L}*|tense|voice|style|düster\p{L}*)\b/iu,
  ],
  ['add', /\b(?:add|insert|introduce|expand|more|extend|include|ergänz\p{L}*|mehr)\b/iu],
  ['remove', /\b(?:remove|delete|drop|without|streich\p{L}*)\b/iu],
  ['structure', /\b(?:move|reorder|merge|split|order|structure|restructure|swap)\b/iu],
  ['rename', /\b(?:rename|call (?:him|her|it|them)|name)\b/iu],
  ['fix', /\b(?:fix|correct|wrong|inconsisten\p{L}*|contradict\p{L}*|typo\p{L}*|error)\b/iu],
]

export const classifyFeedback = (feedback: string): string =>
  kinds.find(([, pattern]) => pattern.test(feedback))?.[0] ?? 'other'

const isIteration = (did: Json): boolean =>
  typeof did === 'object' && did !== null && 'kind' in did && did.kind === 'iterate'
const readTarget = (did: Json): unknown =>
  typeof did === 'object' && did !== null && 'target' in did ? did.target : undefined
/** Tokens for judging and describing are counted apart. */
const readOverhead = (did: Json): number =>
  typeof did === 'object' && did !== null && 'overhead_tokens' in did ? Number(did.overhead_tokens) || 0 : 0
const percent = (part: number, of: number): number => (of === 0 ? 0 : Math.round((part / of) * 100))
const mean = (numbers: readonly number[]): number =>
  numbers.length === 0 ? 0 : numbers.reduce((sum, one) => sum + one, 0) / numbers.length
