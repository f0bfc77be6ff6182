import { z } from 'zod'
import type { Rung } from '../../contract/models.ts'
import type { Usage } from '../../contract/values.ts'
import type { ModelRequest } from '../../ports/model.ts'
import type { CallOptions, LanguageModel } from './language-model.ts'

/** The raw outcome of a call. */
export type RawReply = {
  readonly text: string
  /** The reported finish reason. Undefined if there was none. */
  readonly finish?: Finish | undefined
  readonly counted: Counted
  /** The first error. */
  readonly error?: unknown
}

export type Finish = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'other'

/** Contract: never rejects; returns the text received before an error. */
export async function listen(
  model: LanguageModel,
  options: CallOptions,
  onText: ModelRequest['onText'],
): Promise<RawReply> {
  const texts: string[] = []
  let ended: Pick<RawReply, 'finish' | 'counted'> | undefined
  let error: unknown
  try {
    const { stream } = await model.doStream(options)
    for await (const part of stream) {
      if (part.type === 'text-delta') {
        texts.push(part.delta)
        emitChunk(onText, part.delta)
      } else if (part.type === 'error') {
        const seen = tolerateXaiEvents(part.error)
        if (!seen) error ??= part.error ?? new Error('an error without details')
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

/** Undefined if the stream was cut off: the provider gave no finish reason then. */
function toFinish({ unified, raw }: FinishData): Finish | undefined {
  if (raw === undefined || unified === 'error' || unified === 'interrupted') return undefined
  return unified as Finish
}

/** A bug in a listener must not end a call. */
export function emitChunk(listener: ModelRequest['onText'], text: string): void {
  if (!listener || text === '') return
  try {
    listener(text)
  } catch {}
}

/** Meaning of an event that the SDK rejected: irrelevant, or the end of the answer. */
type XaiChecks = { readonly ended: boolean; readonly counted: Counted }

const count = z.number().optional().catch(undefined)
const RejectedEvent = z.object({
  value: z.object({
    type: z.string().startsWith('response.'),
    response: z
      .object({ usage: z.object({ input_tokens: count, output_tokens: count }).catch({}) })
      .catch({ usage: {} }),
  }),
})

/**
 * The SDK rejects events of xAI's stream, even the last one, because of one unexpected field. Undefined if the rejected
 * event may have been part of the answer.
 */
function tolerateXaiEvents(error: unknown): XaiChecks | undefined {
  const rejected = RejectedEvent.safeParse(error)
  if (!rejected.success || /\.(output_text\.delta|failed|incomplete)$/.test(rejected.data.value.type)) return undefined
  const { type, response } = rejected.data.value
  const { input_tokens: input, output_tokens: output } = response.usage
  return { ended: /\.(completed|done)$/.test(type) && type.split('.').length === 2, counted: { input, output } }
}

/** Token counts as far as the provider reported them. */
type Counted = { readonly input?: number | undefined; readonly output?: number | undefined }

type Estimates = { readonly input: () => number; readonly output: () => number }

/** Estimates a token count that was not reported or is implausible. */
export function toUsage(rung: Rung, counted: Counted, estimates: Estimates): Usage {
  const input = plausible(counted.input) ?? estimates.input()
  const output = plausible(counted.output) ?? estimates.output()
  const estimated = input !== counted.input || output !== counted.output
  return { tokens: input + output, costUsd: computeCost(rung, input, output), ...(estimated && { estimated: true }) }
}

/** Usage of a call that did not reach a model. */
export const nothingUsed: Usage = { tokens: 0, costUsd: 0 }

function computeCost({ price, local }: Rung, input: number, output: number): number | null {
  if (price) return (input * price.input + output * price.output) / 1e6
  return local ? 0 : null
}

/** Undefined for an implausible count. Some servers report 0 if they did not count. */
function plausible(count: number | undefined): number | undefined {
  return count !== undefined && Number.isInteger(count) && count > 0 && count < 1e9 ? count : undefined
}
