import type { ModelRequest } from '../../ports/model.ts'
import type { CallOptions, LanguageModel } from './language-model.ts'
import { lookAgain } from './second-look.ts'
import type { Counted } from './usage.ts'

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
        tell(onText, part.delta)
      } else if (part.type === 'error') {
        const seen = lookAgain(part.error)
        if (!seen) error ??= part.error ?? new Error('an error without a word')
        if (seen?.ended) ended = { finish: 'stop', counted: seen.counted }
      } else if (part.type === 'finish') {
        const { inputTokens, outputTokens } = part.usage
        const finish = finishOf(part.finishReason)
        if (finish || !ended) ended = { finish, counted: { input: inputTokens.total, output: outputTokens.total } }
        break
      }
    }
  } catch (thrown) {
    error ??= thrown ?? new Error('nothing was thrown')
  }
  return { counted: {}, ...ended, text: texts.join('').toWellFormed(), error }
}

type Told = { readonly unified: string; readonly raw: string | undefined }

/** A stream that was cut off has no reason of the provider's own. */
function finishOf({ unified, raw }: Told): Finish | undefined {
  if (raw === undefined || unified === 'error' || unified === 'interrupted') return undefined
  return unified as Finish
}

/** A listener is a surface: its bug must not end a call. */
export function tell(listener: ModelRequest['onText'], text: string): void {
  if (!listener || text === '') return
  try {
    listener(text)
  } catch {}
}
