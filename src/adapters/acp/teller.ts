import type { PromptResponse, SessionUpdate } from '@agentclientprotocol/sdk'
import { z } from 'zod'
import type { BridgeEvent } from '../../ports/bridge.ts'

type Tool = Extract<SessionUpdate, { sessionUpdate: 'tool_call' | 'tool_call_update' }>

/** Puts an agent's updates into our words. Text comes letter by letter, so it is passed on by lines. */
export function createTeller(emit: (event: BridgeEvent) => void) {
  const open = { type: 'text' as 'text' | 'thought', text: '' }
  const pending = new Map<string, string>()
  let message = ''

  function hear(update: SessionUpdate): void {
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        if (update.content.type === 'text') speak(update.content.text, update.messageId ?? '')
        break
      case 'agent_thought_chunk':
        if (update.content.type === 'text') say('thought', update.content.text)
        break
      case 'tool_call':
      case 'tool_call_update':
        work(update)
        break
      case 'usage_update':
        if (update.cost?.currency === 'USD') emit({ type: 'usage', tokens: null, costUsd: update.cost.amount })
        break
      // For people in front of a screen.
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

  /** Another message begins on a line of its own. */
  function speak(text: string, of: string): void {
    const begins = of !== message && message !== ''
    message = of
    say('text', begins ? `\n${text}` : text)
  }

  function say(type: typeof open.type, text: string): void {
    if (type !== open.type) flush()
    open.type = type
    open.text += text
    const end = open.text.length > longestPiece ? open.text.length : open.text.lastIndexOf('\n') + 1
    if (end === 0) return
    emit({ type, text: open.text.slice(0, end) })
    open.text = open.text.slice(end)
  }

  function flush(): void {
    if (open.text !== '') emit({ type: open.type, text: open.text })
    open.text = ''
  }

  /** A tool is told once, when it is known what it is about. */
  function work({ sessionUpdate, toolCallId, title, status, locations, rawInput }: Tool): void {
    if (sessionUpdate === 'tool_call') {
      if (pending.size >= mostPending) pending.clear()
      pending.set(toolCallId, title ?? '')
    }
    const first = pending.get(toolCallId)
    const about = commandIn(rawInput) ?? locations?.[0]?.path
    if (first === undefined || (status === 'pending' && about === undefined)) return
    pending.delete(toolCallId)
    flush()
    emit({ type: 'tool', title: title || first || 'a tool', about })
  }

  function deny(title: string): void {
    flush()
    emit({ type: 'denied', title })
  }

  function finish(response: PromptResponse): void {
    flush()
    const { data } = WithUsage.safeParse(response)
    if (data) emit({ type: 'usage', tokens: data.usage.totalTokens, costUsd: null })
  }

  return { hear, deny, finish, flush }
}

const longestPiece = 8000
const mostPending = 1000

const Command = z.object({ command: z.string() }).transform(({ command }) => command)
const commandIn = (input: unknown): string | undefined => Command.safeParse(input).data

/** Not part of the protocol's first version yet, but agents tell it. */
const WithUsage = z.object({ usage: z.object({ totalTokens: z.number().nonnegative() }) })
