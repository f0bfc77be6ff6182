import type { Progress } from '../contract/progress.ts'
import type { TranscriptEntry } from '../contract/transcript.ts'
import type { Ref, Usage } from '../contract/values.ts'

export type AgentRequest = {
  readonly run: string
  readonly task: string
  readonly attempt: number
  readonly cwd: string
  /** A file, or the text itself if it could not be saved. Never passed on the command line. */
  readonly prompt: { readonly path: string } | { readonly text: string }
  /** Path of the log. Without it the output is not saved. */
  readonly log?: string | undefined
  /** File the agent may write its own report to. Default: next to the log. */
  readonly resultFile?: string | undefined
  readonly wallMs?: number | undefined
  /** Remaining budget, passed on to agents that can enforce it themselves. */
  readonly costUsd?: number | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

/** The result of one agent process. Anything the agent claims about itself is only a hint. */
export type AgentReport = {
  readonly status: 'ok' | 'failed' | 'timed-out' | 'interrupted' | 'unavailable'
  readonly exitCode: number | null
  readonly usage: Usage
  readonly providerMs: number
  readonly log?: Ref | undefined
  readonly detail?: string | undefined
  readonly retryAt?: number | undefined
  /** Set if the agent is not to blame: a usage limit, a provider that does not answer, a missing login. */
  readonly fault?: Fault | undefined
  /** False if the agent's output shows that it failed before any model reply or tool call. Undefined if the output does not tell. */
  readonly worked?: boolean | undefined
  /** Number of actions the agent was denied permission for. */
  readonly denied: number
  /** The first denied actions: tool and most telling argument. At most 5, each at most 200 characters. */
  readonly denials?: readonly string[] | undefined
  /** The agent's last message, truncated. A hint only. */
  readonly lastMessage: string
}

export type Fault = 'limit' | 'provider' | 'login'

/** Contract: never rejects because the agent failed; resolves only after the complete process tree has ended. */
export type Agent = {
  readonly name: string
  run(request: AgentRequest, signal: AbortSignal): Promise<AgentReport>
  /** Reads from the files of an attempt that was killed what it had spent by then. Contract: never rejects; null is unknown. */
  recover?(request: Pick<AgentRequest, 'log' | 'resultFile'>): Promise<Usage>
}

/** Turns an agent's saved output into entries, piece by piece. Contract: never throws; memory stays bounded; reads no clock. */
export type TranscriptReader = {
  /** Returns the entries of the lines that this text completes. */
  read(text: string): readonly TranscriptEntry[]
  /** Returns the entries of a last line without a line break. */
  end(): readonly TranscriptEntry[]
}
