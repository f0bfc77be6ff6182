import type { Decision, LoopEvent, Stop, Task } from '../contract/event.ts'
import type { CapName, Caps } from '../contract/values.ts'
import type { LoopState } from './state.ts'

export type View<Memo> = { readonly state: LoopState; readonly memo: Memo }

/**
 * The pure half of a mode. `memo` is the mode's own state: stories, phases, the best result so far.
 * Contract: no clock, no randomness, no I/O; `memo` is plain JSON of bounded size.
 */
export type Policy<Memo> = {
  readonly name: string
  /** Increase it whenever `fold` gives another result for the same events: older snapshots are then discarded. */
  readonly version: number
  readonly caps: Caps
  readonly memo: Memo
  readonly fold: (memo: Memo, event: LoopEvent, before: LoopState) => Memo
  readonly pick: (view: View<Memo>) => Task | Stop
  /** Called when an attempt has a verdict, was interrupted, or could not run because something was unavailable. */
  readonly decide: (view: View<Memo>) => Decision
  /** Called when a cap is spent. Nothing new starts after that, except one grace attempt per cap. */
  readonly whenSpent: (cap: CapName, view: View<Memo>) => Decision
}

/** The budget that remains for one more call. */
export type Allowance = Readonly<Record<'tokens' | 'overheadTokens' | 'costUsd' | 'ms', number>>

/** The four ways a run can leave the loop. */
export type Left<Memo> = { readonly view: View<Memo> } & (
  | { readonly status: 'ended' | 'interrupted' }
  | { readonly status: 'waiting'; readonly until?: number }
  | { readonly status: 'unsaved'; readonly error: unknown }
)
