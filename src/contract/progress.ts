import type { Usage } from './values.ts'

type Says = {
  /** One line: a tool call, a line of output, or a gate's command. Untrusted text: escape it before showing it. */
  readonly says: string
  /** Usage so far: of the attempt if the agent reports it, or of the model's current call. */
  readonly usage?: Usage | undefined
  /** `says` is not work: the provider failed and the agent retries, or an action was denied. */
  readonly problem?: 'provider' | 'denied' | undefined
}

/** Live progress inside an attempt, for display only. No decision depends on it, and it is not stored. */
export type Progress = Says &
  (
    | { readonly phase: 'agent' | 'gate' }
    /** A streaming call. `says` is its last complete line or empty; `role` is the mode's name for the call; `via` is the rung. */
    | { readonly phase: 'model'; readonly role: string; readonly via: string }
  )
