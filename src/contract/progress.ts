import type { Usage } from './values.ts'

type Says = {
  /** One line: a tool and what it works on, a line of output, the gate's command. Not yet safe to show as it is. */
  readonly says: string
  /** Used so far in this attempt, where the agent tells as it goes; of a model in this call. */
  readonly usage?: Usage | undefined
}

/** What goes on inside an attempt at this moment, for whoever watches. Nothing is decided by it, and nothing kept. */
export type Progress = Says &
  (
    | { readonly phase: 'agent' | 'gate' }
    /** A call streams: `says` is a line of it that is whole, else empty. `role` is what the mode calls it, `via` is the rung. */
    | { readonly phase: 'model'; readonly role: string; readonly via: string }
  )
