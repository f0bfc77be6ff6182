import type { z } from 'zod'
import type { Usage } from '../../contract/values.ts'
import type { Fault } from '../../ports/agent.ts'

/** Everything read from an agent's output by the time it exited. */
export type ReadResult = {
  readonly usage: Usage
  /** The agent's last message, empty if there was none. */
  readonly lastMessage: string
  readonly denied: number
  /** Whether the agent reported that it had finished. Undefined if its output has no such report. */
  readonly finished?: boolean | undefined
  /** Whether a reply of the model or a tool call was seen. Undefined if the output has no marks of them. */
  readonly worked?: boolean | undefined
  /** The agent's own error message, if it reported failure. */
  readonly error?: string | undefined
  readonly fault?: Fault | undefined
  /** When a usage limit ends, in epoch milliseconds. */
  readonly resetAt?: number | undefined
}

/** One line about the agent's current activity, and its usage so far. */
export type Activity = { readonly says: string; readonly usage?: Usage | undefined }

/** Reads the output of one attempt. Contract: never throws, whatever the lines contain; memory stays bounded. */
export type Reader = {
  line(text: string): Activity | undefined
  /** One line of stderr. */
  warning?(text: string): void
  /** Returns the provider fault that the agent is retrying after right now. */
  trouble?(): Fault | undefined
  result(): ReadResult
}

export const unknownUsage: Usage = { tokens: null, costUsd: null }

/** Returns the end of a message, where the outcome usually is. Leading spaces stay, since indentation may matter. */
export const takeEnd = (message: string, maxLength = 8000): string => message.trimEnd().slice(-maxLength)

/** Maps the provider's HTTP status to a fault. Undefined if the provider is not at fault. */
export function classifyStatus(status: number | null | undefined): Fault | undefined {
  if (status === 401 || status === 403) return 'login'
  if (status === 429) return 'limit'
  return status === 408 || (status ?? 0) >= 500 ? 'provider' : undefined
}

/** Converts epoch seconds or milliseconds to milliseconds: only one of them is a date in this century. */
export const toMs = (moment: number): number => (moment < 1e11 ? moment * 1000 : moment)

/** Calls `take` with each line that is a known event. Ignores all other output. */
export function eventReader<Event>(schema: z.ZodType<Event>, take: (event: Event) => Activity | undefined) {
  return (text: string): Activity | undefined => {
    const event = schema.safeParse(parse(text))
    return event.success ? take(event.data) : undefined
  }
}

function parse(text: string): unknown {
  if (!text.startsWith('{')) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Formats a tool call as one line: the tool's name and the most telling field of its input. */
export function toolLine(tool: string, input: unknown): string {
  const values = typeof input === 'object' && input !== null ? (input as Readonly<Record<string, unknown>>) : {}
  const about = ['file_path', 'filePath', 'path', 'command', 'pattern', 'url', 'description'].find(
    (key) => typeof values[key] === 'string',
  )
  return about ? `${tool} ${firstLine(String(values[about]))}` : tool
}

export const firstLine = (text: string): string => text.trim().split('\n', 1)[0]!.slice(0, 200)
