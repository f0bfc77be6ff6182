import type { Usage } from '../../contract/values.ts'
import type { Fault } from '../../ports/agent.ts'

/** What an agent's output told about itself by the time it had ended. */
export type Told = {
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
  told(): Told
}

export const unknownUsage: Usage = { tokens: null, costUsd: null }

/** The end of a message is where it says how it went. Its indentation may mean something. */
export const endOf = (message: string, longest = 8000): string => message.trimEnd().slice(-longest)
