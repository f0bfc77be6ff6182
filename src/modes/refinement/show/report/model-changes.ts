import type { LoopEvent } from '../../../../contract/event.ts'
import type { Reason } from '../../../../contract/reasons.ts'
import type { View } from '../../../../kernel/policy.ts'
import type { RefineConfig } from '../../contract/config.ts'
import { attemptData, noScoreData, scoreData } from '../../core/event-data.ts'
import type { RefinementMemo } from '../../core/memo.ts'

/** A change of model, a wait or a question, with its reason. */
export type ModelChange = {
  readonly seq: number
  readonly at: number
  /** Iterations made before it. */
  readonly after: number
  readonly did: 'escalate' | 'failover' | 'wait' | 'pause'
  readonly from: string
  readonly to: string | null
  readonly why: 'score' | 'soft-limit' | 'hard-limit' | 'plateau' | 'cycle' | 'outage' | 'judge' | 'question'
  /** Error code of the model or the judge. */
  readonly about: string | null
  /** Reason of the wait or topic of the question. */
  readonly reason: Reason | null
  readonly score: number | null
  readonly waitMs: number | null
}

type DecisionEvent = Extract<LoopEvent, { type: 'decision-made' }>

/** Undefined for other events. The view is the one before the event. */
export function findModelChange(
  event: LoopEvent,
  { state, memo }: View<RefinementMemo>,
  { escalateTokens }: Pick<RefineConfig, 'escalateTokens'>,
): ModelChange | undefined {
  if (event.type !== 'decision-made') return undefined
  const { decision, seq, at } = event
  const none = { to: null, score: null, waitMs: null, about: null, reason: null }
  const turn = { seq, at, after: state.attempts, from: state.via, ...none }
  switch (decision.do) {
    case 'escalate': {
      const score = state.verdict?.score ?? null
      return { ...turn, did: 'escalate', to: decision.via, score, why: whyStronger(event, state, memo, escalateTokens) }
    }
    case 'failover':
      return { ...turn, did: 'failover', to: decision.via, why: 'outage', about: memo.fault }
    case 'wait': {
      const { until, reason } = decision
      const waited = { ...turn, did: 'wait', waitMs: Math.max(0, until - at), reason } as const
      if (state.verdict?.status !== 'unavailable') return { ...waited, why: 'outage' }
      const { judge = turn.from, why } = noScoreData(state.verdict)
      return { ...waited, from: judge, why: 'judge', about: why ?? null }
    }
    case 'pause':
      return { ...turn, did: 'pause', why: 'question', reason: decision.question.topic }
    case 'settle':
    case 'retry':
    case 'raise':
    case 'stop':
      return undefined
  }
}

function whyStronger(
  { by }: DecisionEvent,
  { outcome, verdict, tokens }: View<RefinementMemo>['state'],
  { cycle }: RefinementMemo,
  escalateTokens: number,
): ModelChange['why'] {
  const { crossing } = attemptData(outcome)
  if (crossing) return crossing === 'soft' ? 'soft-limit' : 'hard-limit'
  if (by === 'tokens') return 'hard-limit'
  if (scoreData(verdict)?.band === 'escalate') return 'score'
  if (tokens > escalateTokens) return 'soft-limit'
  return cycle ? 'cycle' : 'plateau'
}
