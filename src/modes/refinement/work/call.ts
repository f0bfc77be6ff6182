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
  /** Of the object that is wanted, where one is. */
  readonly schema?: JsonSchema
  readonly temperature: number
  readonly limitMs: number
}

/** Room for one call, as the ledger has it: what the prompt takes, what is left for the answer. */
export type Room = {
  readonly needsTokens: number
  readonly maxOutputTokens: number | undefined
  readonly fits: boolean
  /** Where it does not fit: what it is that holds too little, and in words. */
  readonly short?: 'tokens' | 'context' | 'cost'
  readonly says: string
}

/** Before every call: whether it fits what is left, and what the answer may take. */
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
    const most = Math.floor(Math.min(rooms.context, rooms.tokens, rooms.cost, mostOutputTokens))
    const needsTokens = promptTokens + leastOutputTokens
    const room = { needsTokens, maxOutputTokens: most, fits: most >= leastOutputTokens, says: '' }
    if (room.fits) return room
    const short = (['context', 'tokens', 'cost'] as const).find((name) => rooms[name] < leastOutputTokens)!
    const says = {
      context: `it needs ${needsTokens} tokens, and ${label} holds ${contextTokens}`,
      tokens: `it needs ${needsTokens} tokens, and ${Math.max(0, tokens)} are left`,
      cost: `it needs ${needsTokens} tokens of ${label}, and $${Math.max(0, left.costUsd).toFixed(4)} are left`,
    }[short]
    return { ...room, short, says }
  }
  // Far from every bound it makes no difference how long the prompt is, and it need not be gone through.
  const inAnyCase = roomBeside(mostPerCharacter * (system.length + prompt.length))
  if (inAnyCase.maxOutputTokens === mostOutputTokens && inAnyCase.fits) return inAnyCase
  return roomBeside(tools.estimateTokens(system) + tools.estimateTokens(prompt))
}

/** No answer of ours is longer, whatever is left. */
const mostOutputTokens = 32_000
/** No text is estimated at more. */
const mostPerCharacter = 2

export const isOverhead = ({ request }: RefinementTools, role: Role): boolean =>
  role === 'calibrate' || (request.rules.counts === 'generator' && role !== 'generate' && role !== 'single-shot')

/** One call, made once: what is recorded is read back instead. The text is kept before the call is. */
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
  const output = reply.text === '' ? undefined : await tools.content.put(`${role}.md`, reply.text)
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
    const whole = collectLines(more)
    for (const says of whole.length ? whole : ['']) tools.onProgress?.({ phase: 'model', role, via, says, usage })
  }
  const { maxOutputTokens } = room
  const { silenceMs } = tools.request.rules
  return tools
    .modelOf(via)
    .call({ system, prompt, schema, temperature, limitMs, silenceMs, maxOutputTokens, onText }, signal)
}

const isAnswer = ({ status, fault }: ModelReply): boolean => status !== 'unavailable' && fault !== 'stopped'

/** A call that came to nothing is counted and made again: only what was answered is an answer. */
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
  if (!rung) throw new Error(`no rung is called ${via}`)
  return rung
}

/** More of a line than anybody is shown. */
const longestOpen = 4096

/** The lines that a piece makes whole, each once. Looks at each piece once: a model may send megabytes letter by letter, and never end a line. */
export function createLineListener(): (more: string) => readonly string[] {
  let open = ''
  return (more) => {
    const [first = '', ...others] = more.split('\n')
    if (open.length < longestOpen) open += first
    if (others.length === 0) return []
    const whole = [open, ...others.slice(0, -1)]
    open = others.at(-1)!
    return whole
  }
}
