import type { LogLine } from '../../../src/contract/web.ts'
import type { IconName } from '../parts/icon.tsx'
import type { Tone } from '../standing.ts'
import { type LogRow, readField } from './log-rows.ts'

export type MessageLook = { readonly tone: Tone; readonly icon: IconName }

const look = (tone: Tone, icon: IconName): MessageLook => ({ tone, icon })

/** By the name that the log gives an event. */
const events: Readonly<Record<string, MessageLook>> = {
  start: look('off', 'todo'),
  phases: look('off', 'delivery'),
  generate: look('ok', 'chat'),
  retry: look('off', 'retry'),
  escalation: look('up', 'up'),
  failover: look('off', 'swap'),
  error: look('off', 'wait'),
  feedback: look('off', 'chat'),
  pause: look('you', 'pause'),
  resume: look('off', 'play'),
  'single-shot': look('off', 'file'),
  completion: look('ok', 'ok'),
  abort: look('bad', 'bad'),
}

/** What followed from a score. */
const scores: Readonly<Record<string, MessageLook>> = {
  pass: look('ok', 'ok'),
  retry: look('you', 'mid'),
  escalate: look('bad', 'low'),
}

/** The icon of a message: that of its line in the log. */
export function lookOfMessage(row: LogRow | undefined, isError: boolean): MessageLook {
  const event = readField(row, 'event')
  const known = event === 'score' ? scores[readField(row, 'outcome')] : events[event]
  return known ?? (isError ? look('bad', 'bad') : look('off', 'todo'))
}

/**
 * The line of the log that a message belongs to: that of the same event. A score may be told by the event after it, alone or before
 * what follows from the score.
 */
export function findRow(messages: readonly LogLine[], index: number, rows: readonly LogRow[]): LogRow | undefined {
  const message = messages[index]
  if (!message) return undefined
  const exact = rows.find((row) => row.seq === message.seq)
  const isLast = messages[index + 1]?.seq !== message.seq
  if (message.isError || (exact && isLast)) return exact
  const before = rows.findLast(({ seq }) => typeof seq === 'number' && seq < message.seq)
  return readField(before, 'event') === 'score' ? before : exact
}
