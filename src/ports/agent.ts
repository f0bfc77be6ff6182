import type { Progress } from '../contract/progress.ts'
import type { Ref, Usage } from '../contract/values.ts'

export type AgentRequest = {
  readonly run: string
  readonly task: string
  readonly attempt: number
  readonly cwd: string
  /** As a file where there is one; as text where it could not be kept. Never on the command line. */
  readonly prompt: { readonly path: string } | { readonly text: string }
  /** Without it nothing of the output is kept. */
  readonly log?: string | undefined
  /** Where the agent may tell more; beside its log, if not given. The one place of a run that is the agent's own. */
  readonly resultFile?: string | undefined
  readonly wallMs?: number | undefined
  /** What is left to spend; handed down to agents that can hold to it themselves. */
  readonly costUsd?: number | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

/** What an agent's process came to, in the kernel's words. Everything the agent says of itself is a hint. */
export type AgentReport = {
  readonly status: 'ok' | 'failed' | 'timed-out' | 'interrupted' | 'unavailable'
  readonly exitCode: number | null
  readonly usage: Usage
  readonly providerMs: number
  readonly log?: Ref | undefined
  readonly detail?: string | undefined
  readonly retryAt?: number | undefined
  /** Not the agent's failure: a usage limit, a provider that does not answer, a login that is missing. */
  readonly fault?: Fault | undefined
  /** How often it was not allowed to do what it wanted to do. */
  readonly denied: number
  /** The agent's last message, bounded, for hints. */
  readonly lastMessage: string
}

export type Fault = 'limit' | 'provider' | 'login'

/** Contract: never rejects for agent failure; the whole process tree is gone before it resolves. */
export type Agent = {
  readonly name: string
  run(request: AgentRequest, signal: AbortSignal): Promise<AgentReport>
}
