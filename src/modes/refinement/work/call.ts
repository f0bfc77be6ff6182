import type { Call } from '../../../contract/event.ts'
import type { Rung } from '../../../contract/models.ts'
import type { Ref } from '../../../contract/values.ts'
import type { Attempt } from '../../../kernel/run.ts'
import type { JsonSchema, ModelReply } from '../../../ports/model.ts'
import { type CallData, callData, type Role } from '../core/event-data.ts'
import type { Prompt } from '../core/prompts.ts'
import type { RefinementTools } from './tools.ts'

export type Asked = {
  readonly status: Call['status']
  readonly text: string
  readonly output?: Ref | undefined
  readonly data: CallData
  readonly detail?: string | undefined
  readonly retryAt?: number | undefined
}

export type Question = Prompt & {
  readonly key: string
  readonly via: string
  readonly role: Role
  /** Set if the answer should be an object. */
  readonly schema?: JsonSchema
  readonly temperature: number
  readonly limitMs: number
}

/** Room for one call within the bounds. */
export type Room = {
  readonly needsTokens: number
  readonly maxOutputTokens: number | undefined
  readonly fits: boolean
  /** Set if the call does not fit: the limit that is too small. `says` explains it. */
  readonly short?: 'tokens' | 'context' | 'cost'
  readonly says: string
}

/** Computes before a call whether it fits, and how long the answer may be. */
export function measureRoom(
  a: Attempt,
  { system, prompt }: Prompt,
  via: string,
  overhead: boolean,
  tools: RefinementTools,
): Room {
  const { leastOutputTokens } = tools.request.rules
  const { price, contextTokens, label } = findRung(tools, via)
  const left = a.left()
  const roomBeside = (promptTokens: number): Room => {
    const afterPrompt = left.costUsd * 1e6 - promptTokens * (price?.input ?? 0)
    const affordable = price ? afterPrompt / Math.max(price.output, 1e-9) : Infinity
    const tokens = overhead ? left.overheadTokens : left.tokens
    const rooms = { context: contextTokens - promptTokens, tokens: tokens - promptTokens, cost: affordable }
    const roomLeft = Math.floor(Math.min(rooms.context, rooms.tokens, rooms.cost, outputTokenLimit))
    const needsTokens = promptTokens + leastOutputTokens
    const room = { needsTokens, maxOutputTokens: roomLeft, fits: roomLeft >= leastOutputTokens, says: '' }
    if (room.fits) return room
    const short = (['context', 'tokens', 'cost'] as const).find((name) => rooms[name] < leastOutputTokens)!
    const says = {
      context: `it needs ${needsTokens} tokens, but the context of ${label} is ${contextTokens}`,
      tokens: `it needs ${needsTokens} tokens, but ${Math.max(0, tokens)} are left`,
      cost: `it needs ${needsTokens} tokens of ${label}, but $${Math.max(0, left.costUsd).toFixed(4)} are left`,
    }[short]
    return { ...room, short, says }
  }
  // Far from every bound a quick upper estimate is enough.
  const upperEstimate = roomBeside(maxTokensPerCharacter * (system.length + prompt.length))
  if (upperEstimate.maxOutputTokens === outputTokenLimit && upperEstimate.fits) return upperEstimate
  return roomBeside(tools.estimateTokens(system) + tools.estimateTokens(prompt))
}

/** Limit of every answer, whatever is left. */
const outputTokenLimit = 32_000
/** The estimate is never higher. */
const maxTokensPerCharacter = 2

export const isOverhead = ({ request }: RefinementTools, role: Role): boolean =>
  role === 'calibrate' || (request.rules.counts === 'generator' && role !== 'generate' && role !== 'single-shot')

/** Makes a call, or reads it back if it is recorded. The text is stored before the call is recorded. */
export async function ask(
  a: Attempt,
  question: Question,
  room: Room,
  tools: RefinementTools,
  signal: AbortSignal,
): Promise<Asked> {
  const { key, via, role } = question
  const earlier = a.recorded(key)
  if (earlier) return readBack(earlier, role, tools)
  const { local } = findRung(tools, via)
  const reply = await callModel(question, room, tools, signal)
  const output = reply.text.trim() === '' ? undefined : await tools.content.put(`${role}.md`, reply.text)
  const data: CallData = {
    role,
    remote: !local,
    bytes: reply.sentBytes,
    ...(reply.fault && { fault: reply.fault }),
    ...(reply.cut && { cut: true }),
  }
  const { status, usage, providerMs, detail, retryAt } = reply
  const overhead = isOverhead(tools, role) ? { overhead: true as const } : {}
  await a.record({
    key: isAnswer(reply) ? key : freeKey(a, key),
    via,
    status,
    usage,
    providerMs,
    ...overhead,
    output,
    data,
  })
  return { status, text: reply.text, output, data, detail, retryAt }
}

function callModel(question: Question, room: Room, tools: RefinementTools, signal: AbortSignal): Promise<ModelReply> {
  const { system, prompt, schema, temperature, limitMs, via, role } = question
  const collectLines = createLineListener()
  let length = 0
  const onText = (more: string): void => {
    length += more.length
    const usage = { tokens: Math.ceil(length / 4), costUsd: null, estimated: true } as const
    const lines = collectLines(more)
    for (const says of lines.length ? lines : ['']) tools.onProgress?.({ phase: 'model', role, via, says, usage })
  }
  const { maxOutputTokens } = room
  const { silenceMs } = tools.request.rules
  return tools
    .modelOf(via)
    .call({ system, prompt, schema, temperature, limitMs, silenceMs, maxOutputTokens, onText }, signal)
}

const isAnswer = ({ status, fault }: ModelReply): boolean => status !== 'unavailable' && fault !== 'stopped'

/** Returns an unused key for a failed call, so that it is counted and made again. */
function freeKey(a: Attempt, key: string): string {
  for (let number = 1; ; number += 1) if (!a.recorded(`${key}-lost-${number}`)) return `${key}-lost-${number}`
}

async function readBack(call: Call, role: Role, { content }: RefinementTools): Promise<Asked> {
  const { status, output } = call
  const text = output ? new TextDecoder().decode(await content.get(output)) : ''
  return { status, text, output, data: callData(call) ?? { role, remote: false, bytes: 0 } }
}

export function findRung({ request }: Pick<RefinementTools, 'request'>, via: string): Rung {
  const rung = request.ladder.find(({ id }) => id === via)
  if (!rung) throw new Error(`unknown rung ${via}`)
  return rung
}

/** Longer than any line that is shown. */
const maxLineLength = 4096

/** Returns the lines that a chunk completes, in linear time: a model may send megabytes letter by letter without a line break. */
export function createLineListener(): (more: string) => readonly string[] {
  let open = ''
  return (more) => {
    const [first = '', ...others] = more.split('\n')
    if (open.length < maxLineLength) open += first
    if (others.length === 0) return []
    const lines = [open, ...others.slice(0, -1)]
    open = others.at(-1)!
    return lines
  }
}
