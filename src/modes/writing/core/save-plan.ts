import type { HistoryEntry } from '../contract/project.ts'
import type { Brief, WritingRequest } from '../contract/request.ts'

/** A file to write or to remove. `sha256` is its hash when the run began; null: it did not exist. */
export type SavedFile = { readonly path: string; readonly text: string | null; readonly sha256: string | null }

/** Everything that one accepted iteration changes. Paths are from the project's folder. */
export type SavePlan = {
  readonly target: string
  readonly folder: string
  readonly files: readonly SavedFile[]
  readonly culled: readonly SavedFile[]
  /** For each written file, the files that it was made from. */
  readonly madeFrom: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** null: this is not an iteration, so the history stays as it is. */
  readonly entry: Omit<HistoryEntry, 'commit_sha'> | null
  readonly subject: string
  readonly body: string
}

export type SaveResult =
  | { readonly is: 'saved'; readonly commit: string | null; readonly iterations: number }
  /** The person edited one of the files meanwhile, or git refuses. Nothing was overwritten. `says` explains it. */
  | { readonly is: 'refused'; readonly says: string }

const maxSubject = 72

/** The subject of the seed: `[chapters] Make chapter 3 darker`. A long feedback continues in the body. */
export function formatMessage(
  { kind, target }: Pick<WritingRequest, 'kind' | 'target'>,
  { analysis }: Pick<Brief, 'analysis'>,
  feedback: string,
): Pick<SavePlan, 'subject' | 'body'> {
  const said = feedback.trim()
  const what =
    kind === 'analyze' ? `Report on ${analysis?.name ?? target}` : kind === 'generate' ? `Generate ${target}` : ''
  const first = [what, (said.split('\n')[0] ?? '').trim()].filter((part) => part !== '').join(': ')
  const full = `[${target}] ${first}`
  if (full.length <= maxSubject) return { subject: full, body: said.includes('\n') ? said : '' }
  return { subject: `${full.slice(0, maxSubject - 1).replace(/\s+\S*$/, '')}…`, body: said }
}
