import type { Ref } from '../contract/values.ts'

/**
 * Content stored next to the journal: prompts, outputs, diffs, feedback. Contract: writes are atomic and reject with
 * NotSavedError. They return undefined only in a best-effort run, which continues without content it cannot save.
 */
export type Artifacts = {
  /** `name` is a label for people, never a path. */
  put(name: string, content: string | Uint8Array): Promise<Ref | undefined>
  /** Stores a file that a process wrote in the run's folder, such as a log. */
  adopt(path: string): Promise<Ref | undefined>
  /** Contract: rejects if the file is missing or does not match the Ref. */
  get(ref: Ref): Promise<Uint8Array>
}
