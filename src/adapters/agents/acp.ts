import { z } from 'zod'
import type { Usage } from '../../contract/values.ts'
import type { Fault } from '../../ports/agent.ts'
import type { BridgeEvent } from '../../ports/bridge.ts'
import { classifyError } from './own-words.ts'
import { type Entries, eventReader, type Reader, unknownUsage } from './reader.ts'

const amount = z.number().nonnegative().nullable().catch(null)
const Event: z.ZodType<BridgeEvent> = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['text', 'thought']), text: z.string() }),
  z.object({ type: z.literal('tool'), title: z.string(), about: z.string().optional() }),
  z.object({ type: z.literal('result'), text: z.string(), failed: z.literal(true).optional() }),
  z.object({ type: z.literal('denied'), title: z.string(), about: z.string().optional() }),
  z.object({ type: z.literal('usage'), tokens: amount, costUsd: amount }),
  z.object({ type: z.literal('end'), reason: z.string() }),
  z.object({ type: z.literal('error'), message: z.string(), code: z.number().optional() }),
])

/** Reads the output of our bridge to agents that speak the Agent Client Protocol. */
export function readAcp(): Reader {
  let usage: Usage = unknownUsage
  let message = ''
  let speaking = false
  let denied = 0
  let worked = false
  let reason: string | undefined
  let failure: Extract<BridgeEvent, { type: 'error' }> | undefined

  function take(event: BridgeEvent): Entries {
    if (event.type === 'tool' || event.type === 'denied') speaking = false
    worked ||= event.type !== 'error' && event.type !== 'usage'
    switch (event.type) {
      case 'text':
        message = `${speaking ? message : ''}${event.text}`.slice(-maxMessageLength)
        speaking = true
        return toText('message', event.text)
      case 'thought':
        return toText('thought', event.text)
      case 'tool':
        return [{ kind: 'tool-call', tool: event.title, about: event.about }]
      case 'result':
        return [{ kind: 'tool-result', text: event.text, failed: event.failed }]
      case 'denied':
        denied++
        return [{ kind: 'denied', tool: event.title, about: event.about }]
      case 'usage':
        usage = mergeUsage(usage, event)
        return [{ kind: 'usage', usage }]
      case 'end':
        reason = event.reason
        return []
      case 'error':
        failure = event
        return [{ kind: 'error', message: event.message }]
    }
  }

  return {
    line: eventReader(Event, take),
    result: () => ({
      usage,
      lastMessage: message,
      denied,
      finished: reason !== undefined,
      worked,
      ...(reason !== undefined && reason !== 'end_turn' && { error: `the agent stopped: ${reason}` }),
      ...(failure && { error: failure.message, fault: classifyFailure(failure) }),
    }),
  }
}

const maxMessageLength = 16_000

const toText = (kind: 'message' | 'thought', text: string): Entries =>
  text.trim() === '' ? [] : [{ kind, text: text }]

/** Marked as estimated, because some agents report the tokens of their last call instead of the session's total. */
const mergeUsage = (before: Usage, { tokens, costUsd }: Extract<BridgeEvent, { type: 'usage' }>): Usage => ({
  tokens: tokens ?? before.tokens,
  costUsd: costUsd ?? before.costUsd,
  estimated: true,
})

/** The protocol has a code for missing logins only. Errors without a code are those of the bridge. */
function classifyFailure({ code, message }: Extract<BridgeEvent, { type: 'error' }>): Fault | undefined {
  if (code === undefined) return undefined
  return code === authRequired ? 'login' : classifyError(message)
}

const authRequired = -32000
