import type { Usage } from './values.ts'

/** What goes on inside an attempt at this moment, for whoever watches. Nothing is decided by it, and nothing kept. */
export type Progress = {
  readonly phase: 'agent' | 'gate'
  /** One line: a tool and what it works on, a line of output, the gate's command. Not yet safe to show as it is. */
  readonly says: string
  /** Used so far in this attempt, where the agent tells as it goes. */
  readonly usage?: Usage | undefined
}
