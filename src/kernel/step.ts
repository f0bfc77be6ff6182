import type { Decision, LoopEvent, Stop, Task } from '../contract/event.ts'
import type { Reason } from '../contract/reasons.ts'
import type { CapName } from '../contract/values.ts'
import type { Policy, View } from './policy.ts'
import { emptyState, judging, type LoopState, reduce } from './state.ts'

export type Step =
  | { readonly do: 'pick'; readonly task: Task }
  | { readonly do: 'attempt' | 'evaluate' | 'recover' | 'wait' | 'ask' }
  | { readonly do: 'decide'; readonly decision: Decision; readonly by: string }
  | { readonly do: 'end'; readonly stop: Stop }

/** Pure. Returns the next step; calling it again gives the same step. */
export function nextStep<M>(view: View<M>, policy: Policy<M>): Step {
  const { state } = view
  if (state.running) return { do: 'recover' }
  if (state.stop) return { do: 'end', stop: state.stop }
  if (state.cancelBy) return stopBecause('cancelled', { code: 'cancelled', by: state.cancelBy }, 'person')
  if (state.question) return { do: 'ask' }
  if (state.pauseBy) {
    const question = { id: `pause-${state.seq}`, topic: { code: 'paused' } }
    return { do: 'decide', decision: { do: 'pause', question }, by: 'person' }
  }
  if (state.wait) return fitsWait(state) ? { do: 'wait' } : consult(view, policy, 'waitMs')
  if (!state.task) return pickNext(view, policy)
  if (judging(state)) return judge(view, policy, state.task)
  if (!state.outcome || state.decision) return guard(view, policy, { do: 'attempt' }, state.task)
  return vet(view, policy, policy.decide(view), 'policy')
}

export function advance<M>(view: View<M>, event: LoopEvent, policy: Policy<M>): View<M> {
  return { state: reduce(view.state, event), memo: policy.fold(view.memo, event, view.state) }
}

/** Increase it whenever `reduce` gives another result for the same events. */
const kernelVersion = 6
export const snapshotKey = <M>({ name, version }: Policy<M>): string => `${kernelVersion}/${name}@${version}`
export const fromThisKernel = (key: string): boolean => key.startsWith(`${kernelVersion}/`)
export const emptyView = <M>(policy: Policy<M>): View<M> => ({ state: emptyState, memo: policy.memo })

export function foldEvents<M>(events: Iterable<LoopEvent>, policy: Policy<M>): View<M> {
  let view = emptyView(policy)
  for (const event of events) view = advance(view, event, policy)
  return view
}

/** Returns the first recorded pick, decision or ending that this policy would not make again. */
export function firstDivergence<M>(events: Iterable<LoopEvent>, policy: Policy<M>): LoopEvent | undefined {
  let view = emptyView(policy)
  for (const event of events) {
    const recorded = recordedStep(event)
    if (recorded && JSON.stringify(nextStep(view, policy)) !== JSON.stringify(recorded)) return event
    view = advance(view, event, policy)
  }
  return undefined
}

function recordedStep(event: LoopEvent): Step | undefined {
  if (event.type === 'task-picked') return { do: 'pick', task: event.picked }
  if (event.type === 'decision-made') return { do: 'decide', decision: event.decision, by: event.by }
  if (event.type !== 'run-ended') return undefined
  return { do: 'end', stop: { do: 'stop', ending: event.ending, reason: event.reason } }
}

function pickNext<M>(view: View<M>, policy: Policy<M>): Step {
  const next = policy.pick(view)
  if ('do' in next) return { do: 'decide', decision: next, by: 'policy' }
  return guard(view, policy, { do: 'pick', task: next }, next)
}

/** The first judgement is part of its attempt. Repeating it after an unavailable or interrupted judge is bounded. */
function judge<M>(view: View<M>, policy: Policy<M>, task: Task): Step {
  const again = view.state.interruptionsInARow > 0
  return again ? guard(view, policy, { do: 'evaluate' }, task) : { do: 'evaluate' }
}

/** Chores use no attempts, so a policy that picks only chores needs its own bound. */
const maxChoresInARow = 200

function guard<M>(view: View<M>, policy: Policy<M>, step: Step, task: Task): Step {
  const idle = task.kind === 'chore' && view.state.choresInARow >= maxChoresInARow
  if (idle) return stopBecause('failed', { code: 'too_many_chores', count: maxChoresInARow }, 'kernel')
  const cap = spentCap(view.state, task, step)
  return cap ? consult(view, policy, cap) : step
}

/** Returns the first cap that forbids this step. `attemptMs` and `waitMs` are not here: they bound a running step. */
function spentCap(state: LoopState, task: Task, step: Step): CapName | undefined {
  const used: Partial<Record<CapName, number>> = { interruptionsInARow: state.interruptionsInARow }
  if (step.do !== 'evaluate') {
    const { tokens, overheadTokens, costUsd, activeMs } = state
    Object.assign(used, { tokens, overheadTokens, costUsd, activeMs })
    if (task.kind === 'work') {
      Object.assign(used, { attemptsPerRun: state.attempts, failuresInARow: state.failuresInARow })
      if (step.do === 'attempt') Object.assign(used, { taskMs: state.taskMs, attemptsPerTask: state.burned })
      if (step.do === 'pick') used.tasks = state.tasks
    }
  }
  const isSpent = (cap: CapName): boolean => used[cap]! >= (state.caps[cap] ?? Infinity) && !isLifted(state, cap)
  return (Object.keys(used) as CapName[]).find(isSpent)
}

/** Grace lifts only the cap that granted it. Grace granted by the policy, before any cap is spent, lifts `tokens`. */
export function isLifted({ grace, graced }: Pick<LoopState, 'grace' | 'graced'>, cap: CapName): boolean {
  const by: string | undefined = graced.at(-1)
  return grace && (by === cap || (by === 'policy' && cap === 'tokens'))
}

/** A wait that would exceed `waitMs` never starts, so that the run fails now and not hours later. */
const fitsWait = ({ wait, waitMs, caps }: LoopState): boolean =>
  wait?.skipped === true || waitMs + (wait?.ms ?? 0) <= (caps.waitMs ?? Infinity)

const consult = <M>(view: View<M>, policy: Policy<M>, cap: CapName): Step =>
  vet(view, policy, policy.whenSpent(cap, view), cap)

/** Limits what a policy may decide: it cannot override a spent cap, and it raises one only after a person's answer. */
function vet<M>(view: View<M>, policy: Policy<M>, decision: Decision, by: CapName | 'policy'): Step {
  const { state } = view
  const granted: Step = { do: 'decide', decision, by }
  const why: Reason = by === 'policy' ? { code: 'not_allowed', decision: decision.do } : { code: 'cap_spent', cap: by }
  const refused = stopBecause('failed', why, by)
  switch (decision.do) {
    case 'stop':
    case 'pause':
      return granted
    case 'settle':
      return state.task ? granted : refused
    case 'raise':
      return state.answer ? granted : refused
    case 'wait':
      return by === 'policy' ? granted : refused
    case 'retry':
    case 'failover':
      return by === 'policy' || by === 'escalations' ? granted : refused
    case 'escalate': {
      if (state.escalations >= (state.caps.escalations ?? Infinity)) {
        return by === 'policy' ? consult(view, policy, 'escalations') : refused
      }
      if (by === 'policy') return granted
      return decision.grace && state.task && !state.graced.includes(by) ? granted : refused
    }
  }
}

const stopBecause = (ending: Stop['ending'], reason: Reason, by: string): Step => ({
  do: 'decide',
  decision: { do: 'stop', ending, reason },
  by,
})
