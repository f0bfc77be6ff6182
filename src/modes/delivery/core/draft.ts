import type { FrozenAgent } from '../../../contract/envelope.ts'
import type { Caps } from '../../../contract/values.ts'
import type { RunInput } from '../contract/input.ts'
import type { Plan } from '../contract/plan.ts'

/** A prepared delivery. Nothing has been started or written yet. */
export type DeliveryDraft = {
  readonly input: RunInput
  readonly plan: Plan
  readonly name: string
  /** Undefined if no agent was found, which only a dry run allows. */
  readonly agent: FrozenAgent | undefined
  readonly caps: Caps
  readonly origins: Readonly<Record<string, string>>
  readonly commit: boolean
  readonly author: { readonly name: string; readonly email: string } | undefined
}
