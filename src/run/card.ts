import type { Card } from '../contract/show.ts'
import type { View } from '../kernel/policy.ts'
import type { LoopState } from '../kernel/state.ts'
import { toOneLine } from '../show/format.ts'
import { formatReason } from '../show/reasons.ts'
import type { About, Reasons, Show } from '../show/show.ts'
import { isPaused } from './next-action.ts'

type CardMode<Request, Inputs, Memo> = {
  readonly show: Pick<Show<Request, Inputs, Memo, never>, 'progress' | 'doing' | 'setting'>
  readonly reasons: Reasons<Memo>
  sealedBy(request: Request): unknown
}

const mostLetters = 200

/** Builds a run's entry in lists from its view. */
export function buildCard<Request, Inputs, Memo>(
  mode: CardMode<Request, Inputs, Memo>,
  view: View<Memo>,
  about: About<Request, Inputs>,
  { at, left }: { readonly at: number; readonly left: boolean },
): Card {
  const { seq, ended, question, wait, tokens, costUsd, activeMs, unknownCalls, estimatedCalls, caps } = view.state
  return {
    seq,
    at,
    standing: ended?.ending ?? (question || (wait && !left) ? 'waiting' : left ? 'interrupted' : 'open'),
    ...mode.show.progress(view, about),
    says: toOneLine(describeStanding(mode, view, about), mostLetters),
    needsYou: question !== undefined,
    ...describeWait(view.state),
    spend: {
      tokens,
      costUsd,
      activeMs,
      ...(unknownCalls > 0 && { atLeast: true as const }),
      ...(estimatedCalls > 0 && { estimated: true as const }),
    },
    caps,
  }
}

function describeStanding<Request, Inputs, Memo>(
  { show, reasons, sealedBy }: CardMode<Request, Inputs, Memo>,
  view: View<Memo>,
  about: About<Request, Inputs>,
): string {
  const { ended, question, wait, decision, task, running, attempt } = view.state
  const waits = wait && decision?.do === 'wait' ? decision.reason : undefined
  const reason = ended?.reason ?? question?.topic ?? waits
  if (reason) return formatReason(reasons, reason, show.setting)
  // A card is stored in the clear, and a task's title may come from a sealed text.
  if (!task || sealedBy(about.request) !== undefined) return ''
  return show.doing({ doing: running ? 'attempt' : 'evaluate', task: task.id, attempt, since: 0 }, about, view)
}

function describeWait(state: LoopState): Pick<Card, 'waits'> {
  const { ended, question, wait, decision } = state
  if (ended || !(question || wait)) return {}
  if (question) return { waits: { for: isPaused(state) ? 'resume' : 'answer' } }
  const isLimit = decision?.do === 'wait' && decision.reason.code === 'usage_limit'
  return { waits: { for: isLimit ? 'limit' : 'retry', ...(wait && { until: wait.until }) } }
}
