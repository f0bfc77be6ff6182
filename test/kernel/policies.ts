import type { Decision, Outcome, Verdict } from '../../src/contract/event.ts'
import type { Caps } from '../../src/contract/values.ts'
import type { Policy } from '../../src/kernel/policy.ts'
import type { Attempt, Work } from '../../src/kernel/run.ts'

/** Four small policies in the shape of the four modes: enough to prove the kernel before the modes exist. */

export const call = (key: string, tokens: number | null) =>
  ({ key, via: 'model', status: 'ok', usage: { tokens, costUsd: null }, providerMs: 1 }) as const

/** Procedure: one task an iteration, an interrupted one keeps its number and is not repeated. */
export const procedure = (caps: Caps): Policy<null> => ({
  name: 'procedure',
  version: 1,
  caps,
  memo: null,
  fold: () => null,
  pick: ({ state }) => ({ id: `iteration-${state.tasks + 1}`, kind: 'work' }),
  decide: ({ state: { outcome, verdict } }): Decision => {
    if (outcome?.status === 'unavailable') return { do: 'wait', until: outcome.retryAt ?? 0, reason: { code: 'limit' } }
    if (outcome?.status === 'interrupted') return { do: 'settle', as: 'interrupted' }
    return { do: 'settle', as: verdict?.status === 'passed' ? 'done' : 'failed' }
  },
  whenSpent: (cap) => ({
    do: 'stop',
    ending: cap === 'tasks' ? 'completed' : 'failed',
    reason: { code: 'cap_spent', cap: cap },
  }),
})

/** Delivery: stories with dependencies, a chore before and one after, statuses in the memo. */
export type Stories = Readonly<Record<string, string>>
const plan = [
  { id: 'S1', after: [] },
  { id: 'S2', after: ['S1'] },
  { id: 'S3', after: [] },
] as const
export const delivery = (caps: Caps): Policy<Stories> => ({
  name: 'delivery',
  version: 1,
  caps,
  memo: {},
  fold: (memo, event) => {
    if (event.type === 'run-reopened') return Object.fromEntries(Object.entries(memo).filter(([, as]) => as === 'done'))
    if (event.type !== 'decision-made' || event.decision.do !== 'settle') return memo
    return { ...memo, [event.task!]: event.decision.as }
  },
  pick: ({ memo }) => {
    if (!memo.baseline) return { id: 'baseline', kind: 'chore' }
    const next = plan.find(({ id, after }) => !memo[id] && after.every((dependency) => memo[dependency] === 'done'))
    if (next) return { id: next.id, kind: 'work' }
    if (plan.some(({ id }) => memo[id] !== 'done'))
      return { do: 'stop', ending: 'failed', reason: { code: 'stories_failed' } }
    if (!memo['run-check']) return { id: 'run-check', kind: 'chore' }
    return { do: 'stop', ending: memo['run-check'] === 'done' ? 'completed' : 'failed', reason: { code: 'run_check' } }
  },
  decide: ({ state: { outcome, verdict, task } }): Decision => {
    if (outcome?.status === 'interrupted') return { do: 'retry' }
    if (outcome?.status === 'unavailable') return { do: 'wait', until: outcome.retryAt ?? 0, reason: { code: 'limit' } }
    const passed = verdict?.status === 'passed'
    if (task?.kind === 'chore') return { do: 'settle', as: passed ? 'done' : 'failed' }
    return passed ? { do: 'settle', as: 'done' } : { do: 'retry' }
  },
  whenSpent: (cap) =>
    cap === 'attemptsPerTask' || cap === 'taskMs'
      ? { do: 'settle', as: 'failed' }
      : { do: 'stop', ending: 'failed', reason: { code: 'cap_spent', cap: cap } },
})

/** Refinement: phases come from a model call made as a chore; best so far lives in the memo. */
export type Refined = { readonly phases: readonly string[] | null; readonly done: number; readonly best: number }
export const refinement = (caps: Caps): Policy<Refined> => ({
  name: 'refinement',
  version: 1,
  caps,
  memo: { phases: null, done: 0, best: 0 },
  fold: (memo, event, before) => {
    if (event.type === 'attempt-ended' && event.task === 'decompose' && event.outcome.data) {
      return { ...memo, phases: event.outcome.data as string[] }
    }
    if (event.type === 'verdict-reached') return { ...memo, best: Math.max(memo.best, event.verdict.score ?? 0) }
    const settled = event.type === 'decision-made' && event.decision.do === 'settle' && before.task?.kind === 'work'
    return settled ? { ...memo, done: memo.done + 1 } : memo
  },
  pick: ({ memo }) => {
    if (!memo.phases) return { id: 'decompose', kind: 'chore', via: 'ollama' }
    const phase = memo.phases[memo.done]
    return phase
      ? { id: phase, kind: 'work' }
      : { do: 'stop', ending: 'completed', reason: { code: 'all_phases_passed' } }
  },
  decide: ({ state: { outcome, verdict, via, retries, task } }): Decision => {
    if (outcome?.status === 'interrupted') return { do: 'retry' }
    if (outcome?.status === 'unavailable') {
      return via === 'grok'
        ? { do: 'failover', via: 'claude' }
        : { do: 'wait', until: outcome.retryAt ?? 0, reason: { code: 'limit' } }
    }
    if (verdict?.status === 'unavailable') return { do: 'wait', until: verdict.retryAt ?? 0, reason: { code: 'judge' } }
    if (verdict?.status === 'passed' || task?.kind === 'chore') return { do: 'settle', as: 'done' }
    if ((verdict?.score ?? 0) < 70) return { do: 'escalate', via: 'grok' }
    if (retries < 2) return { do: 'retry', afterMs: 150 * (retries + 1) }
    return { do: 'stop', ending: 'failed', reason: { code: 'retries_exhausted' } }
  },
  whenSpent: (cap, { state }) =>
    cap === 'tokens' && state.escalations === 0
      ? { do: 'escalate', via: 'grok', grace: true }
      : { do: 'stop', ending: 'failed', reason: { code: 'cap_spent', cap: cap } },
})

/** Writing: a spent cap asks the person, whose answer raises it. */
export const writing = (caps: Caps): Policy<null> => ({
  name: 'writing',
  version: 1,
  caps,
  memo: null,
  fold: () => null,
  pick: ({ state }) =>
    state.tasks ? { do: 'stop', ending: 'completed', reason: { code: 'accepted' } } : { id: 'revise-1', kind: 'work' },
  decide: ({ state: { outcome, verdict } }): Decision => {
    if (outcome?.status === 'interrupted') return { do: 'retry' }
    return verdict?.status === 'passed' ? { do: 'settle', as: 'done' } : { do: 'retry' }
  },
  whenSpent: (cap, { state }): Decision => {
    const id = `more-${state.burned}`
    if (cap !== 'attemptsPerTask') return { do: 'stop', ending: 'failed', reason: { code: 'cap_spent', cap: cap } }
    if (state.answer?.questionId !== id) {
      return { do: 'pause', question: { id, topic: { code: 'more_attempts' }, choices: ['yes', 'no'] } }
    }
    if (state.answer.choice === 'yes') return { do: 'raise', caps: { attemptsPerTask: state.burned + 2 } }
    return { do: 'stop', ending: 'cancelled', reason: { code: 'person_stopped' } }
  },
})

export const score = (value: number): Verdict => ({ status: value >= 80 ? 'passed' : 'failed', score: value })

/** Work whose result depends only on task and attempts burned, so that it is the same after every resume. */
export function scriptedWork(script: {
  attempt?: (a: Attempt, burned: number) => Outcome
  verdict?: (a: Attempt, burned: number) => Verdict
  tokens?: number
  judgeTokens?: number
}): Work<unknown> & { ran: string[]; calls: string[] } {
  const ran: string[] = []
  const calls: string[] = []
  const pay = async (a: Attempt, key: string, tokens: number | undefined) => {
    if (tokens === undefined || a.recorded(key)) return
    calls.push(`${a.task.id}/${a.attempt}/${key}`)
    await a.record(call(key, tokens))
  }
  return {
    ran,
    calls,
    attempt: async (a, { state }) => {
      ran.push(a.task.id)
      await pay(a, 'generate', script.tokens)
      return script.attempt?.(a, state.burned) ?? { status: 'ok' }
    },
    evaluate: async (a, { state }) => {
      await pay(a, 'judge', script.judgeTokens)
      return script.verdict?.(a, state.burned) ?? { status: 'passed' }
    },
  }
}
