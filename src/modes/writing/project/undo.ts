import { join } from 'node:path'
import type { TrailedCommit } from '../../../ports/path-commits.ts'
import type { Machine } from '../../../run/machine.ts'
import { createRunId } from '../../../run/new-run.ts'
import { History, type HistoryEntry, historyFile, isOwnFile, Sources, sourcesFile } from '../contract/project.ts'
import { commitChanges, type FileEdit, readBytes, toRepositoryPath } from './commit-changes.ts'
import { hashText, type OpenProject, readOwnFile } from './project.ts'
import { listCommits, ownEdit, trailers } from './save.ts'

export type Undone =
  | { readonly is: 'done'; readonly subject: string; readonly files: readonly string[]; readonly commit: string }
  | { readonly is: 'nothing' }
  | { readonly is: 'refused'; readonly says: string }

/** An iteration and the commit that its effect can be inverted from. */
type Applied = { readonly id: string; readonly commit: TrailedCommit }

/** Takes back an iteration: the newest, or the one that is named. Restores only its own files, and only if they are as it left them. */
export async function undoIteration(open: OpenProject, machine: Machine, named?: string): Promise<Undone> {
  const { commits, applied } = await readStacks(open, machine)
  const fitting =
    named === undefined
      ? applied.slice(-1)
      : applied.filter(({ id, commit }) => id.startsWith(named) || commit.id.startsWith(named))
  if (fitting.length > 1) return { is: 'refused', says: `${named} fits ${fitting.length} iterations. Name more of it.` }
  const [found] = fitting
  if (!found) return { is: 'nothing' }
  return invert(found, trailers.undo, 'Undo', open, { machine, commits })
}

/** Brings back the iteration that was undone last. */
export async function redoIteration(open: OpenProject, machine: Machine): Promise<Undone> {
  const { commits, undone } = await readStacks(open, machine)
  const found = undone.at(-1)
  return found ? invert(found, trailers.redo, 'Redo', open, { machine, commits }) : { is: 'nothing' }
}

/** Iterations that hold, and those that were undone, each oldest first. */
async function readStacks(open: OpenProject, machine: Machine) {
  const commits = await machine.git.openPathCommits(open.folder)
  let applied: Applied[] = []
  let undone: Applied[] = []
  for (const commit of (await listCommits(commits, open.folder)).toReversed()) {
    const { [trailers.iteration]: made, [trailers.undo]: taken, [trailers.redo]: again } = commit.trailers
    const id = made || taken || again
    if (!id) continue
    applied = applied.filter((one) => one.id !== id)
    undone = undone.filter((one) => one.id !== id)
    if (taken) undone.push({ id, commit })
    else applied.push({ id, commit })
  }
  return { commits, applied, undone }
}

type InvertTools = {
  readonly machine: Machine
  readonly commits: Awaited<ReturnType<Machine['git']['openPathCommits']>>
}

/** Makes a commit that puts the files of another one back as they were before it. */
async function invert(
  { id, commit }: Applied,
  trailer: string,
  verb: 'Undo' | 'Redo',
  open: OpenProject,
  { machine, commits }: InvertTools,
): Promise<Undone> {
  const { folder } = open
  const base = toRepositoryPath('', folder, commits)
  const prefix = base === '' ? '' : `${base}/`
  const changes = (await commits.changes(commit.id))
    .filter(({ path }) => path.startsWith(prefix))
    .map((change) => ({ ...change, path: change.path.slice(prefix.length) }))
  const edits = changes
    .filter(({ path }) => !isOwnFile(path))
    .map(
      ({ path, before, after, wasExecutable: executable = false }): FileEdit => ({
        path,
        content: before,
        was: after && hashText(after),
        executable,
      }),
    )
  // The commit of a new project has neither texts nor a history. One that only took back what a person had taken back by hand has one.
  if (edits.length === 0 && !changes.some(({ path }) => path.endsWith(historyFile))) return { is: 'nothing' }
  const conflict = edits.find((edit) => !isAsLeft(edit, folder))
  if (conflict) return { is: 'refused', says: await describeConflict(conflict, commit, prefix, commits) }
  const own = changes.flatMap((change) => ownEdits(id, change, edits, folder))
  const subject = `${verb}: ${commit.subject.replace(/^(?:(?:Undo|Redo): )+/, '')}`
  const unique = createRunId(new Date(machine.clock.now()))
  const made = await commitChanges(
    [...edits, ...own],
    { subject, trailers: { [trailer]: id, 'Undo-Id': unique } },
    // The same name each time, so that what a killed process left is removed.
    { commits, place: machine.place, folder, run: commit.id },
  )
  if (made.is === 'refused') return made
  return { is: 'done', subject, files: edits.map(({ path }) => path), commit: made.commit ?? commit.id }
}

const isAsLeft = ({ path, content, was }: FileEdit, folder: string): boolean => {
  const now = readBytes(join(folder, path))
  const hash = now && hashText(now)
  return hash === was || hash === (content && hashText(content))
}

const maxNamed = 3

async function describeConflict(
  { path }: FileEdit,
  { id }: TrailedCommit,
  prefix: string,
  commits: InvertTools['commits'],
): Promise<string> {
  const later = await commits.changedSince(id, prefix + path)
  if (later.length === 0) return `${path} has been edited since, and the edit is not committed. Your version is kept.`
  const named = later.slice(0, maxNamed).map(({ subject }) => `"${subject}"`)
  return `${path} has been changed since, by ${named.join(', ')}. Undo that first. Nothing was changed.`
}

type Change = { readonly path: string; readonly before: Uint8Array | null }

/** The program's own files keep what later iterations added: only the entries of this one are put back. */
function ownEdits(id: string, { path, before }: Change, edits: readonly FileEdit[], folder: string): FileEdit[] {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (name === historyFile) {
    const { iterations } = readOwnFile(join(folder, path), History) ?? { iterations: [] }
    const next = invertEntries(id, iterations, entriesOf(before))
    return [ownEdit(path, { iterations: next } satisfies History, folder)]
  }
  if (name !== sourcesFile) return []
  const now = readOwnFile(join(folder, path), Sources)?.files ?? {}
  const was = sourcesOf(before)
  const next: Record<string, Sources['files'][string]> = { ...now }
  const level = path.slice(0, -sourcesFile.length)
  for (const edit of edits.filter((one) => one.path.startsWith(level))) {
    const file = edit.path.slice(level.length)
    const entry = was[file]
    if (entry) next[file] = entry
    else delete next[file]
  }
  return [ownEdit(path, { version: 1, files: next } satisfies Sources, folder)]
}

/** Removes the entry of an iteration, or brings it back if it was there before. Newest first, as always. */
function invertEntries(
  id: string,
  now: readonly HistoryEntry[],
  before: readonly HistoryEntry[],
): readonly HistoryEntry[] {
  const isIt = ({ iteration_id }: HistoryEntry): boolean => iteration_id === id
  const next = [...before.filter(isIt), ...now.filter((entry) => !isIt(entry))]
  const moment = ({ timestamp, iteration_id = '' }: HistoryEntry): string => `${timestamp} ${iteration_id}`
  return next.toSorted((a, b) => (moment(a) < moment(b) ? 1 : moment(a) > moment(b) ? -1 : 0))
}

const entriesOf = (bytes: Uint8Array | null): readonly HistoryEntry[] => parse(bytes, History)?.iterations ?? []
const sourcesOf = (bytes: Uint8Array | null): Sources['files'] => parse(bytes, Sources)?.files ?? {}

function parse<T>(
  bytes: Uint8Array | null,
  schema: { safeParse(value: unknown): { readonly data?: T | undefined } },
): T | undefined {
  try {
    return bytes === null ? undefined : schema.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data
  } catch {
    return undefined
  }
}
