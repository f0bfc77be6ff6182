import { join } from 'node:path'
import { matchStyle } from '../../../contract/human-text.ts'
import type { PathCommits, TrailedCommit } from '../../../ports/path-commits.ts'
import type { Machine } from '../../../run/machine.ts'
import { History, type HistoryEntry, historyFile, Sources, sourcesFile } from '../contract/project.ts'
import type { SavedFile, SavePlan, SaveResult } from '../core/save-plan.ts'
import { commitChanges, type FileEdit, readBytes, toRepositoryPath } from './commit-changes.ts'
import { hashText, readOwnFile } from './project.ts'

export type SaveTools = {
  readonly machine: Pick<Machine, 'git' | 'place'>
  /** The project's folder. */
  readonly folder: string
  /** The run's id: the trailer `Iteration-Id`. */
  readonly run: string
}

/** Trailers of the program's own commits. */
export const trailers = { iteration: 'Iteration-Id', undo: 'Undo-Of', redo: 'Redo-Of' } as const

/** Saves an accepted iteration in one commit: the files, the history entry, what they were made from, and the culls. */
export async function saveIteration(plan: SavePlan, { machine, folder, run }: SaveTools): Promise<SaveResult> {
  const commits = await machine.git.openPathCommits(folder)
  const known = await commits.log(toRepositoryPath('', folder, commits), [trailers.iteration])
  const done = known.find((commit) => commit.trailers[trailers.iteration] === run)
  const history = readHistoryFile(folder, plan.folder)
  if (done) return { is: 'saved', commit: done.id, iterations: history.length }
  const edits = [...plan.files, ...plan.culled].map((file) => toEdit(file, folder))
  // After a crash, the file may have the entry already.
  const earlier = history.filter(({ iteration_id }) => iteration_id !== run)
  const iterations = plan.entry ? addEntry(plan.entry, earlier, known) : history
  const own = [
    ...(plan.entry ? [ownEdit(`${plan.folder}/${historyFile}`, { iterations } satisfies History, folder)] : []),
    ...nextSources(plan, edits, folder),
  ]
  if (edits.every(isUnchanged)) return { is: 'saved', commit: null, iterations: history.length }
  const { subject, body } = plan
  const message = { subject, body, trailers: { [trailers.iteration]: run } }
  const made = await commitChanges([...edits, ...own], message, { commits, place: machine.place, folder, run })
  if (made.is === 'refused') return made
  return { is: 'saved', commit: made.commit, iterations: iterations.length }
}

/** A text gets the line ends and the byte order mark of the file that it replaces. */
function toEdit({ path, text, sha256 }: SavedFile, folder: string): FileEdit {
  if (text === null) return { path, content: null, was: sha256 }
  const now = readBytes(join(folder, path))
  const styled = now === null ? text : matchStyle(text, new TextDecoder('utf-8', { ignoreBOM: true }).decode(now))
  return { path, content: new TextEncoder().encode(styled), was: sha256 }
}

/** Compared with what the run began with: after a crash, the files may be written already and not yet committed. */
const isUnchanged = ({ content, was }: FileEdit): boolean => (content && hashText(content)) === was

/** A file of the program's own: its new content follows from the one it has now. */
export function ownEdit(path: string, value: unknown, folder: string): FileEdit {
  const now = readBytes(join(folder, path))
  const content = new TextEncoder().encode(`${JSON.stringify(value, null, 2)}\n`)
  return { path, content, was: now === null ? null : hashText(now) }
}

/** Puts the newest entry first. The commits of earlier entries are known by now. */
function addEntry(
  entry: Omit<HistoryEntry, 'commit_sha'>,
  history: readonly HistoryEntry[],
  known: readonly TrailedCommit[],
): readonly HistoryEntry[] {
  const { timestamp, feedback, judge_attempts, judge_verdict, judge_reasoning, semantic_summary, ...more } = entry
  const seeds = { timestamp, feedback, judge_attempts, judge_verdict, judge_reasoning, semantic_summary }
  return [{ ...seeds, commit_sha: null, ...more }, ...resolveCommits(history, known)]
}

/** Fills in the commit of each entry, found by its trailer. */
export const resolveCommits = (
  history: readonly HistoryEntry[],
  known: readonly TrailedCommit[],
): readonly HistoryEntry[] =>
  history.map((entry) => {
    if (entry.commit_sha !== null || entry.iteration_id === undefined) return entry
    const found = known.find((commit) => commit.trailers[trailers.iteration] === entry.iteration_id)
    return { ...entry, commit_sha: found?.id ?? null }
  })

/** The hashes of what each written file was made from. Files that are removed are forgotten. */
function nextSources({ files, culled, madeFrom }: SavePlan, edits: readonly FileEdit[], folder: string): FileEdit[] {
  const levels = new Set([...files, ...culled].map(({ path }) => path.slice(0, path.lastIndexOf('/'))))
  return [...levels].flatMap((level) => {
    const path = `${level}/${sourcesFile}`
    const known = readOwnFile(join(folder, path), Sources)?.files ?? {}
    const next: Record<string, Sources['files'][string]> = { ...known }
    for (const { path: file, content } of edits.filter((edit) => edit.path.startsWith(`${level}/`))) {
      const name = file.slice(level.length + 1)
      if (content === null) delete next[name]
      else next[name] = { sha256: hashText(content), made_from: { ...madeFrom[file] } }
    }
    const isGone = Object.keys(next).length === 0
    if (isGone && Object.keys(known).length === 0) return []
    return [ownEdit(path, { version: 1, files: next } satisfies Sources, folder)]
  })
}

const readHistoryFile = (folder: string, level: string): readonly HistoryEntry[] =>
  readOwnFile(join(folder, level, historyFile), History)?.iterations ?? []

/** Returns the commits of this project, newest first. */
export const listCommits = (commits: PathCommits, folder: string): Promise<readonly TrailedCommit[]> =>
  commits.log(toRepositoryPath('', folder, commits), Object.values(trailers))
