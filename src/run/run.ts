import type { Envelope } from '../contract/envelope.ts'
import type { Content, RunEntry, StoredRun } from '../ports/run-store.ts'

/** A request with its mode's part parsed. `sha256` is of its text as stored. */
export type Frozen<Request> = { readonly envelope: Envelope; readonly request: Request; readonly sha256: string }

/**
 * One run, opened once and handed around. Everything above `adapters/` takes this instead of a folder. Reading it needs no lease and
 * changes nothing. `original` is what the first event vouches for and what decisions go by; `current` is what people have made of it since.
 */
export type Run<Request> = {
  readonly entry: RunEntry
  readonly stored: StoredRun
  readonly original: Frozen<Request>
  readonly current: Frozen<Request>
  /** All requests the run has had, oldest first: a delivery's plans are named by them. */
  readonly requests: readonly Frozen<Request>[]
  /** Unsealed where the mode seals; `get` rejects with a PawlError where this person does not have the key. */
  readonly content: RunContent
}

/** Tells processes of this run from those of another one that was given the same name. */
export const readRunMark = ({ original }: Pick<Run<unknown>, 'original'>): string => original.sha256.slice(0, 32)

/** `flush` makes what was put safe from power loss; a held run does that by itself at `journal.sync()`. */
export type RunContent = Pick<Content, 'get' | 'put'> & { flush(): Promise<void> }
