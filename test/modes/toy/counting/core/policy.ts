import { z } from 'zod'
import type { Caps } from '../../../contract/values.ts'
import type { Policy } from '../../../kernel/policy.ts'
import { defaultReasons } from '../../../show/reasons.ts'
import type { Reasons } from '../../../show/show.ts'

export const CountingRequest = z.object({
  to: z.int().positive(),
  /** Runs in every step; the step is over when the command is. */
  command: z.string().nullable(),
})
export type CountingRequest = z.infer<typeof CountingRequest>
export type CountingMemo = { readonly counted: number }

export const reasons: Reasons<CountingMemo> = {
  ...defaultReasons,
  counted: { fields: { to: z.int() }, text: ({ to }) => `counted to ${JSON.stringify(to)}` },
}

export const countingPolicy = ({ to }: CountingRequest, caps: Caps): Policy<CountingMemo> => ({
  name: 'counting',
  version: 1,
  caps,
  memo: { counted: 0 },
  fold: (memo, event) =>
    event.type === 'decision-made' && event.decision.do === 'settle' ? { counted: memo.counted + 1 } : memo,
  pick: ({ memo }) =>
    memo.counted >= to
      ? { do: 'stop', ending: 'completed', reason: { code: 'counted', to } }
      : { id: `number-${memo.counted + 1}`, kind: 'work' },
  decide: ({ state }) => (state.outcome?.status === 'ok' ? { do: 'settle', as: 'done' } : { do: 'retry' }),
  whenSpent: (cap) => ({ do: 'stop', ending: 'failed', reason: { code: 'cap_spent', cap } }),
})
