import type { LoopEvent } from '../../contract/event.ts'
import type { Reason } from '../../contract/reasons.ts'
import type { CapName } from '../../contract/values.ts'
import type { LoopState } from '../../kernel/state.ts'
import { formatAction } from '../../show/action.ts'
import { formatCount } from '../../show/format.ts'
import { type Spend, summarizeSpend } from '../../show/spend.ts'
import { chooseNextAction } from '../next-action.ts'

/** Something that a person who looks elsewhere wants to know. It holds nothing of prompts and outputs. */
export type Notice = {
  readonly reason: 'done' | 'needs-you' | 'failed' | 'budget-80' | 'waiting'
  readonly text: string
  /** The event that it comes from: together with the run it names the notice, also when it is sent twice. */
  readonly seq: number
  readonly at: number
  readonly spend: Spend
  readonly next: string | null
}

type NoticeContext = Pick<Notice, 'reason' | 'text'>

/** What notices are made from besides events: names, and the words of the mode. */
export type Notified = {
  readonly id: string
  readonly name: string
  readonly program: string
  /** What a task is called. */
  readonly unit: { readonly one: string; readonly many: string }
  setting(cap: CapName): string
  format(reason: Reason): string
}

/** Pure: each notice belongs to the one event that brings it about, so that it comes once, also across a resume. */
export function findNotices(event: LoopEvent, before: LoopState, after: LoopState, run: Notified): readonly Notice[] {
  const told = [
    ...ended(event, run),
    ...formatNeed(event, run),
    ...waited(before, after),
    ...crossed(event, before, after, run),
  ]
  const standing = after.ended?.ending ?? (after.question || after.wait ? 'waiting' : 'running')
  const action = chooseNextAction(run.id, standing, after)
  const next = action ? formatAction(action, run.program).join(' ') : null
  const { seq, at } = event
  const spend = summarizeSpend(after)
  return told.map(({ reason, text }) => ({
    reason,
    text: `${run.name} ${text} (${counts(after, run)})${next && reason !== 'budget-80' ? `. Go on: ${next}` : ''}`,
    seq,
    at,
    spend,
    next,
  }))
}

/** Whoever cancels a run knows of it. */
function ended(event: LoopEvent, { format }: Notified): NoticeContext[] {
  if (event.type !== 'run-ended' || event.ending === 'cancelled') return []
  const why = format(event.reason)
  if (event.ending === 'completed') return [{ reason: 'done', text: `is done: ${why}` }]
  if (event.ending === 'blocked') return [{ reason: 'needs-you', text: `is blocked: ${why}` }]
  return [{ reason: 'failed', text: `has failed: ${why}` }]
}

function formatNeed(event: LoopEvent, { format }: Notified): NoticeContext[] {
  if (event.type !== 'decision-made' || event.decision.do !== 'pause') return []
  const { topic } = event.decision.question
  return [{ reason: 'needs-you', text: topic.code === 'paused' ? 'is paused' : `asks: ${format(topic)}` }]
}

const longWaitMs = 10 * 60_000

function waited(before: LoopState, { wait, waitMs, caps }: LoopState): NoticeContext[] {
  if (before.wait || !wait || wait.ms <= longWaitMs) return []
  // A wait that its bound cannot hold is not begun; the run ends instead, and says so.
  if (waitMs + wait.ms > (caps.waitMs ?? Infinity)) return []
  const until = new Date(wait.until).toISOString().slice(0, 16).replace('T', ' ')
  return [{ reason: 'waiting', text: `waits for a limit to pass until ${until} UTC` }]
}

const watchedBounds = ['activeMs', 'costUsd', 'tokens'] as const
const early = 0.8

/** A bound that is raised is a new one, and can be reached again. Once the run has ended it is no longer news. */
function crossed(event: LoopEvent, before: LoopState, after: LoopState, { setting }: Notified): NoticeContext[] {
  if (event.type === 'run-ended') return []
  const reached = (state: LoopState, cap: (typeof watchedBounds)[number]): boolean =>
    state[cap] >= early * (state.caps[cap] ?? Infinity)
  const caps = watchedBounds.filter((cap) => reached(after, cap) && !reached(before, cap))
  return caps.length === 0
    ? []
    : [{ reason: 'budget-80', text: `has used 80 % of ${caps.map(setting).join(' and of ')}` }]
}

function counts({ tasks, tokens, costUsd, unknownCalls }: LoopState, { unit }: Notified): string {
  const mark = unknownCalls > 0 ? 'at least ' : ''
  const parts = [formatCount(tasks, unit.one, unit.many)]
  if (tokens) parts.push(`${mark}${tokens.toLocaleString('en')} tokens`)
  if (costUsd) parts.push(`${mark}$${costUsd.toFixed(2)}`)
  return parts.join(', ')
}
