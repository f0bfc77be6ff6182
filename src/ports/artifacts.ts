import type { Ref } from '../contract/values.ts'

/**
 * Content beside the journal: prompts, outputs, diffs, feedback. Contract: whole or absent; rejects with NotSavedError;
 * undefined only in a run that was told to go on without what cannot be kept.
 */
export type Artifacts = {
  /** `name` is a hint for people, never a path. */
  put(name: string, content: string | Uint8Array): Promise<Ref | undefined>
  /** A file inside the run's folder that someone else wrote, such as a process's log, named by its content. */
  adopt(path: string): Promise<Ref | undefined>
  /** Contract: rejects when the file is missing or not what the Ref says. */
  get(ref: Ref): Promise<Uint8Array>
}
