import type { Rung } from '../../contract/models.ts'
import type { Usage } from '../../contract/values.ts'

/** What a provider counted, as far as it told. */
export type Counted = { readonly input?: number | undefined; readonly output?: number | undefined }

export type Estimates = { readonly input: () => number; readonly output: () => number }

/** A side that was not told, or told as what cannot be, is estimated. */
export function usageOf(rung: Rung, told: Counted, estimates: Estimates): Usage {
  const input = plausible(told.input) ?? estimates.input()
  const output = plausible(told.output) ?? estimates.output()
  const guessed = input !== told.input || output !== told.output
  return { tokens: input + output, costUsd: costOf(rung, input, output), ...(guessed && { estimated: true }) }
}

/** A call that did not reach a model. */
export const nothingUsed: Usage = { tokens: 0, costUsd: 0 }

function costOf({ price, local }: Rung, input: number, output: number): number | null {
  if (price) return (input * price.input + output * price.output) / 1e6
  return local ? 0 : null
}

/** Some servers say 0 where they did not count. No prompt and no answer that counts is empty. */
function plausible(count: number | undefined): number | undefined {
  return count !== undefined && Number.isInteger(count) && count > 0 && count < 1e9 ? count : undefined
}
