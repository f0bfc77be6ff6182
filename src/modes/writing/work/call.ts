import type { z } from 'zod'
import { askModel, type ModelAnswer } from '../../../calls/ask-model.ts'
import { measureRoom, type Prompt } from '../../../calls/measure-room.ts'
import type { Outcome } from '../../../contract/event.ts'
import { removeControls } from '../../../contract/human-text.ts'
import { toJsonSchema } from '../../../judging/scoring/question.ts'
import type { Attempt } from '../../../kernel/run.ts'
import type { JsonSchema } from '../../../ports/model.ts'
import type { Role } from '../core/event-data.ts'
import { readJsonReply } from '../core/reply/read-json.ts'
import type { WritingTools } from './tools.ts'

export type Step = Prompt & {
  readonly key: string
  readonly via: string
  readonly role: Role
  readonly temperature: number
  readonly schema?: JsonSchema
  readonly file?: string
}

/** A call that brought no usable answer. Carries the outcome of the attempt. */
export class NoAnswerError extends Error {
  override name = 'NoAnswerError'
  readonly outcome: Outcome
  constructor(outcome: Outcome) {
    super(outcome.detail)
    this.outcome = outcome
  }
}

/** Asks a model. Throws a NoAnswerError if there is no answer: the policy then decides. */
export async function ask(
  a: Attempt,
  step: Step,
  tools: WritingTools,
  signal: AbortSignal,
): Promise<ModelAnswer<Role>> {
  const { rules } = tools.request
  const rung = tools.rungOf(step.via)
  const overhead = step.role === 'judge' || step.role === 'describe'
  const room = measureRoom(step, {
    rung,
    left: a.left(),
    overhead,
    leastOutputTokens: minOutputTokens,
    estimateTokens: tools.estimateTokens,
  })
  if (!room.fits && !a.recorded(step.key)) {
    throw new NoAnswerError({
      status: 'failed',
      detail: `a call does not fit: ${room.says}`,
      data: { fault: 'budget' },
    })
  }
  const { limitMs, silenceMs } = rules
  const maxOutputTokens = Math.min(rules.outputTokens, room.maxOutputTokens ?? Infinity)
  const more = step.file === undefined ? {} : { more: { file: step.file } }
  const answer = await askModel(a, { ...step, ...more, limitMs, silenceMs, maxOutputTokens, overhead }, tools, signal)
  // Control characters are no part of a text: a NUL alone would make the file unreadable.
  const text = removeControls(answer.text)
  if (answer.status === 'ok') return { ...answer, text }
  const { detail, retryAt, data } = answer
  const status = answer.status === 'unavailable' ? 'unavailable' : 'failed'
  // A reply that is cut off is used as far as it goes.
  if (status === 'failed' && data.cut && text.trim() !== '') return { ...answer, text }
  throw new NoAnswerError({
    status,
    detail: `${rung.label}: ${detail ?? 'no answer'}`,
    ...(retryAt !== undefined && { retryAt }),
    ...(data.fault && { data: { fault: data.fault } }),
  })
}

const minOutputTokens = 256

export type Read<T> = { readonly value: T } | { readonly unreadable: string }

/** Asks for an object. A reply that cannot be parsed is asked for once more. */
export async function askForObject<T>(
  a: Attempt,
  step: Step,
  schema: z.ZodType<T> & z.ZodObject,
  tools: WritingTools,
  signal: AbortSignal,
): Promise<Read<T>> {
  const asked = { ...step, schema: toJsonSchema(schema) }
  const first = readJsonReply((await ask(a, asked, tools, signal)).text, schema)
  if ('value' in first) return first
  const prompt = tools.render('repair', { prompt: step.prompt, why: first.unreadable })
  return readJsonReply((await ask(a, { ...asked, key: `${step.key}-again`, prompt }, tools, signal)).text, schema)
}
