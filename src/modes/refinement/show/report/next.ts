import type { Reason } from '../../../../contract/reasons.ts'
import type { Action, Standing } from '../../../../contract/show.ts'
import type { LoopState } from '../../../../kernel/state.ts'
import { formatAction } from '../../../../show/action.ts'
import { isRefineReason, type RefineReason, refineReasons } from '../../contract/reasons.ts'
import type { RefineBound } from '../../core/bounds.ts'

/** Something that goes on with the run, and what it is for. `command` is the same for whoever reads JSON. */
export type NextStep = { readonly command: string; readonly does: string; readonly action: Action }
type Step = Omit<NextStep, 'command'>

type Seen = {
  readonly id: string
  readonly standing: Standing
  readonly state: LoopState
  readonly bounds: readonly RefineBound[]
  readonly hasText: boolean
}

/** Pure: what a person can do now, the likeliest first. */
export const nextSteps = (seen: Seen): NextStep[] =>
  stepsIn(seen).map(({ action, does }) => ({ command: formatAction(action, 'pawl').join(' '), does, action }))

function stepsIn({ id: run, standing, state, bounds, hasText }: Seen): Step[] {
  const step = (does: string, action: Action): Step => ({ action, does })
  const another = hasText ? [step('another way from the last judgement', { do: 'fork', run })] : []
  const { question } = state
  switch (standing) {
    case 'running':
      return [step('watch it', { do: 'watch', run }), step('have a say', { do: 'feedback', run })]
    case 'waiting':
      if (!question) return [step('do not wait', { do: 'resume', run, now: true })]
      if (question.choices) return [step('answer', { do: 'answer', run, choices: question.choices })]
      return [
        step('go on as it is', { do: 'answer', run }),
        step('go on, told something', { do: 'answer', run, text: true }),
        step('then', { do: 'resume', run }),
      ]
    case 'completed':
      return [
        ...(hasText ? [step('take the text', { do: 'text', run })] : []),
        ...another.map((one) => ({ ...one, does: 'make it better still' })),
      ]
    case 'crashed':
    case 'interrupted':
    case 'cancelled':
      return [step('go on', { do: 'resume', run }), ...another]
    case 'failed':
    case 'blocked':
      return [...goOn(run, state.ended?.reason ?? null, bounds), ...another]
  }
}

/** A bound that ended it must be raised; what could not be reached may be there again. */
function goOn(run: string, reason: Reason | null, bounds: readonly RefineBound[]): Step[] {
  const name = firedBound(reason)
  const fired = bounds.find((bound) => bound.name === name)
  const raised = fired && raise[fired.name]?.(fired)
  if (raised) {
    // With the number that is enough: a person who has to think of one stops here.
    return [{ does: 'go on with more', action: { do: 'command', argv: ['pawl', 'resume', run, ...raised] } }]
  }
  const outside = reason !== null && isRefineReason(reason.code) && refineReasons[reason.code] !== 30
  const doctor: Action = { do: 'command', argv: ['pawl', 'doctor'] }
  return [
    ...(outside ? [{ does: 'see what is missing', action: doctor }] : []),
    { does: outside ? 'go on after that' : 'try the same again', action: { do: 'resume', run } },
  ]
}

const boundOf: Readonly<Partial<Record<RefineReason, RefineBound['name']>>> = {
  iteration_cap: 'iterations',
  token_budget: 'tokens',
  overhead_budget: 'overhead',
  cost_budget: 'cost',
  time_budget: 'time',
}

/** The bound that a run of this reason was ended by. */
export const firedBound = (reason: Reason | null): RefineBound['name'] | undefined =>
  reason && isRefineReason(reason.code) ? boundOf[reason.code] : undefined

/** As much again, on top of what was used. */
const again = ({ used, of }: RefineBound): number => Math.max(used, of) + of

const raise: Readonly<Partial<Record<RefineBound['name'], (bound: RefineBound) => [string, string]>>> = {
  iterations: (bound) => ['--max-iterations', String(again(bound))],
  tokens: (bound) => ['--max-tokens', String(again(bound))],
  cost: (bound) => ['--max-cost', again(bound).toFixed(2)],
  time: (bound) => ['--max-time', `${Math.ceil(again(bound) / 60_000)}m`],
}
