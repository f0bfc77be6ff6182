import { z } from 'zod'
import { FrozenAgent } from '../../../contract/envelope.ts'
import { Ref } from '../../../contract/values.ts'
import { RunInput } from './input.ts'

/** What a delivery was started with. The plan is content: it may be long, and it may be replaced. */
export const DeliveryRequest = z
  .object({
    input: RunInput,
    plan: Ref,
    agent: FrozenAgent,
    silenceMs: z.number().optional(),
    /** Each verified story becomes a commit on the branch, and not only a ref. */
    commit: z.boolean(),
    author: z.object({ name: z.string(), email: z.string() }).readonly().optional(),
  })
  .readonly()
export type DeliveryRequest = z.infer<typeof DeliveryRequest>
