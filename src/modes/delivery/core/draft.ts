import type { FrozenAgent } from '../../../contract/envelope.ts'
import type { Caps } from '../../../contract/values.ts'
import type { RunInput } from '../contract/input.ts'
import type { Plan } from '../contract/plan.ts'

/** A delivery that nothing has been started or written for. */
export type DeliveryDraft = {
  readonly input: RunInput
  readonly plan: Plan
  readonly name: string
  /** None where there is none yet and nothing is to be started. */
  readonly agent: FrozenAgent | undefined
  readonly caps: Caps
  readonly origins: Readonly<Record<string, string>>
  readonly commit: boolean
  readonly author: { readonly name: string; readonly email: string } | undefined
}
