import type { Envelope } from '../contract/envelope.ts'
import type { Content, RunEntry, StoredRun } from '../ports/run-store.ts'

/** A request with its mode's part parsed. `sha256` is the hash of the stored text. */
export type Frozen<Request> = { readonly envelope: Envelope; readonly request: Request; readonly sha256: string }

/**
 * An open run. Code outside `adapters/` uses this instead of a folder. Reading it needs no lease and changes nothing. `original` is the
 * request pinned by the first event, which decisions use; `current` includes later amendments.
 */
export type Run<Request> = {
  readonly entry: RunEntry
  readonly stored: StoredRun
  readonly original: Frozen<Request>
  readonly current: Frozen<Request>
  /** All requests of the run, oldest first. They name the plans of a delivery. */
  readonly requests: readonly Frozen<Request>[]
  /** Decrypted. `get` rejects with a PawlError if the user does not have the key. */
  readonly content: RunContent
}

/** Returns the mark of this run's processes. Two runs with the same name have different marks. */
export const readRunMark = ({ original }: Pick<Run<unknown>, 'original'>): string => original.sha256.slice(0, 32)

/** `flush` makes stored content safe from power loss. A held run does this in `journal.sync()`. */
export type RunContent = Pick<Content, 'get' | 'put'> & { flush(): Promise<void> }
