import type { Call, Decision, LoopEvent, Note, Outcome, Question, Stop, Task, Verdict } from '../contract/event.ts'
import type { CapName, Caps } from '../contract/values.ts'

/** The state of a loop besides its policy's memo. Bounded: nothing here grows with the number of tasks. */
export type LoopState = {
  readonly seq: number
  readonly caps: Caps
  readonly pins: Readonly<Record<string, string>>
  /** Totals. They never decrease, even when a run is reopened. */
  readonly tasks: number
  readonly attempts: number
  readonly tokens: number
  readonly overheadTokens: number
  readonly costUsd: number
  readonly unknownCalls: number
  readonly estimatedCalls: number
  readonly activeMs: number
  readonly waitMs: number
  readonly escalations: number
  readonly lastNote: number
  readonly reopenedSeq: number
  /** Streaks. */
  readonly failuresInARow: number
  readonly interruptionsInARow: number
  readonly choresInARow: number
  /** The open task. `attempt` numbers its attempts; `burned` and `retries` count against its caps. */
  readonly task?: Task | undefined
  readonly via: string
  readonly attempt: number
  readonly running: boolean
  readonly burned: number
  readonly retries: number
  readonly taskMs: number
  readonly calls: Readonly<Record<string, Call>>
  readonly outcome?: Outcome | undefined
  readonly verdict?: Verdict | undefined
  /** The decision on the open task's last attempt. A pause or a raise is not one: the policy is asked again. */
  readonly decision?: Exclude<Decision, { do: 'pause' | 'raise' }> | undefined
  readonly wait?: { readonly until: number; readonly ms: number; readonly skipped?: true } | undefined
  readonly question?: Question | undefined
  readonly answer?: Extract<Note, { say: 'answer' }> | undefined
  readonly pauseBy?: string | undefined
  readonly cancelBy?: string | undefined
  /** `grace`: one more attempt although a cap is spent. `graced`: the caps whose grace attempt is used. */
  readonly grace: boolean
  readonly graced: readonly CapName[]
  readonly stop?: Stop | undefined
  readonly ended?: { readonly ending: Stop['ending']; readonly reason: Stop['reason'] } | undefined
}

const noSpend = { tokens: 0, overheadTokens: 0, costUsd: 0, unknownCalls: 0, estimatedCalls: 0 } as const
const noTotals = { tasks: 0, attempts: 0, ...noSpend, escalations: 0, lastNote: 0, reopenedSeq: 0 } as const
const noTime = { activeMs: 0, waitMs: 0 } as const
const noStreaks = { failuresInARow: 0, interruptionsInARow: 0, choresInARow: 0, grace: false, graced: [] } as const
const unused = { burned: 0, retries: 0, taskMs: 0 } as const
const noTask = { via: '', attempt: 0, running: false, calls: {}, ...unused } as const
export const emptyState: LoopState = { seq: 0, caps: {}, pins: {}, ...noTotals, ...noTime, ...noStreaks, ...noTask }

const unjudged = { outcome: undefined, verdict: undefined, decision: undefined, answer: undefined } as const

/** Pure. Returns the state after one stored event; used both live and on replay. */
export function reduce(before: LoopState, event: LoopEvent): LoopState {
  const s = passTime(before, event)
  switch (event.type) {
    case 'run-started':
      return { ...s, caps: event.caps, pins: event.pins }
    case 'run-interrupted':
      return s
    case 'run-resumed':
      return judging(s) ? { ...s, interruptionsInARow: s.interruptionsInARow + 1 } : s
    case 'run-reopened':
      return reopened(s, event.caps)
    case 'run-ended':
      return { ...s, ended: { ending: event.ending, reason: event.reason } }
    case 'task-picked':
      return picked(s, event.picked)
    case 'attempt-started':
      return started(s, event.via, event.attempt)
    case 'call-ended':
      return spent(s, event.call)
    case 'attempt-ended':
      return attempted(s, event.outcome)
    case 'verdict-reached':
      return judged(s, event.verdict)
    case 'decision-made':
      return decided(s, event)
    case 'wait-ended':
      return waited(s)
    case 'note-received':
      return noted(s, event.note)
  }
}

/** Waiting counts only towards `waitMs`; time with an open question does not count at all. */
function passTime(s: LoopState, { seq, ms }: LoopEvent): LoopState {
  if (s.question || s.ended) return { ...s, seq }
  if (s.wait) return { ...s, seq, waitMs: s.waitMs + ms }
  return { ...s, seq, activeMs: s.activeMs + ms, taskMs: s.taskMs + ms }
}

function picked(s: LoopState, task: Task): LoopState {
  const attempt = task.tried ?? 0
  return { ...s, ...unjudged, ...unused, task, via: task.via ?? s.via, attempt, calls: {}, grace: false }
}

/** Keeps the answered calls of an attempt that could not finish, so that they are not paid for twice. */
function started(s: LoopState, via: string, attempt: number | null): LoopState {
  const kept = s.outcome && !burns(s.outcome) ? Object.entries(s.calls).filter(([, { status }]) => status === 'ok') : []
  return { ...s, ...unjudged, via, attempt: attempt ?? s.attempt + 1, running: true, calls: Object.fromEntries(kept) }
}

/** Resets the allowances and raises caps; keeps totals, attempt numbers and an outcome that is still undecided. */
function reopened(s: LoopState, caps: Caps | undefined): LoopState {
  const no = { ended: undefined, stop: undefined, cancelBy: undefined, pauseBy: undefined, wait: undefined }
  const open = { ...no, question: undefined, caps: { ...s.caps, ...caps }, reopenedSeq: s.seq }
  const unheard = s.verdict?.status === 'unavailable' && (!s.decision || s.decision.do === 'wait')
  const pending = unheard ? { verdict: undefined, decision: undefined } : s.outcome && !s.decision ? {} : unjudged
  return { ...s, ...pending, ...unused, ...noStreaks, ...open }
}

function spent(s: LoopState, call: Call): LoopState {
  const counted = call.overhead ? 'overheadTokens' : 'tokens'
  return {
    ...s,
    calls: { ...s.calls, [call.key]: call },
    [counted]: s[counted] + (call.usage.tokens ?? 0),
    costUsd: s.costUsd + (call.usage.costUsd ?? 0),
    unknownCalls: s.unknownCalls + (call.usage.tokens === null ? 1 : 0),
    estimatedCalls: s.estimatedCalls + (call.usage.estimated ? 1 : 0),
  }
}

const burns = ({ status }: Outcome): boolean => status === 'ok' || status === 'failed' || status === 'timed-out'

/** True while an attempt has ended and its verdict is still missing. */
export const judging = (s: LoopState): boolean =>
  s.task !== undefined && s.outcome !== undefined && burns(s.outcome) && !s.verdict && !s.decision

function attempted(s: LoopState, outcome: Outcome): LoopState {
  const burned = burns(outcome)
  const one = burned && s.task?.kind === 'work' ? 1 : 0
  const interruptionsInARow = burned ? 0 : s.interruptionsInARow + 1
  const inARow = { interruptionsInARow, choresInARow: one ? 0 : s.choresInARow + (burned ? 1 : 0) }
  return { ...s, running: false, outcome, burned: s.burned + one, attempts: s.attempts + one, ...inARow }
}

function judged(s: LoopState, verdict: Verdict): LoopState {
  if (verdict.status === 'unavailable') return { ...s, verdict, interruptionsInARow: s.interruptionsInARow + 1 }
  const failuresInARow = verdict.status === 'passed' ? 0 : s.failuresInARow + 1
  const failures = s.task?.kind === 'work' ? { failuresInARow } : {}
  return { ...s, verdict, grace: false, interruptionsInARow: 0, ...failures }
}

function decided(s: LoopState, { decision, by, at }: Extract<LoopEvent, { type: 'decision-made' }>): LoopState {
  switch (decision.do) {
    case 'settle': {
      const tasks = s.tasks + (s.task?.kind === 'work' ? 1 : 0)
      return { ...s, decision, tasks, task: undefined, wait: undefined, grace: false, calls: {} }
    }
    case 'retry': {
      const wait = decision.afterMs ? until(at + decision.afterMs, at) : undefined
      return { ...s, decision, retries: s.retries + (s.verdict ? 1 : 0), wait }
    }
    case 'escalate': {
      const graced = decision.grace ? [...s.graced, by as CapName] : s.graced
      const escalations = s.escalations + 1
      return { ...s, decision, via: decision.via, retries: 0, escalations, grace: decision.grace ?? s.grace, graced }
    }
    case 'failover':
      return { ...s, decision, via: decision.via }
    case 'wait':
      return { ...s, decision, wait: until(decision.until, at) }
    case 'pause':
      return { ...s, question: decision.question, pauseBy: undefined, answer: undefined }
    case 'raise':
      return { ...s, caps: { ...s.caps, ...decision.caps }, answer: undefined }
    case 'stop':
      // A policy's stop also settles the last judged attempt: a reopened run makes a new attempt.
      return { ...s, stop: decision, ...(by === 'policy' && s.verdict?.status !== 'unavailable' && { decision }) }
  }
}

const until = (moment: number, now: number): LoopState['wait'] => ({ until: moment, ms: Math.max(0, moment - now) })

/** After a wait for the judge, the same attempt is judged again; after any other wait a new attempt starts. */
function waited(s: LoopState): LoopState {
  if (s.verdict?.status !== 'unavailable' || s.decision?.do !== 'wait') return { ...s, wait: undefined }
  return { ...s, wait: undefined, verdict: undefined, decision: undefined }
}

function noted(before: LoopState, note: Note): LoopState {
  if (note.id <= before.lastNote) return before
  const s = { ...before, lastNote: note.id }
  if (note.seen !== undefined && note.seen < s.reopenedSeq) return s
  switch (note.say) {
    case 'answer':
      return accepts(s.question, note) ? { ...s, question: undefined, answer: note } : s
    case 'pause':
      return s.question ? s : { ...s, pauseBy: note.by }
    case 'unpause':
      return { ...s, pauseBy: undefined, question: s.question?.topic.code === 'paused' ? undefined : s.question }
    case 'cancel':
      return { ...s, cancelBy: note.by, question: undefined }
    case 'skip-wait':
      return s.wait ? { ...s, wait: { ...s.wait, skipped: true } } : s
    case 'raise':
      return { ...s, caps: { ...s.caps, ...note.caps } }
    case 'feedback':
    case 'amend':
      return s
  }
}

/** True if the note answers this question. Any other answer is recorded and changes nothing. */
export function accepts(question: Question | undefined, note: Extract<Note, { say: 'answer' }>): boolean {
  if (question?.id !== note.questionId) return false
  return !question.choices || (note.choice !== undefined && question.choices.includes(note.choice))
}
