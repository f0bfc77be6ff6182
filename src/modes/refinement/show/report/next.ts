import type { LoopState } from '../../../../kernel/state.ts'
import type { Standing } from '../../../../run/read-run.ts'
import { isRefineReason, type RefineReason, refineReasons } from '../../contract/reasons.ts'
import type { RefineBound } from '../bounds.ts'

/** A command that goes on, and what it is for. */
export type NextStep = { readonly command: string; readonly does: string }

type Seen = {
  readonly id: string
  readonly standing: Standing
  readonly state: LoopState
  readonly bounds: readonly RefineBound[]
  readonly hasText: boolean
}

/** Pure: what a person can do now, the likeliest first. */
export function nextSteps({ id, standing, state, bounds, hasText }: Seen): NextStep[] {
  const step = (does: string, command: string): NextStep => ({ command, does })
  const another = hasText ? [step('another way from the last judgement', `pawl fork ${id} --feedback "…"`)] : []
  const { question } = state
  switch (standing) {
    case 'running':
      return [step('watch it', `pawl logs -f ${id}`), step('have a say', `pawl feedback ${id} "…"`)]
    case 'waiting':
      if (!question) return [step('do not wait', `pawl resume ${id} --now`)]
      if (question.choices) return [step('answer', `pawl answer ${id} ${question.choices.join('|')}`)]
      return [
        step('go on as it is', `pawl answer ${id}`),
        step('go on, told something', `pawl answer ${id} --text "…"`),
        step('then', `pawl resume ${id}`),
      ]
    case 'completed':
      return [
        ...(hasText ? [step('take the text', `pawl show ${id} --text`)] : []),
        ...another.map((one) => ({ ...one, does: 'make it better still' })),
      ]
    case 'crashed':
    case 'interrupted':
    case 'cancelled':
      return [step('go on', `pawl resume ${id}`), ...another]
    case 'failed':
    case 'blocked':
      return [...goOn(id, state.ended?.reason ?? '', bounds), ...another]
  }
}

/** A bound that ended it must be raised; what could not be reached may be there again. */
function goOn(id: string, reason: string, bounds: readonly RefineBound[]): NextStep[] {
  const name = firedBound(reason)
  const fired = bounds.find((bound) => bound.name === name)
  const raised = fired && raise[fired.name]?.(fired)
  if (raised) return [{ does: 'go on with more', command: `pawl resume ${id} ${raised}` }]
  const outside = isRefineReason(reason) && refineReasons[reason] !== 30
  return [
    ...(outside ? [{ does: 'see what is missing', command: 'pawl doctor' }] : []),
    { does: outside ? 'go on after that' : 'try the same again', command: `pawl resume ${id}` },
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
export const firedBound = (reason: string): RefineBound['name'] | undefined =>
  isRefineReason(reason) ? boundOf[reason] : undefined

/** As much again, on top of what was used. */
const again = ({ used, of }: RefineBound): number => Math.max(used, of) + of

const raise: Readonly<Partial<Record<RefineBound['name'], (bound: RefineBound) => string>>> = {
  iterations: (bound) => `--max-iterations ${again(bound)}`,
  tokens: (bound) => `--max-tokens ${again(bound)}`,
  cost: (bound) => `--max-cost ${again(bound).toFixed(2)}`,
  time: (bound) => `--max-time ${Math.ceil(again(bound) / 60_000)}m`,
}
