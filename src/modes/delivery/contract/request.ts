import { z } from 'zod'
import { FrozenAgent } from '../../../contract/envelope.ts'
import { Ref } from '../../../contract/values.ts'
import { RunInput } from './input.ts'

/** The frozen request of a delivery. The plan is stored as content, because it may be long and may be replaced. */
export const DeliveryRequest = z
  .object({
    input: RunInput,
    plan: Ref,
    agent: FrozenAgent,
    silenceMs: z.number().optional(),
    /** Commits each verified story on the branch, in addition to its ref. */
    commit: z.boolean(),
    author: z.object({ name: z.string(), email: z.string() }).readonly().optional(),
  })
  .readonly()
export type DeliveryRequest = z.infer<typeof DeliveryRequest>
