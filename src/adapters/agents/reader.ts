import type { z } from 'zod'
import type { Usage } from '../../contract/values.ts'
import type { Fault } from '../../ports/agent.ts'

/** What an agent's output told about itself by the time it had ended. */
export type ReadResult = {
  readonly usage: Usage
  /** Its own last message, however long a line of output may be; empty where it said none. */
  readonly lastMessage: string
  readonly denied: number
  /** It reported an end of its work. Undefined where its output has no such thing. */
  readonly finished?: boolean | undefined
  /** It says that it failed, in its own words. */
  readonly error?: string | undefined
  readonly fault?: Fault | undefined
  /** When a limit ends, as epoch time in milliseconds. */
  readonly resetAt?: number | undefined
}

/** One line about what it does now, and what it has used up to here. */
export type Activity = { readonly says: string; readonly usage?: Usage | undefined }

/** Reads the output of one attempt. Contract: never throws, whatever the lines hold; its memory stays bounded. */
export type Reader = {
  line(text: string): Activity | undefined
  /** One line of stderr. */
  warning?(text: string): void
  /** It is in trouble with its provider at this moment, and tries again by itself. */
  trouble?(): Fault | undefined
  told(): ReadResult
}

export const unknownUsage: Usage = { tokens: null, costUsd: null }

/** The end of a message is where it says how it went. Its indentation may mean something. */
export const takeEnd = (message: string, longest = 8000): string => message.trimEnd().slice(-longest)

/** What an HTTP status of the provider means for a loop; undefined where the agent itself is to blame. */
export function classifyStatus(status: number | null | undefined): Fault | undefined {
  if (status === 401 || status === 403) return 'login'
  if (status === 429) return 'limit'
  return status === 408 || (status ?? 0) >= 500 ? 'provider' : undefined
}

/** Vendors write moments in seconds or in milliseconds; only one of them is in this century. */
export const asMs = (moment: number): number => (moment < 1e11 ? moment * 1000 : moment)

/** Calls `take` with each line that is an event we know. Everything else on stdout is somebody else's. */
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

/** One line for a person: a tool and the first thing in its input that tells what it is about. */
export function toolLine(tool: string, input: unknown): string {
  const values = typeof input === 'object' && input !== null ? (input as Readonly<Record<string, unknown>>) : {}
  const about = ['file_path', 'filePath', 'path', 'command', 'pattern', 'url', 'description'].find(
    (key) => typeof values[key] === 'string',
  )
  return about ? `${tool} ${firstLine(String(values[about]))}` : tool
}

export const firstLine = (text: string): string => text.trim().split('\n', 1)[0]!.slice(0, 200)
