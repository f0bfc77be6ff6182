import type { LoopEvent } from '../contract/event.ts'
import { type Origins, originsAfter } from '../show/origins.ts'
import { type Spend, spendOf } from '../show/spend.ts'
import { createUnderWay, type UnderWay } from '../show/under-way.ts'
import { continueWith } from './continue-run.ts'
import type { RunEntry } from './index-of-runs.ts'
import { type ReadRun, readRun, type Standing } from './read-run.ts'

/** Why a run stands where it stands, from its journal alone. */
export type Explanation = {
  readonly run: string
  readonly name: string
  readonly standing: Standing
  readonly reason: string
  /** The rule that decided, where that was set, and at which event. */
  readonly rule: {
    readonly by: string
    readonly says: string
    readonly bound: number | null
    readonly setBy: string | null
    readonly seq: number
  } | null
  readonly last: {
    readonly task: string
    readonly attempt: number
    readonly outcome: string
    readonly verdict: string | null
  } | null
  readonly underWay: UnderWay | null
  /** When a limit that it waits for ends. */
  readonly waitsUntil: number | null
  readonly spend: Spend
  readonly next: string | null
}

export function explainRun(run: RunEntry, now: number): Explanation {
  const explainer = createExplainer(run)
  return explainer.explain(readRun(run.dir, explainer.see), now)
}

/** Watches the events of a run go by and explains it afterwards. */
export function createExplainer(run: RunEntry) {
  const underWay = createUnderWay()
  let origins: Origins = {}
  let decided: Extract<LoopEvent, { type: 'decision-made' }> | undefined
  let last: Explanation['last'] = null

  function see(event: LoopEvent): void {
    underWay.see(event)
    origins = originsAfter(origins, event)
    if (event.type === 'decision-made') decided = event
    // Of what a run does for itself only trouble is worth a word.
    if (event.chore && (event.type !== 'attempt-ended' || event.outcome.status === 'ok')) return
    if (event.type === 'attempt-ended') {
      last = {
        task: event.task ?? '',
        attempt: event.attempt ?? 0,
        outcome: withDetail(event.outcome),
        verdict: null,
      }
    }
    if (event.type === 'verdict-reached' && last) {
      last = { ...last, verdict: withDetail(event.verdict) }
    }
  }

  function explain(read: ReadRun, now: number): Explanation {
    const { standing, state } = read
    const ruled = decided && (state.ended || state.question)
    return {
      run: run.id,
      name: run.name,
      standing,
      reason: state.ended?.reason ?? openReason(read),
      rule: ruled ? ruleOf(decided!, state.caps[decided!.by as never], origins) : null,
      last,
      underWay: underWay.at(read, now),
      waitsUntil: (standing === 'waiting' && !state.question && state.wait?.until) || null,
      spend: spendOf(state),
      next: continueWith(run, read) ?? null,
    }
  }
  return { see, explain }
}

/** A detail that only repeats the status says nothing. */
export const withDetail = ({ status, detail }: { status: string; detail?: string | undefined }): string =>
  detail && detail !== status ? `${status}: ${detail}` : status

function ruleOf(
  { decision, by, seq }: Extract<LoopEvent, { type: 'decision-made' }>,
  cap: number | undefined,
  origins: Origins,
): NonNullable<Explanation['rule']> {
  const says = decision.do === 'stop' ? decision.reason : decision.do
  return { by, says, bound: cap ?? null, setBy: origins[by] ?? null, seq }
}

function openReason({ standing, state, leftBy }: ReadRun): string {
  const topic = state.question?.topic
  if (standing === 'running') return 'it is running'
  if (standing === 'crashed') return 'its process ended without a word'
  if (standing === 'waiting') return topic ? `it asks: ${topic}` : 'it waits for a limit to pass'
  return `by ${leftBy ?? 'nobody knows whom'}`
}
