import { createHash } from 'node:crypto'
import type { LoopEvent } from '../../contract/event.ts'
import { judging, type LoopState } from '../../kernel/state.ts'

/** One span of a trace. Times are milliseconds since the epoch. It holds ids and numbers, never a text of a run. */
export type Span = {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: 'turn' | 'attempt' | 'evaluation' | 'call' | 'wait'
  readonly start: number
  readonly end: number
  readonly isError: boolean
  readonly attributes: Readonly<Record<string, string | number>>
}

export type TracedTurn = { readonly run: string; readonly mode: string; readonly job: string; readonly start: number }

/** What a turn has begun and not ended. */
export type OpenSpans = {
  readonly turn: TracedTurn
  /** Tokens that the calls of the turn and of its open attempt are known to have used. */
  readonly tokens: number
  readonly attemptTokens: number
  readonly attempt?: Begun | undefined
  readonly evaluation?: Begun | undefined
  readonly waitingSince?: number | undefined
}
type Begun = { readonly spanId: string; readonly at: number }

/** What one event ends, and what is open after it. */
type Step = { readonly open: OpenSpans; readonly spans: readonly Span[] }

export const beginTurn = (turn: TracedTurn): OpenSpans => ({ turn, tokens: 0, attemptTokens: 0 })

/**
 * Pure. Makes spans from an event and the state after it. A wait belongs to the turn in which it ends, which may be on another
 * machine. An attempt or evaluation of an earlier turn begins here with this turn's first event: nobody saw it before that.
 */
export function traceEvent(before: OpenSpans, event: LoopEvent, state: LoopState): Step {
  const waited = endWait(before, event, state)
  const open: OpenSpans = { ...before, waitingSince: state.wait && state.wait.until - state.wait.ms }
  const step = traceWork(open, event, state)
  return { open: step.open, spans: [...waited, ...step.spans] }
}

function traceWork(open: OpenSpans, event: LoopEvent, state: LoopState): Step {
  switch (event.type) {
    case 'run-resumed':
      if (state.running) return { open: { ...open, attempt: begin(open, 'attempt', event) }, spans: [] }
      return { open: judging(state) ? { ...open, evaluation: begin(open, 'evaluation', event) } : open, spans: [] }
    case 'attempt-started':
      return { open: { ...open, attempt: begin(open, 'attempt', event), attemptTokens: 0 }, spans: [] }
    case 'call-ended':
      return endCall(open, event)
    case 'attempt-ended': {
      const { status } = event.outcome
      const attempt = open.attempt ?? begin(open, 'attempt', event)
      const facts = { ...describe(event), 'pawl.status': status, 'pawl.tokens': open.attemptTokens }
      const span = makeSpan(open.turn, 'attempt', attempt, event.at, status !== 'ok', facts)
      const evaluation = judging(state) ? begin(open, 'evaluation', event) : undefined
      return { open: { ...open, attempt: undefined, evaluation }, spans: [span] }
    }
    case 'verdict-reached': {
      const { status } = event.verdict
      const evaluation = open.evaluation ?? begin(open, 'evaluation', event)
      const facts = { ...describe(event), 'pawl.status': status }
      const span = makeSpan(open.turn, 'evaluation', evaluation, event.at, status === 'unavailable', facts)
      return { open: { ...open, evaluation: undefined }, spans: [span] }
    }
    case 'run-started':
    case 'run-interrupted':
    case 'run-reopened':
    case 'run-ended':
    case 'task-picked':
    case 'decision-made':
    case 'wait-ended':
    case 'note-received':
      return { open, spans: [] }
  }
}

function endCall(open: OpenSpans, event: Extract<LoopEvent, { type: 'call-ended' }>): Step {
  const { status, usage, providerMs } = event.call
  const tokens = usage.tokens ?? 0
  const begun = { spanId: spanIdOf(open.turn, 'call', event.seq), at: event.at - providerMs }
  // An unknown number is left out: a zero would be wrong.
  const used: Span['attributes'] = usage.tokens === null ? {} : { 'pawl.tokens': usage.tokens }
  const facts = { ...describe(event), 'pawl.status': status, ...used }
  const parent = (open.attempt ?? open.evaluation)?.spanId
  const span = makeSpan(open.turn, 'call', begun, event.at, status !== 'ok', facts, parent)
  return {
    open: { ...open, tokens: open.tokens + tokens, attemptTokens: open.attemptTokens + tokens },
    spans: [span],
  }
}

function endWait({ turn, waitingSince }: OpenSpans, event: LoopEvent, state: LoopState): readonly Span[] {
  if (waitingSince === undefined || state.wait) return []
  const begun = { spanId: spanIdOf(turn, 'wait', event.seq), at: waitingSince }
  const status = event.type === 'wait-ended' && !event.skipped ? 'over' : 'skipped'
  return [makeSpan(turn, 'wait', begun, event.at, false, { ...describe(event), 'pawl.status': status })]
}

/** Ends the turn, and with it what is still open. `status`: what the run wants next, or `failed`. */
export function endTurn(
  { turn, tokens, attempt, evaluation }: OpenSpans,
  end: number,
  status: string,
): readonly Span[] {
  const left = { 'pawl.status': 'left' }
  const facts = { 'pawl.status': status, 'pawl.tokens': tokens }
  return [
    ...(attempt ? [makeSpan(turn, 'attempt', attempt, end, true, left)] : []),
    ...(evaluation ? [makeSpan(turn, 'evaluation', evaluation, end, true, left)] : []),
    makeSpan(turn, 'turn', { spanId: turnId(turn), at: turn.start }, end, status === 'failed', facts),
  ]
}

const begin = ({ turn }: OpenSpans, name: Span['name'], { seq, at }: LoopEvent): Begun => ({
  spanId: spanIdOf(turn, name, seq),
  at,
})

function makeSpan(
  turn: TracedTurn,
  name: Span['name'],
  { spanId, at }: Begun,
  end: number,
  isError: boolean,
  facts: Span['attributes'],
  parent = turnId(turn),
): Span {
  return {
    traceId: hash(turn.run).slice(0, 32),
    spanId,
    ...(name !== 'turn' && { parentSpanId: parent }),
    name,
    start: Math.min(at, end),
    end,
    isError,
    attributes: { 'pawl.run': turn.run, 'pawl.mode': turn.mode, ...facts },
  }
}

/** A story's id may be a sentence of its author: what is longer than an id stays here. */
const mostIdLength = 60

const describe = ({ task, attempt }: LoopEvent): Span['attributes'] => ({
  ...(task !== null && { 'pawl.task': task.slice(0, mostIdLength) }),
  ...(attempt !== null && { 'pawl.attempt': attempt }),
})

const turnId = ({ run, job, start }: TracedTurn): string => hash(`${run} ${job} ${start}`).slice(0, 16)
const spanIdOf = ({ run }: TracedTurn, name: Span['name'], seq: number): string =>
  hash(`${run} ${name} ${seq}`).slice(0, 16)
const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
