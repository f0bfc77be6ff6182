import type { LoopEvent } from '../../contract/event.ts'
import type { Reason } from '../../contract/reasons.ts'
import type { CapName } from '../../contract/values.ts'
import type { LoopState } from '../../kernel/state.ts'
import { formatAction } from '../../show/action.ts'
import { formatCount, formatMoment, formatZone } from '../../show/format.ts'
import { type Spend, summarizeSpend } from '../../show/spend.ts'
import { chooseNextAction } from '../next-action.ts'

/** A notification for a person who is not watching the run. Contains no prompts or outputs. */
export type Notice = {
  readonly reason: 'done' | 'needs-you' | 'failed' | 'budget-80' | 'waiting'
  readonly text: string
  /** The event that caused it. Run and `seq` identify a notice, even if it is sent twice. */
  readonly seq: number
  readonly at: number
  readonly spend: Spend
  readonly next: string | null
}

type NoticeContext = Pick<Notice, 'reason' | 'text'>

/** The names and the wording used in notices. */
export type Notified = {
  readonly id: string
  readonly name: string
  readonly program: string
  /** The mode's name for a task. */
  readonly unit: { readonly one: string; readonly many: string }
  setting(cap: CapName): string
  format(reason: Reason): string
}

/** Pure. Returns the notices that one event causes. Each is caused by exactly one event, so a resumed run does not repeat it. */
export function findNotices(event: LoopEvent, before: LoopState, after: LoopState, run: Notified): readonly Notice[] {
  const found = [
    ...findEndNotice(event, run),
    ...findQuestionNotice(event, run),
    ...findWaitNotice(before, after),
    ...findBudgetNotice(event, before, after, run),
  ]
  const standing = after.ended?.ending ?? (after.question || after.wait ? 'waiting' : 'running')
  const action = chooseNextAction(run.id, standing, after)
  const next = action ? formatAction(action, run.program).join(' ') : null
  const { seq, at } = event
  const spend = summarizeSpend(after)
  return found.map(({ reason, text }) => ({
    reason,
    text: `${run.name} ${text} (${formatCounts(after, run)})${next && reason !== 'budget-80' ? `. Next: ${next}` : ''}`,
    seq,
    at,
    spend,
    next,
  }))
}

/** No notice for a cancelled run: the person who cancelled it knows. */
function findEndNotice(event: LoopEvent, { format }: Notified): NoticeContext[] {
  if (event.type !== 'run-ended' || event.ending === 'cancelled') return []
  const why = format(event.reason)
  if (event.ending === 'completed') return [{ reason: 'done', text: `is done: ${why}` }]
  if (event.ending === 'blocked') return [{ reason: 'needs-you', text: `is blocked: ${why}` }]
  return [{ reason: 'failed', text: `failed: ${why}` }]
}

function findQuestionNotice(event: LoopEvent, { format }: Notified): NoticeContext[] {
  if (event.type !== 'decision-made' || event.decision.do !== 'pause') return []
  const { topic } = event.decision.question
  return [{ reason: 'needs-you', text: topic.code === 'paused' ? 'is paused' : `asks: ${format(topic)}` }]
}

const longWaitMs = 10 * 60_000

function findWaitNotice(before: LoopState, { wait, waitMs, caps }: LoopState): NoticeContext[] {
  if (before.wait || !wait || wait.ms <= longWaitMs) return []
  // A wait that would exceed its cap never starts: the run ends, with its own notice.
  if (waitMs + wait.ms > (caps.waitMs ?? Infinity)) return []
  const until = `${formatMoment(wait.until)} ${formatZone(wait.until)}`
  return [{ reason: 'waiting', text: `is waiting for a limit to reset until ${until}` }]
}

const watchedBounds = ['activeMs', 'costUsd', 'tokens'] as const
const warnAt = 0.8

/** A raised cap can be reached again. No notice once the run has ended. */
function findBudgetNotice(
  event: LoopEvent,
  before: LoopState,
  after: LoopState,
  { setting }: Notified,
): NoticeContext[] {
  if (event.type === 'run-ended') return []
  const reached = (state: LoopState, cap: (typeof watchedBounds)[number]): boolean =>
    state[cap] >= warnAt * (state.caps[cap] ?? Infinity)
  const caps = watchedBounds.filter((cap) => reached(after, cap) && !reached(before, cap))
  return caps.length === 0
    ? []
    : [{ reason: 'budget-80', text: `has used 80 % of ${caps.map(setting).join(' and of ')}` }]
}

function formatCounts({ tasks, tokens, costUsd, unknownCalls, estimatedCalls }: LoopState, { unit }: Notified): string {
  const mark = `${unknownCalls > 0 ? 'at least ' : ''}${estimatedCalls > 0 ? '~' : ''}`
  const parts = [formatCount(tasks, unit.one, unit.many)]
  if (tokens) parts.push(`${mark}${tokens.toLocaleString('en')} tokens`)
  if (costUsd) parts.push(`${mark}$${costUsd.toFixed(2)}`)
  return parts.join(', ')
}
