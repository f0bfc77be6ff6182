import type { LoopEvent } from '../../../../contract/event.ts'
import type { Reason } from '../../../../contract/reasons.ts'
import type { Action, Standing } from '../../../../contract/show.ts'
import type { Ref } from '../../../../contract/values.ts'
import type { IssueMark } from '../../../../judging/scoring/score-data.ts'
import type { View } from '../../../../kernel/policy.ts'
import type { LoopState } from '../../../../kernel/state.ts'
import { formatAction } from '../../../../show/action.ts'
import { type Origins, updateOrigins } from '../../../../show/origins.ts'
import { isRefineReason, type RefineReason, refineReasons } from '../../contract/reasons.ts'
import type { RefinementRequest } from '../../contract/request.ts'
import { boundCaps, listBounds, type RefineBound } from '../../core/bounds.ts'
import { attemptData, callData } from '../../core/event-data.ts'
import { bestOutput, type RefinementMemo } from '../../core/memo.ts'
import { findOutput, type RefinementResult } from '../../core/result.ts'
import { createIterations, type IterationRow } from './iterations.ts'
import { findModelChange, type ModelChange } from './model-changes.ts'

/** The part of `show --json` for refinements. */
export type RefinementFacts = { readonly refinement: RefinementReport }

export type BoundRow = RefineBound & { readonly setBy: string | null; readonly fired: boolean }

/** The course of a refinement in ids, numbers and Refs, without any text. */
export type RefinementReport = {
  readonly preset: string
  readonly rules: Pick<RefinementRequest['rules'], 'stopScore' | 'escalateScore' | 'retries' | 'escalations'>
  readonly standing: Standing
  readonly reason: Reason | null
  readonly phases: { readonly done: number; readonly of: number | null }
  /** Titles of the phases. */
  readonly titles: Ref | null
  /** The iteration whose text is shown. */
  readonly best: IterationRow | null
  readonly output: RefinementResult['output']
  readonly text: TextFound
  /** Issues of the last scored text. */
  readonly issues: readonly IssueMark[]
  readonly ledger: Ref | null
  readonly iterations: readonly IterationRow[]
  readonly turns: readonly ModelChange[]
  readonly bounds: readonly BoundRow[]
  /** Set if the last call was not made because it did not fit. */
  readonly unmade: { readonly crossing: 'soft' | 'hard'; readonly needsTokens: number | null } | null
  /** Unanswered calls in a row, by model. */
  readonly down: Readonly<Record<string, number>>
  readonly fault: string | null
  /** The problem of the last step, or null. */
  readonly problem: string | null
  readonly question: { readonly topic: Reason; readonly choices: readonly string[] } | null
  /** Feedback texts received, and how many of them the last text used. */
  readonly feedback: { readonly given: number; readonly told: number }
  /** Calls to other machines. */
  readonly remote: { readonly calls: number; readonly bytes: number }
  readonly forkedFrom: RefinementRequest['parent'] | null
  readonly next: readonly NextStep[]
}

/** Input of the report, after all events. `id` is the run's. */
export type Gathered = {
  readonly id: string
  readonly view: View<RefinementMemo>
  readonly standing: Standing
  readonly text: TextFound
}

const maxTurns = 200

/** Collects a report from events. Bounded in memory, however long the journal is. */
export function createRefinementFacts({ rules, parent }: Pick<RefinementRequest, 'rules' | 'parent'>) {
  const iterations = createIterations()
  let remote = { calls: 0, bytes: 0 }
  let turns: readonly ModelChange[] = []
  let origins: Origins = {}

  /** `before` is the view before the event. */
  function see(event: LoopEvent, before: View<RefinementMemo>): void {
    origins = updateOrigins(origins, event)
    iterations.see(event, before.state)
    const turn = findModelChange(event, before, rules)
    if (turn) turns = [...turns, turn].slice(-maxTurns)
    const call = event.type === 'call-ended' ? callData(event.call) : undefined
    if (call?.remote) remote = { calls: remote.calls + 1, bytes: remote.bytes + call.bytes }
  }

  function facts({ id, view, standing, text }: Gathered): RefinementFacts {
    const { state, memo } = view
    const { stopScore, escalateScore, retries, escalations } = rules
    const { marks: issues, ledger } = iterations.issues()
    const rows = iterations.rows()
    const output = findOutput({ view })
    const reason = state.ended?.reason ?? null
    const bounds = listBounds(state, rules)
    const { question } = state
    return {
      refinement: {
        preset: rules.preset,
        rules: { stopScore, escalateScore, retries, escalations },
        standing,
        reason,
        phases: { done: memo.accepted.length, of: memo.phases?.count ?? null },
        titles: memo.phases?.titles ?? null,
        best: rows.findLast((row) => row.judged && row.output === bestOutput(memo)?.path) ?? null,
        output,
        text,
        issues,
        ledger,
        iterations: rows,
        turns,
        bounds: bounds.map((bound) => ({
          ...bound,
          setBy: origins[boundCaps[bound.name]] ?? null,
          fired: firedBound(reason) === bound.name,
        })),
        unmade: findUnmade(view),
        down: memo.down,
        fault: memo.fault,
        problem: memo.problem,
        question: question ? { topic: question.topic, choices: question.choices ?? [] } : null,
        feedback: { given: memo.heard, told: Math.min(memo.told, memo.heard) },
        remote,
        forkedFrom: parent ?? null,
        next: nextSteps({ id, standing, state, bounds, hasText: output !== null }),
      },
    }
  }
  return { see, facts }
}

function findUnmade({ state }: View<RefinementMemo>): RefinementReport['unmade'] {
  const { crossing, needsTokens } = attemptData(state.outcome)
  return crossing ? { crossing, needsTokens: needsTokens ?? null } : null
}

/** A suggested action and its purpose. `command` is the action as text, for JSON. */
type NextStep = { readonly command: string; readonly does: string; readonly action: Action }
type Step = Omit<NextStep, 'command'>

type RunStanding = {
  readonly id: string
  readonly standing: Standing
  readonly state: LoopState
  readonly bounds: readonly RefineBound[]
  readonly hasText: boolean
}

/** Lists what a person can do now, the most likely first. */
const nextSteps = (seen: RunStanding): NextStep[] =>
  listSteps(seen).map(({ action, does }) => ({ command: formatAction(action, 'pawl').join(' '), does, action }))

function listSteps({ id: run, standing, state, bounds, hasText }: RunStanding): Step[] {
  const step = (does: string, action: Action): Step => ({ action, does })
  const another = hasText ? [step('try another way from the last judgement', { do: 'fork', run })] : []
  const { question } = state
  switch (standing) {
    case 'running':
      return [step('watch it', { do: 'watch', run }), step('give feedback', { do: 'feedback', run })]
    case 'waiting':
      if (!question) return [step('skip the wait', { do: 'resume', run, now: true })]
      if (question.choices) return [step('answer', { do: 'answer', run, choices: question.choices })]
      return [
        step('continue unchanged', { do: 'answer', run }),
        step('continue with feedback', { do: 'answer', run, text: true }),
        step('then', { do: 'resume', run }),
      ]
    case 'completed':
      return [
        ...(hasText ? [step('take the text', { do: 'text', run })] : []),
        ...another.map((one) => ({ ...one, does: 'improve it further' })),
      ]
    case 'queued':
      return [step('watch', { do: 'watch', run })]
    case 'crashed':
    case 'interrupted':
    case 'cancelled':
      return [step('resume', { do: 'resume', run }), ...another]
    case 'failed':
    case 'blocked':
      return [...resumeSteps(run, state.ended?.reason ?? null, bounds), ...another]
  }
}

/** Suggests a higher bound if one ended the run, otherwise the same again. */
function resumeSteps(run: string, reason: Reason | null, bounds: readonly RefineBound[]): Step[] {
  const name = firedBound(reason)
  const fired = bounds.find((bound) => bound.name === name)
  const raised = fired && raise[fired.name]?.(fired)
  if (raised) {
    // With a number, so that the command can be copied.
    return [{ does: 'resume with a higher bound', action: { do: 'command', argv: ['pawl', 'resume', run, ...raised] } }]
  }
  const outside = reason !== null && isRefineReason(reason.code) && refineReasons[reason.code] !== 30
  const doctor: Action = { do: 'command', argv: ['pawl', 'doctor'] }
  return [
    ...(outside ? [{ does: 'find the problem', action: doctor }] : []),
    { does: outside ? 'resume after that' : 'retry', action: { do: 'resume', run } },
  ]
}

const reasonBounds: Readonly<Partial<Record<RefineReason, RefineBound['name']>>> = {
  iteration_cap: 'iterations',
  token_budget: 'tokens',
  overhead_budget: 'overhead',
  cost_budget: 'cost',
  time_budget: 'time',
}

/** Undefined if the reason is not a bound. */
const firedBound = (reason: Reason | null): RefineBound['name'] | undefined =>
  reason && isRefineReason(reason.code) ? reasonBounds[reason.code] : undefined

/** The same amount again, on top of what was used. */
const again = ({ used, of }: RefineBound): number => Math.max(used, of) + of

const raise: Readonly<Partial<Record<RefineBound['name'], (bound: RefineBound) => [string, string]>>> = {
  iterations: (bound) => ['--max-iterations', String(again(bound))],
  tokens: (bound) => ['--max-tokens', String(again(bound))],
  cost: (bound) => ['--max-cost', again(bound).toFixed(2)],
  time: (bound) => ['--max-time', `${Math.ceil(again(bound) / 60_000)}m`],
}

/** State of the run's text and of the file that it is meant for. */
export type TextFound =
  | { readonly status: 'sealed'; readonly why: string }
  | { readonly status: 'none' }
  | {
      readonly status: 'there'
      readonly words: number
      /** The target file, and whether it contains the text now. */
      readonly file: { readonly shown: string; readonly holds: boolean } | null
    }
