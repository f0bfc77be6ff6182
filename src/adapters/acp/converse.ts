import { writeFile } from 'node:fs/promises'
import {
  type ClientContext,
  client,
  methods,
  PROTOCOL_VERSION,
  type PromptResponse,
  RequestError,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
  type Stream,
} from '@agentclientprotocol/sdk'
import { z } from 'zod'
import type { BridgeEvent } from '../../ports/bridge.ts'

export type Conversation = {
  readonly cwd: string
  readonly prompt: string
  readonly emit: (event: BridgeEvent) => void
  /** How long the agent may take to become ready for the prompt. A start may include a download. */
  readonly readyMs?: number | undefined
}

/** Runs one session with one prompt and returns the agent's stop reason. Rejects if there is none. */
export async function converse(stream: Stream, conversation: Conversation, signal: AbortSignal): Promise<string> {
  const { cwd, prompt, emit, readyMs = 30_000 } = conversation
  const writer = createEventWriter(emit)
  const app = client({ name: 'pawl' })
    .onNotification(methods.client.session.update, ({ params }) => writer.take(params.update))
    .onRequest(methods.client.session.requestPermission, ({ params }) => {
      if (signal.aborted) return cancelled
      const allowed = allow(params)
      if (!allowed) writer.deny(params.toolCall)
      return allowed ?? reject(params)
    })
    // Not offered, but opencode calls it after an edit that needed permission, and fails without an answer.
    .onRequest(methods.client.fs.writeTextFile, ({ params }) => writeFile(params.path, params.content))
  try {
    return await app.connectWith(stream, async (agent) => {
      const sessionId = await open(agent, cwd, readyMs)
      const cancel = () => void agent.notify(methods.agent.session.cancel, { sessionId }).catch(() => {})
      signal.addEventListener('abort', cancel)
      if (signal.aborted) cancel()
      const response = await agent.request(methods.agent.session.prompt, {
        sessionId,
        prompt: [{ type: 'text', text: prompt }],
      })
      writer.finish(response)
      return response.stopReason
    })
  } finally {
    writer.flush()
  }
}

/** Offers no file system and no terminal: the agent uses its own, in the folder that the gates check. */
async function open(agent: ClientContext, cwd: string, readyMs: number): Promise<string> {
  const welcome = agent.request(methods.agent.initialize, {
    protocolVersion: PROTOCOL_VERSION,
    clientInfo: { name: 'pawl', version: '1' },
  })
  const { protocolVersion } = await within(readyMs, 'initialize', welcome)
  if (protocolVersion !== PROTOCOL_VERSION) {
    throw new Error(`the agent speaks version ${protocolVersion} of the Agent Client Protocol, not ${PROTOCOL_VERSION}`)
  }
  const session = agent.request(methods.agent.session.new, { cwd, mcpServers: [] })
  return (await within(2 * readyMs, 'session/new', session)).sessionId
}

/** Allows every request, because no user is present. Prefers to allow once, if the agent offers that. */
function allow({ options }: RequestPermissionRequest): RequestPermissionResponse | undefined {
  const option =
    options.find(({ kind }) => kind === 'allow_once') ?? options.find(({ kind }) => kind === 'allow_always')
  return option && { outcome: { outcome: 'selected', optionId: option.optionId } }
}

const cancelled: RequestPermissionResponse = { outcome: { outcome: 'cancelled' } }

const reject = ({ options: [option] }: RequestPermissionRequest): RequestPermissionResponse =>
  option ? { outcome: { outcome: 'selected', optionId: option.optionId } } : cancelled

async function within<Answer>(ms: number, what: string, answer: Promise<Answer>): Promise<Answer> {
  const { promise: deadline, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no answer to ${what} within ${ms / 1000} s`)), ms)
  try {
    return await Promise.race([answer, deadline])
  } finally {
    clearTimeout(timer)
  }
}

/** Adds the details of a JSON-RPC error, because its message is often generic. */
export function toFailure(error: Error): BridgeEvent {
  if (!(error instanceof RequestError)) return { type: 'error', message: error.message }
  const { details } = (error.data ?? {}) as { details?: unknown }
  const message = typeof details === 'string' ? `${error.message}: ${details}` : error.message
  return { type: 'error', message, code: error.code }
}

type Tool = Extract<SessionUpdate, { sessionUpdate: 'tool_call' | 'tool_call_update' }>

/** Converts an agent's updates to bridge events. Text arrives in small pieces and is passed on in lines. */
function createEventWriter(emit: (event: BridgeEvent) => void) {
  const open = { type: 'text' as 'text' | 'thought', text: '' }
  const pending = new Map<string, string>()
  let lastMessageId = ''

  function take(update: SessionUpdate): void {
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        if (update.content.type === 'text') writeMessage(update.content.text, update.messageId ?? '')
        break
      case 'agent_thought_chunk':
        if (update.content.type === 'text') write('thought', update.content.text)
        break
      case 'tool_call':
      case 'tool_call_update':
        writeTool(update)
        break
      case 'usage_update':
        if (update.cost?.currency === 'USD') emit({ type: 'usage', tokens: null, costUsd: update.cost.amount })
        break
      // Only for interactive use.
      case 'user_message_chunk':
      case 'plan':
      case 'notice':
      case 'available_commands_update':
      case 'current_mode_update':
      case 'config_option_update':
      case 'session_info_update':
      case 'compaction_update':
      case 'compaction_summary_chunk':
    }
  }

  /** Starts each message on a new line. */
  function writeMessage(text: string, messageId: string): void {
    const isNew = messageId !== lastMessageId && lastMessageId !== ''
    lastMessageId = messageId
    write('text', isNew ? `\n${text}` : text)
  }

  function write(type: typeof open.type, text: string): void {
    if (type !== open.type) flush()
    open.type = type
    open.text += text
    const end = open.text.length > maxPieceLength ? open.text.length : open.text.lastIndexOf('\n') + 1
    if (end === 0) return
    emit({ type, text: open.text.slice(0, end) })
    open.text = open.text.slice(end)
  }

  function flush(): void {
    if (open.text !== '') emit({ type: open.type, text: open.text })
    open.text = ''
  }

  /** Reports a tool call once, as soon as its command or path is known, and its result. */
  function writeTool(update: Tool): void {
    writeCall(update)
    const { status, content } = update
    if (status !== 'completed' && status !== 'failed') return
    const text = (content ?? [])
      .flatMap((part) => (part.type === 'content' && part.content.type === 'text' ? [part.content.text] : []))
      .join('\n')
    if (text === '' && status === 'completed') return
    flush()
    emit({ type: 'result', text: text.slice(0, maxPieceLength), ...(status === 'failed' && { failed: true }) })
  }

  function writeCall({ sessionUpdate, toolCallId, title, status, locations, rawInput }: Tool): void {
    if (sessionUpdate === 'tool_call') {
      if (pending.size >= maxPending) pending.clear()
      pending.set(toolCallId, title ?? '')
    }
    const first = pending.get(toolCallId)
    const about = readCommand(rawInput) ?? locations?.[0]?.path
    if (first === undefined || (status === 'pending' && about === undefined)) return
    pending.delete(toolCallId)
    flush()
    emit({ type: 'tool', title: title || first || 'a tool', about })
  }

  function deny({ title, locations, rawInput }: RequestPermissionRequest['toolCall']): void {
    flush()
    const about = readCommand(rawInput) ?? locations?.[0]?.path
    emit({ type: 'denied', title: title ?? 'a tool', ...(about !== undefined && { about }) })
  }

  function finish(response: PromptResponse): void {
    flush()
    const { data } = WithUsage.safeParse(response)
    if (data) emit({ type: 'usage', tokens: data.usage.totalTokens, costUsd: null })
  }

  return { take, deny, finish, flush }
}

const maxPieceLength = 8000
const maxPending = 1000

const Command = z.object({ command: z.string() }).transform(({ command }) => command)
const readCommand = (input: unknown): string | undefined => Command.safeParse(input).data

/** Not part of version 1 of the protocol, but agents send it. */
const WithUsage = z.object({ usage: z.object({ totalTokens: z.number().nonnegative() }) })
