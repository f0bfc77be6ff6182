import { z } from 'zod'
import {
  type Call,
  type Decision,
  Fact,
  type LoopEvent,
  type Note,
  type Outcome,
  type Stamp,
  type Verdict,
} from './event.ts'

/** One line of `progress.ndjson`. `phase/status` identifies the event type; `context` holds its other fields. */
export const Line = z
  .object({
    seq: z.int().min(1),
    /** Epoch of the owner that wrote the line. A line does not count if an earlier line has a higher epoch. */
    epoch: z.int().nonnegative(),
    timestamp: z.iso.datetime(),
    /** Monotonic time since the previous line. */
    ms: z.number().nonnegative(),
    run_id: z.string(),
    /** Null for events of the run itself. */
    story_id: z.string().nullable(),
    phase: z.string(),
    attempt: z.int().nullable(),
    status: z.string(),
    context: z.record(z.string(), z.unknown()).readonly(),
  })
  .readonly()
export type Line = z.infer<typeof Line>

export function toLine(event: LoopEvent, run: string): Line {
  const { seq, epoch, at, ms, task, chore, attempt, ...fact } = event
  const [phase, status, context] = toWords(fact)
  return {
    seq,
    epoch,
    timestamp: new Date(at).toISOString(),
    ms,
    run_id: run,
    story_id: chore ? null : task,
    phase,
    attempt,
    status,
    context: chore ? { ...context, chore: task } : context,
  }
}

/** Returns undefined for an event that this version does not know; throws if a known event is malformed. */
export function fromLine(line: Line): LoopEvent | undefined {
  const { chore, ...context } = line.context
  const words = fromWords(line.phase, line.status, context)
  if (!words) return undefined
  const fact = Fact.parse(words)
  const stamp = readStamp(line)
  return typeof chore === 'string'
    ? { ...fact, ...stamp, task: chore, chore: true }
    : { ...fact, ...stamp, task: line.story_id }
}

/** Parses by hand: a schema would be too slow for every line of a long journal. */
function readStamp({
  seq,
  epoch,
  ms,
  attempt,
  story_id,
  timestamp,
}: Line): Omit<Stamp, 'task' | 'chore'> & { epoch: number } {
  const at = Date.parse(timestamp)
  const numbered = Number.isInteger(seq) && Number.isInteger(epoch) && typeof ms === 'number' && ms >= 0
  const placed = (attempt === null || Number.isInteger(attempt)) && (story_id === null || typeof story_id === 'string')
  if (!numbered || !placed || Number.isNaN(at)) throw new Error('invalid number, time or task')
  return { seq, epoch, at, ms, attempt }
}

type Words = readonly [phase: string, status: string, context: Readonly<Record<string, unknown>>]

const says = {
  answer: 'answered',
  pause: 'paused',
  unpause: 'unpaused',
  cancel: 'cancelled',
  'skip-wait': 'skipped-wait',
  raise: 'raised',
  feedback: 'commented',
  amend: 'amended',
} as const satisfies Record<Note['say'], string>
const heard = new Map(Object.entries(says).map(([say, status]) => [status as string, say]))
const settledAs = new Set(['done', 'failed', 'blocked', 'interrupted'])
const decided = new Set(['retry', 'escalate', 'failover', 'wait', 'pause', 'raise', 'stop'] satisfies Decision['do'][])
const runFacts = new Set(['started', 'resumed', 'interrupted', 'reopened'])
const outcomes = new Set<string>([
  'ok',
  'failed',
  'timed-out',
  'interrupted',
  'unavailable',
] satisfies Outcome['status'][])
const calls = new Set<string>(['ok', 'failed', 'unavailable'] satisfies Call['status'][])
const verdicts = new Set<string>(['passed', 'failed', 'unavailable'] satisfies Verdict['status'][])
const endings = new Set(['completed', 'failed', 'blocked', 'cancelled'])

function toWords(fact: Fact): Words {
  switch (fact.type) {
    case 'run-started':
    case 'run-resumed':
    case 'run-interrupted':
    case 'run-reopened': {
      const { type, ...context } = fact
      return ['run', type.slice('run-'.length), context]
    }
    case 'run-ended':
      return ['run', fact.ending, { reason: fact.reason }]
    case 'task-picked':
      return ['task', 'picked', { task: fact.picked }]
    case 'attempt-started':
      return ['execute', 'started', { via: fact.via }]
    case 'attempt-ended':
      return withStatus('execute', fact.outcome)
    case 'call-ended':
      return withStatus('call', fact.call)
    case 'verdict-reached':
      return withStatus('verify', fact.verdict)
    case 'decision-made': {
      const { do: verb, ...rest } = fact.decision
      if (fact.decision.do === 'settle') return ['decide', fact.decision.as, { by: fact.by }]
      return ['decide', verb, { by: fact.by, ...rest }]
    }
    case 'wait-ended':
      return ['wait', fact.skipped ? 'skipped' : 'ended', {}]
    case 'note-received': {
      const { say, ...note } = fact.note
      return ['human', says[say], note]
    }
  }
}

function withStatus(phase: string, { status, ...context }: { readonly status: string }): Words {
  return [phase, status, context]
}

function fromWords(
  phase: string,
  status: string,
  context: Record<string, unknown>,
): Record<string, unknown> | undefined {
  switch (phase) {
    case 'run':
      if (runFacts.has(status)) return { ...context, type: `run-${status}` }
      return endings.has(status) ? { type: 'run-ended', ending: status, reason: context.reason } : undefined
    case 'task':
      return status === 'picked' ? { type: 'task-picked', picked: context.task } : undefined
    case 'execute':
      if (status === 'started') return { type: 'attempt-started', via: context.via }
      return outcomes.has(status) ? { type: 'attempt-ended', outcome: { ...context, status } } : undefined
    case 'call':
      return calls.has(status) ? { type: 'call-ended', call: { ...context, status } } : undefined
    case 'verify':
      return verdicts.has(status) ? { type: 'verdict-reached', verdict: { ...context, status } } : undefined
    case 'decide': {
      const { by, ...rest } = context
      if (settledAs.has(status)) return { type: 'decision-made', decision: { do: 'settle', as: status }, by }
      return decided.has(status as never) ? { type: 'decision-made', decision: { ...rest, do: status }, by } : undefined
    }
    case 'wait':
      return status === 'ended' || status === 'skipped'
        ? { type: 'wait-ended', skipped: status === 'skipped' }
        : undefined
    case 'human': {
      const say = heard.get(status)
      return say ? { type: 'note-received', note: { ...context, say } } : undefined
    }
    default:
      return undefined
  }
}
