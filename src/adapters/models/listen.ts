import { z } from 'zod'
import type { Rung } from '../../contract/models.ts'
import type { Usage } from '../../contract/values.ts'
import type { ModelRequest } from '../../ports/model.ts'
import type { CallOptions, LanguageModel } from './language-model.ts'

/** All that came of a call, before anybody judges it. */
export type Heard = {
  readonly text: string
  /** How the model says that it ended; undefined where it did not say. */
  readonly finish?: Finish | undefined
  readonly counted: Counted
  /** The first thing that went wrong. */
  readonly error?: unknown
}

export type Finish = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'other'

/** Contract: never rejects; what came before an error is there. */
export async function listen(
  model: LanguageModel,
  options: CallOptions,
  onText: ModelRequest['onText'],
): Promise<Heard> {
  const texts: string[] = []
  let ended: Pick<Heard, 'finish' | 'counted'> | undefined
  let error: unknown
  try {
    const { stream } = await model.doStream(options)
    for await (const part of stream) {
      if (part.type === 'text-delta') {
        texts.push(part.delta)
        emitChunk(onText, part.delta)
      } else if (part.type === 'error') {
        const seen = tolerateXaiEvents(part.error)
        if (!seen) error ??= part.error ?? new Error('an error without a word')
        if (seen?.ended) ended = { finish: 'stop', counted: seen.counted }
      } else if (part.type === 'finish') {
        const { inputTokens, outputTokens } = part.usage
        const finish = toFinish(part.finishReason)
        if (finish || !ended) ended = { finish, counted: { input: inputTokens.total, output: outputTokens.total } }
        break
      }
    }
  } catch (thrown) {
    error ??= thrown ?? new Error('nothing was thrown')
  }
  return { counted: {}, ...ended, text: texts.join('').toWellFormed(), error }
}

type FinishData = { readonly unified: string; readonly raw: string | undefined }

/** A stream that was cut off has no reason of the provider's own. */
function toFinish({ unified, raw }: FinishData): Finish | undefined {
  if (raw === undefined || unified === 'error' || unified === 'interrupted') return undefined
  return unified as Finish
}

/** A listener is a surface: its bug must not end a call. */
export function emitChunk(listener: ModelRequest['onText'], text: string): void {
  if (!listener || text === '') return
  try {
    listener(text)
  } catch {}
}

/** What an event comes to that the SDK refused: nothing that matters, or the end of the answer. */
type XaiChecks = { readonly ended: boolean; readonly counted: Counted }

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
function tolerateXaiEvents(error: unknown): XaiChecks | undefined {
  const refused = Refused.safeParse(error)
  if (!refused.success || /\.(output_text\.delta|failed|incomplete)$/.test(refused.data.value.type)) return undefined
  const { type, response } = refused.data.value
  const { input_tokens: input, output_tokens: output } = response.usage
  return { ended: /\.(completed|done)$/.test(type) && type.split('.').length === 2, counted: { input, output } }
}

/** What a provider counted, as far as it told. */
type Counted = { readonly input?: number | undefined; readonly output?: number | undefined }

type Estimates = { readonly input: () => number; readonly output: () => number }

/** A side that was not told, or told as what cannot be, is estimated. */
export function toUsage(rung: Rung, told: Counted, estimates: Estimates): Usage {
  const input = plausible(told.input) ?? estimates.input()
  const output = plausible(told.output) ?? estimates.output()
  const guessed = input !== told.input || output !== told.output
  return { tokens: input + output, costUsd: computeCost(rung, input, output), ...(guessed && { estimated: true }) }
}

/** A call that did not reach a model. */
export const nothingUsed: Usage = { tokens: 0, costUsd: 0 }

function computeCost({ price, local }: Rung, input: number, output: number): number | null {
  if (price) return (input * price.input + output * price.output) / 1e6
  return local ? 0 : null
}

/** Some servers say 0 where they did not count. No prompt and no answer that counts is empty. */
function plausible(count: number | undefined): number | undefined {
  return count !== undefined && Number.isInteger(count) && count > 0 && count < 1e9 ? count : undefined
}
