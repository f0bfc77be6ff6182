import type { Card } from '../contract/show.ts'
import type { View } from '../kernel/policy.ts'
import type { LoopState } from '../kernel/state.ts'
import type { About, Show } from '../show/show.ts'
import { isPaused } from './next-action.ts'

/** Builds a run's entry in lists from its view. */
export function buildCard<Request, Inputs, Memo>(
  { progress }: Pick<Show<Request, Inputs, Memo, never>, 'progress'>,
  view: View<Memo>,
  about: About<Request, Inputs>,
  { at, left }: { readonly at: number; readonly left: boolean },
): Card {
  const { seq, ended, question, wait, tokens, costUsd, unknownCalls, estimatedCalls, caps } = view.state
  return {
    seq,
    at,
    standing: ended?.ending ?? (question || (wait && !left) ? 'waiting' : left ? 'interrupted' : 'open'),
    ...progress(view, about),
    needsYou: question !== undefined,
    ...describeWait(view.state),
    spend: {
      tokens,
      costUsd,
      ...(unknownCalls > 0 && { atLeast: true as const }),
      ...(estimatedCalls > 0 && { estimated: true as const }),
    },
    caps,
  }
}

function describeWait(state: LoopState): Pick<Card, 'waits'> {
  const { ended, question, wait, decision } = state
  if (ended || !(question || wait)) return {}
  if (question) return { waits: { for: isPaused(state) ? 'resume' : 'answer' } }
  const isLimit = decision?.do === 'wait' && decision.reason.code === 'usage_limit'
  return { waits: { for: isLimit ? 'limit' : 'retry', ...(wait && { until: wait.until }) } }
}
