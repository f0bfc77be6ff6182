import { z } from 'zod'
import type { Usage } from '../../contract/values.ts'
import type { Fault } from '../../ports/agent.ts'
import type { BridgeEvent } from '../../ports/bridge.ts'
import { classifyError } from './own-words.ts'
import { type Activity, eventReader, firstLine, type Reader, unknownUsage } from './reader.ts'

const amount = z.number().nonnegative().nullable().catch(null)
const Event: z.ZodType<BridgeEvent> = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['text', 'thought']), text: z.string() }),
  z.object({ type: z.literal('tool'), title: z.string(), about: z.string().optional() }),
  z.object({ type: z.literal('denied'), title: z.string() }),
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

  function take(event: BridgeEvent): Activity | undefined {
    if (event.type === 'tool' || event.type === 'denied') speaking = false
    worked ||= event.type !== 'error' && event.type !== 'usage'
    switch (event.type) {
      case 'text':
        message = `${speaking ? message : ''}${event.text}`.slice(-maxMessageLength)
        speaking = true
        return toActivity(event.text)
      case 'thought':
        return toActivity(event.text)
      case 'tool':
        return { says: firstLine(event.about ? `${event.title} ${event.about}` : event.title) }
      case 'denied':
        denied++
        return { says: `denied: ${firstLine(event.title)}` }
      case 'usage':
        usage = mergeUsage(usage, event)
        return { says: 'usage', usage }
      case 'end':
        reason = event.reason
        return undefined
      case 'error':
        failure = event
        return { says: firstLine(event.message) }
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

function toActivity(text: string): Activity | undefined {
  const says = firstLine(text)
  return says === '' ? undefined : { says }
}

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
