import type { AgentName } from '../../../../src/adapters/agents/dialects.ts'

/** Something that an iteration shows and that is not so. */
export type Claim = {
  readonly name: string
  /** What somebody who reads the words would take it for. */
  readonly looksLike: 'completed' | 'failed' | 'blocked' | 'limit' | 'provider down' | 'no login' | 'denied'
  /** The agent's last message, or all it prints where it is text. */
  readonly says: string | ((prompt: string) => string)
  /** What a tool printed before that. In plain output it stands above the message, in an event stream in its own event. */
  readonly tool?: string
  readonly stderr?: string
  readonly exitCode?: number
  readonly gate?: 'false'
  /** What the agent is asked to do, where that matters. */
  readonly act?: string
  /** Who can print this; everybody, if it is not said. */
  readonly by?: readonly Speaker[]
}

export type Speaker = 'text' | AgentName

export const usualAct =
  'Do the first open task of PLAN.md. When no task is open and all tests pass, end with the line <promise>SUCCESS</promise>'
