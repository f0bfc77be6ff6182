import { writeFile } from 'node:fs/promises'
import {
  type ClientContext,
  client,
  methods,
  PROTOCOL_VERSION,
  RequestError,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type Stream,
} from '@agentclientprotocol/sdk'
import type { BridgeEvent } from '../../ports/bridge.ts'
import { createTeller } from './teller.ts'

export type Conversation = {
  readonly cwd: string
  readonly prompt: string
  readonly emit: (event: BridgeEvent) => void
  /** How long the agent may take until it is ready for the prompt; starting one may mean fetching it first. */
  readonly readyMs?: number | undefined
}

/** One session with one prompt, up to the reason why the agent stopped. Rejects where it does not come to that. */
export async function converse(stream: Stream, conversation: Conversation, signal: AbortSignal): Promise<string> {
  const { cwd, prompt, emit, readyMs = 30_000 } = conversation
  const teller = createTeller(emit)
  const app = client({ name: 'pawl' })
    .onNotification(methods.client.session.update, ({ params }) => teller.hear(params.update))
    .onRequest(methods.client.session.requestPermission, ({ params }) => {
      if (signal.aborted) return cancelled
      const allowed = allow(params)
      if (!allowed) teller.deny(params.toolCall.title ?? 'a tool')
      return allowed ?? reject(params)
    })
    // Not offered; yet opencode asks for it behind an edit that it had to ask for, and is upset where nobody answers.
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
      teller.finish(response)
      return response.stopReason
    })
  } finally {
    teller.flush()
  }
}

/** No file system and no terminal are offered: the agent works with its own, in its own folder, where gates look too. */
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

/** Nobody is at hand to be asked. What is allowed is allowed once, as far as the agent offers that. */
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

/** An error of JSON-RPC says what is meant in its data where its own words are general. */
export function failureOf(error: Error): BridgeEvent {
  if (!(error instanceof RequestError)) return { type: 'error', message: error.message }
  const { details } = (error.data ?? {}) as { details?: unknown }
  const message = typeof details === 'string' ? `${error.message}: ${details}` : error.message
  return { type: 'error', message, code: error.code }
}
