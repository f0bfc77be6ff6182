import type { Decision, LoopEvent, Stop, Task } from '../contract/event.ts'
import type { CapName, Caps } from '../contract/values.ts'
import type { LoopState } from './state.ts'

export type View<Memo> = { readonly state: LoopState; readonly memo: Memo }

/**
 * The pure half of a mode. `memo` is what the mode remembers beyond the kernel: stories, phases, best so far.
 * Contract: no clock, no randomness, no I/O; `memo` is plain JSON and stays bounded.
 */
export type Policy<Memo> = {
  readonly name: string
  /** Raised whenever `fold` changes what it makes of the same events, so that older snapshots are discarded. */
  readonly version: number
  readonly caps: Caps
  readonly memo: Memo
  readonly fold: (memo: Memo, event: LoopEvent, before: LoopState) => Memo
  readonly pick: (view: View<Memo>) => Task | Stop
  /** Asked when an attempt has a verdict, and when it was interrupted or something was unavailable. */
  readonly decide: (view: View<Memo>) => Decision
  /** Asked instead of going on once a cap is spent. Nothing new begins, save one grace per cap. */
  readonly whenSpent: (cap: CapName, view: View<Memo>) => Decision
}

/** What is left of the bounds, for one more call. */
export type Allowance = Readonly<Record<'tokens' | 'overheadTokens' | 'costUsd' | 'ms', number>>

/** The four ways in which a run can leave. */
export type Left<Memo> = { readonly view: View<Memo> } & (
  | { readonly status: 'ended' | 'interrupted' }
  | { readonly status: 'waiting'; readonly until?: number }
  | { readonly status: 'unsaved'; readonly error: unknown }
)
