import type { Call } from '../contract/event.ts'
import type { Progress } from '../contract/progress.ts'
import type { Ref } from '../contract/values.ts'
import type { Attempt } from '../kernel/run.ts'
import type { Artifacts } from '../ports/artifacts.ts'
import type { Model, ModelFault, ModelReply } from '../ports/model.ts'
import type { Prompt } from './measure-room.ts'

/** The `data` of a call. `bytes` were sent to the provider; `remote`: to another machine. */
export type CallData<Role extends string> = {
  readonly role: Role
  readonly remote: boolean
  readonly bytes: number
  readonly fault?: ModelFault | undefined
  readonly cut?: true | undefined
}

export type ModelQuestion<Role extends string> = Prompt & {
  /** Identifies the call in its attempt: a recorded call is read back. */
  readonly key: string
  readonly via: string
  readonly role: Role
  readonly temperature: number
  readonly limitMs: number
  readonly silenceMs: number
  readonly maxOutputTokens: number | undefined
  readonly overhead: boolean
  /** More for the `data` of the call, such as the file that is written. */
  readonly more?: Readonly<Record<string, string | number>>
}

export type ModelAnswer<Role extends string> = {
  readonly status: Call['status']
  readonly text: string
  readonly output?: Ref | undefined
  readonly data: CallData<Role>
  readonly detail?: string | undefined
  readonly retryAt?: number | undefined
}

export type CallTools = {
  readonly modelOf: (rung: string) => Model
  readonly isRemote: (rung: string) => boolean
  readonly content: Pick<Artifacts, 'put' | 'get'>
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

/** Makes a call, or reads it back if it is recorded. The text is stored before the call is recorded. */
export async function askModel<Role extends string>(
  a: Attempt,
  question: ModelQuestion<Role>,
  tools: CallTools,
  signal: AbortSignal,
): Promise<ModelAnswer<Role>> {
  const { key, via, role, more } = question
  const earlier = a.recorded(key)
  if (earlier) return readBack(earlier, role, tools)
  const reply = await callModel(question, tools, signal)
  const output = reply.text.trim() === '' ? undefined : await tools.content.put(`${role}.md`, reply.text)
  const data: CallData<Role> = {
    role,
    remote: tools.isRemote(via),
    bytes: reply.sentBytes,
    ...(reply.fault && { fault: reply.fault }),
    ...(reply.cut && { cut: true }),
    ...more,
  }
  const { status, usage, providerMs, detail, retryAt } = reply
  await a.record({
    key: isAnswer(reply) ? key : freeKey(a, key),
    via,
    status,
    usage,
    providerMs,
    ...(question.overhead && { overhead: true }),
    output,
    data,
  })
  return { status, text: reply.text, output, data, detail, retryAt }
}

function callModel<Role extends string>(
  question: ModelQuestion<Role>,
  tools: CallTools,
  signal: AbortSignal,
): Promise<ModelReply> {
  const { system, prompt, schema, temperature, limitMs, silenceMs, maxOutputTokens, via, role } = question
  const collectLines = createLineListener()
  let length = 0
  const onText = (more: string): void => {
    length += more.length
    const usage = { tokens: Math.ceil(length / 4), costUsd: null, estimated: true } as const
    const lines = collectLines(more)
    for (const says of lines.length ? lines : ['']) tools.onProgress?.({ phase: 'model', role, via, says, usage })
  }
  const request = { system, prompt, schema, temperature, limitMs, silenceMs, maxOutputTokens, onText }
  return tools.modelOf(via).call(request, signal)
}

const isAnswer = ({ status, fault }: ModelReply): boolean => status !== 'unavailable' && fault !== 'stopped'

/** Returns an unused key for a failed call, so that it is counted and made again. */
function freeKey(a: Attempt, key: string): string {
  for (let number = 1; ; number += 1) if (!a.recorded(`${key}-lost-${number}`)) return `${key}-lost-${number}`
}

async function readBack<Role extends string>(
  call: Call,
  role: Role,
  { content }: CallTools,
): Promise<ModelAnswer<Role>> {
  const { status, output, data } = call
  const text = output ? new TextDecoder().decode(await content.get(output)) : ''
  return { status, text, output, data: (data as CallData<Role> | undefined) ?? { role, remote: false, bytes: 0 } }
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
