import { createHash } from 'node:crypto'
import type { Decision, LoopEvent, Note, Outcome, Verdict } from '../../../contract/event.ts'
import type { LoopState } from '../../../kernel/state.ts'
import { attemptData, callData, noScoreData, phasesData, scoreData } from '../core/event-data.ts'
import type { Hide } from './sap-hide.ts'
import type { SapSums } from './sap-sums.ts'

export type SapKind =
  | 'start'
  | 'phases'
  | 'generate'
  | 'score'
  | 'retry'
  | 'escalation'
  | 'failover'
  | 'wait'
  | 'pause'
  | 'resume'
  | 'feedback'
  | 'error'
  | 'abort'
  | 'completion'
  | 'single-shot'
  | 'calibration'

/** Values that are the same in every line of a run. */
export type SapAbout = {
  readonly job?: string | undefined
  readonly run: string
  readonly taskId: string
  readonly correlationId: string
  readonly branch: string | null
  /** The first rung. */
  readonly start: string
  /** Labels of rungs, by id. */
  readonly labels: Readonly<Record<string, string>>
  readonly hide: Hide
}

/** One line of `agent_logs/sap.log`: the seeds' fields first, then ours. Null means unknown. Never contains texts. */
export type SapLine = {
  readonly timestamp: string
  readonly task_id: string
  readonly branch: string | null
  readonly uuid: string
  readonly correlation_id: string
  readonly model_used: string | null
  /** Engine, provider and wait time of the run so far. */
  readonly elapsed_ms: number
  readonly score: number | null
  readonly sub_agent: null
  /** The turn in the queue, if a worker executes the run. */
  readonly queue_job_id: string | null
  readonly iteration: number | null
  readonly pruned_tokens: number | null
  readonly outcome: string | null
  readonly event: SapKind
  /** The cause of an error or abort: a provider's message, without people, keys and texts. */
  readonly detail: string | null
  readonly seq: number
  readonly state: 'Pending' | 'Paused' | 'Resumed' | 'Completed' | 'Aborted'
  readonly raw_score: number | null
  readonly calibration_id: string | null
  readonly engine_ms: number
  readonly provider_ms: number
  readonly wait_ms: number
  /** Bytes sent to other machines since the line before. */
  readonly remote: SapSums['sends'] | null
  readonly phase: string | null
  /** Pseudonym of a person. */
  readonly by: string | null
  readonly run_id: string
  /** Number of the line in its run, counted before sampling. */
  readonly line: number
}

/** Fields that depend on the kind of event. */
type OwnFields = { readonly event: SapKind } & Partial<
  Pick<SapLine, 'outcome' | 'score' | 'raw_score' | 'calibration_id' | 'pruned_tokens' | 'model_used' | 'by'>
>

/** Undefined if the event is not logged. `state` and `sums` are those after the event. */
export function sapLine(
  event: LoopEvent,
  { state, sums }: { readonly state: LoopState; readonly sums: SapSums },
  about: SapAbout,
): SapLine | undefined {
  const own = describeEvent(event, state, sums, about)
  if (!own) return undefined
  const provider = Math.round(sums.providerMs)
  const engine = Math.max(0, Math.round(state.activeMs) - provider)
  const wait = Math.round(state.waitMs)
  return {
    timestamp: new Date(event.at).toISOString(),
    task_id: about.hide.words(about.taskId),
    branch: about.branch === null ? null : about.hide.words(about.branch),
    uuid: createUuid(about.run, event.seq),
    correlation_id: about.hide.words(about.correlationId),
    model_used: own.model_used ?? findLabel(state.via || about.start, about),
    elapsed_ms: engine + provider + wait,
    score: own.score ?? null,
    sub_agent: null,
    queue_job_id: about.job ?? null,
    iteration: sums.iteration,
    pruned_tokens: own.pruned_tokens ?? null,
    outcome: readCode(own.outcome, about.hide),
    event: own.event,
    detail: own.event === 'error' || own.event === 'abort' ? hideDetail(sums.problem, about.hide) : null,
    seq: event.seq,
    state: readState(state, sums),
    raw_score: own.raw_score ?? null,
    calibration_id: own.calibration_id ?? null,
    engine_ms: engine,
    provider_ms: provider,
    wait_ms: wait,
    remote: sums.sends.length ? sums.sends : null,
    phase: event.task,
    by: own.by ?? null,
    run_id: about.run,
    line: sums.lines + 1,
  }
}

/** Derived from the event, so that readers can recognize a line that was written twice. */
export function createUuid(run: string, seq: number): string {
  const bytes = createHash('sha256').update(`${run}/${seq}`).digest().subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x80
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

function describeEvent(event: LoopEvent, state: LoopState, sums: SapSums, about: SapAbout): OwnFields | undefined {
  switch (event.type) {
    case 'run-started':
      return { event: 'start', outcome: 'started' }
    case 'run-resumed':
      return { event: 'resume', outcome: 'resumed' }
    case 'run-reopened':
      return { event: 'resume', outcome: 'reopened', by: about.hide.person(event.by) }
    case 'run-interrupted':
      return { event: 'pause', outcome: 'interrupted' }
    case 'run-ended':
      // The kernel's reason names the person who cancelled.
      if (event.ending === 'cancelled') return { event: 'abort', outcome: 'cancelled' }
      return { event: event.ending === 'completed' ? 'completion' : 'abort', outcome: event.reason.code }
    case 'call-ended': {
      const data = callData(event.call)
      if (data?.role !== 'calibrate') return undefined
      const { status, via } = event.call
      return {
        event: 'calibration',
        outcome: data.fault ?? status,
        raw_score: data.raw,
        model_used: findLabel(via, about),
      }
    }
    case 'attempt-ended':
      return event.chore && sums.role !== 'single-shot' ? chored(event.outcome) : attempted(event.outcome, sums)
    case 'verdict-reached':
      return judged(event.verdict)
    case 'decision-made':
      return decided(event.decision, about)
    case 'note-received':
      return { ...noted(event.note, state), by: about.hide.person(event.note.by) }
    case 'task-picked':
    case 'attempt-started':
    case 'wait-ended':
      return undefined
  }
}

/** Chores are logged only if they plan phases or fail. */
function chored(outcome: Outcome): OwnFields | undefined {
  const { status } = outcome
  if (status !== 'ok' && status !== 'interrupted')
    return { event: 'error', outcome: attemptData(outcome).fault ?? status }
  const data = phasesData(outcome)
  return data && { event: 'phases', outcome: `${data.phases} by ${data.source}` }
}

function attempted(outcome: Outcome, { role }: SapSums): OwnFields {
  const { status } = outcome
  const { crossing, fault, prunedTokens } = attemptData(outcome)
  const fine = status === 'ok' || status === 'interrupted' || crossing === 'soft'
  const event = fine ? (role === 'single-shot' ? 'single-shot' : 'generate') : 'error'
  return {
    event,
    outcome: crossing ? `crossing-${crossing}` : (fault ?? status),
    pruned_tokens: prunedTokens ?? null,
  }
}

function judged(verdict: Verdict): OwnFields | undefined {
  const { status, score } = verdict
  if (status === 'unavailable') return { event: 'error', outcome: `no-score-${noScoreData(verdict).why ?? 'unknown'}` }
  if (score === undefined) return undefined
  const data = scoreData(verdict)
  const outcome = status === 'passed' ? 'pass' : (data?.band ?? 'failed')
  const [raw, calibration] = [data?.raw ?? null, data?.calibration?.id ?? null]
  return { event: 'score', outcome, score, raw_score: raw, calibration_id: calibration }
}

function decided(decision: Decision, about: SapAbout): OwnFields | undefined {
  switch (decision.do) {
    case 'retry':
      return { event: 'retry', outcome: decision.afterMs ? `after ${decision.afterMs} ms` : 'at once' }
    case 'escalate':
      return { event: 'escalation', outcome: `to ${findLabel(decision.via, about)}` }
    case 'failover':
      return { event: 'failover', outcome: `to ${findLabel(decision.via, about)}` }
    case 'wait':
      return { event: 'wait', outcome: decision.reason.code }
    case 'pause':
      return { event: 'pause', outcome: decision.question.topic.code }
    case 'settle':
    case 'raise':
    case 'stop':
      return undefined
  }
}

/** An accepted answer resumes the run; everything else that people send is feedback. */
const noted = (note: Note, { answer }: LoopState): OwnFields =>
  note.say === 'answer' && answer?.id === note.id
    ? { event: 'resume', outcome: note.choice ?? 'answered' }
    : { event: 'feedback', outcome: note.say }

function readState({ ended, question }: LoopState, { standing }: SapSums): SapLine['state'] {
  if (ended) return ended.ending === 'completed' ? 'Completed' : 'Aborted'
  return question ? 'Paused' : standing
}

const findLabel = (via: string, { labels }: SapAbout): string | null => labels[via] ?? (via || null)

const hideDetail = (problem: string | null, hide: Hide): string | null =>
  problem === null ? null : hide.words(problem)

/** Lets only short codes and names of models through. */
function readCode(outcome: string | null | undefined, hide: Hide): string | null {
  if (outcome === null || outcome === undefined) return null
  return /^[\w:./@+() -]{1,80}$/.test(outcome) ? hide.words(outcome) : 'other'
}
