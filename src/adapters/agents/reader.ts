import type { z } from 'zod'
import { boundText, describeEntry, firstLine, type TranscriptEntry } from '../../contract/transcript.ts'
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

export type Entry = TranscriptEntry
/** Some entries of a line, without the time of its event. */
export type Entries = readonly Entry[]

/** Reads the output of one attempt. Contract: never throws, whatever the lines contain; memory stays bounded. */
export type Reader = {
  /** Returns what a line of stdout adds to the transcript. */
  line(text: string): Entries
  /** The same for a line of stderr. Default: a line of output. */
  warning?(text: string): Entries
  /** Returns the provider fault that the agent is retrying after right now. */
  trouble?(): Fault | undefined
  result(): ReadResult
}

/** One line about the agent's current activity, and its usage so far. */
export type Activity = {
  readonly says: string
  readonly usage?: Usage | undefined
  readonly problem?: 'provider' | 'denied'
}

/** Derives the live line from the entries of one line of output. Tool results alone are no news. */
export function toActivity(entries: Entries): Activity | undefined {
  const usage = entries.findLast((entry) => entry.kind === 'usage')?.usage
  const news = entries.findLast(({ kind }) => kind !== 'usage' && kind !== 'tool-result')
  const shown = news ?? entries.findLast(({ kind }) => kind === 'usage')
  const says = shown ? describeEntry(shown) : ''
  if (says === '') return undefined
  const problem = shown?.kind === 'error' ? 'provider' : shown?.kind === 'denied' ? 'denied' : undefined
  return { says, ...(usage && { usage }), ...(problem && { problem }) }
}

/** Returns a line of plain text as an entry; nothing for an empty line. */
export const outputEntry = (text: string): Entries => (text.trim() === '' ? [] : [boundEntry({ kind: 'output', text })])

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

/**
 * Calls `take` with each line that is a known event, and adds the time of the event to its entries. Ignores all other output.
 */
export function eventReader<Event>(schema: z.ZodType<Event>, take: (event: Event) => Entries) {
  return (text: string): Entries => {
    const parsed = parse(text)
    const event = schema.safeParse(parsed)
    if (!event.success) return []
    const at = readTime(parsed)
    return take(event.data).map((entry) => boundEntry(at === undefined ? entry : { ...entry, at }))
  }
}

const maxResultLength = 4000

/** Shortens every text of an entry, because an agent may put a whole file into any of them. */
const boundEntry = (entry: Entry): Entry =>
  Object.fromEntries(
    Object.entries(entry).map(([key, value]) => [
      key,
      typeof value === 'string'
        ? boundText(value, key === 'text' && entry.kind !== 'tool-result' ? undefined : maxResultLength)
        : value,
    ]),
  ) as Entry

function parse(text: string): unknown {
  if (!text.startsWith('{')) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Reads `timestamp`: a date, or milliseconds since the epoch. */
function readTime(event: unknown): number | undefined {
  const { timestamp } = event as { readonly timestamp?: unknown }
  const at = typeof timestamp === 'string' ? Date.parse(timestamp) : timestamp
  return typeof at === 'number' && at > 0 && at < maxTime ? Math.round(at) : undefined
}
const maxTime = 8.64e15

/** Returns the most telling field of a tool's input. */
export function describeInput(input: unknown): string | undefined {
  const values = typeof input === 'object' && input !== null ? (input as Readonly<Record<string, unknown>>) : {}
  const about = ['file_path', 'filePath', 'path', 'command', 'pattern', 'url', 'query', 'description'].find(
    (key) => typeof values[key] === 'string',
  )
  return about && firstLine(String(values[about]))
}
