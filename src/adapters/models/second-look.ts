import { z } from 'zod'
import type { Counted } from './usage.ts'

/** What an event comes to that the SDK refused: nothing that matters, or the end of the answer. */
export type SecondLook = { readonly ended: boolean; readonly counted: Counted }

const count = z.number().optional().catch(undefined)
const Refused = z.object({
  value: z.object({
    type: z.string().startsWith('response.'),
    response: z
      .object({ usage: z.object({ input_tokens: count, output_tokens: count }).catch({}) })
      .catch({ usage: {} }),
  }),
})

/**
 * The SDK refuses whole events of xAI's stream for one field of one item that it does not expect, the last event too.
 * Undefined where what was refused may have been part of the answer.
 */
export function lookAgain(error: unknown): SecondLook | undefined {
  const refused = Refused.safeParse(error)
  if (!refused.success || /\.(output_text\.delta|failed|incomplete)$/.test(refused.data.value.type)) return undefined
  const { type, response } = refused.data.value
  const { input_tokens: input, output_tokens: output } = response.usage
  return { ended: /\.(completed|done)$/.test(type) && type.split('.').length === 2, counted: { input, output } }
}
