import { chmodSync, constants, mkdirSync, readFileSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import type { PathCommit, PathCommits } from '../../../ports/path-commits.ts'
import { RepositoryBlockedError } from '../../../ports/snapshots.ts'
import type { PlaceText } from '../../../run/machine.ts'
import { hashText } from './project.ts'

/** A file to write or remove. `was` is the hash that it must have now; null: it must not exist. Paths are from the project's folder. */
export type FileEdit = {
  readonly path: string
  readonly content: Uint8Array | null
  readonly was: string | null
  /** For a file that is brought back. */
  readonly executable?: boolean
}

export type Committed =
  | { readonly is: 'committed'; readonly commit: string | null }
  /** Nothing was changed. `says` explains it to the person. */
  | { readonly is: 'refused'; readonly says: string }

export type CommitTools = {
  readonly commits: PathCommits
  readonly place: PlaceText
  /** The project's folder. */
  readonly folder: string
  /** Names temporary files, so that a killed process's are removed. */
  readonly run: string
}

/**
 * Writes files and commits them alone. First checks that each file is as expected or already as wanted; then writes each one by rename;
 * then makes one commit. If git refuses or a file changes meanwhile, everything is put back. After a crash anywhere, calling it again
 * finishes it.
 */
export async function commitChanges(
  edits: readonly FileEdit[],
  message: Pick<PathCommit, 'subject' | 'body' | 'trailers' | 'author'>,
  tools: CommitTools,
): Promise<Committed> {
  const { commits, folder } = tools
  const conflicts = edits.filter((edit) => !isExpected(edit, folder))
  if (conflicts.length > 0) return refuse(conflicts)
  const written: Written[] = []
  try {
    for (const edit of edits) {
      const before = readBytes(join(folder, edit.path))
      written.push({ path: edit.path, before, after: edit.content, executable: isExecutable(join(folder, edit.path)) })
      if (!writeEdit(edit, before, tools)) {
        putBack(written, tools)
        return refuse([edit])
      }
    }
    const changes = edits.map((edit) => ({ ...edit, path: toRepositoryPath(edit.path, folder, commits) }))
    return { is: 'committed', commit: await commits.commit({ ...message, changes }) }
  } catch (error) {
    putBack(written, tools)
    if (error instanceof RepositoryBlockedError) return { is: 'refused', says: error.message }
    throw error
  }
}

/** null if there is no such file. A folder, a pipe or a device is none. */
export const readBytes = (path: string): Uint8Array | null =>
  statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path) : null

export const toRepositoryPath = (path: string, folder: string, { root }: Pick<PathCommits, 'root'>): string =>
  relative(root, join(folder, path)).split(sep).join('/')

type Written = {
  readonly path: string
  readonly before: Uint8Array | null
  readonly after: Uint8Array | null
  readonly executable: boolean
}

const isExecutable = (path: string): boolean =>
  ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & constants.S_IXUSR) !== 0

/** Whoever may read the file may execute it, as git does it. */
function makeExecutable(path: string): void {
  const { mode } = statSync(path)
  chmodSync(path, (mode & 0o7777) | ((mode & 0o444) >> 2))
}

function isExpected({ path, content, was }: FileEdit, folder: string): boolean {
  const now = readBytes(join(folder, path))
  return isSame(now, content) || (now === null ? was === null : hashText(now) === was)
}

const isSame = (one: Uint8Array | null, other: Uint8Array | null): boolean =>
  one === null || other === null ? one === other : Buffer.compare(one, other) === 0

const maxNamed = 5

function refuse(edits: readonly FileEdit[]): Committed {
  const named = edits.slice(0, maxNamed).map(({ path }) => path)
  const more = edits.length > maxNamed ? ` and ${edits.length - maxNamed} more` : ''
  return {
    is: 'refused',
    says: `${named.join(', ')}${more} changed meanwhile. Your version is kept, and nothing was saved.`,
  }
}

/** False if the file changed at the last moment. */
function writeEdit(
  { path, content, was, executable }: FileEdit,
  before: Uint8Array | null,
  { folder, place, run }: CommitTools,
): boolean {
  const full = join(folder, path)
  if (content === null) {
    if (before === null) return true
    if (hashText(before) !== was) return false
    rmSync(full)
    removeEmpty(dirname(full))
    return true
  }
  mkdirSync(dirname(full), { recursive: true })
  const isPlaced = place.put(full, was, content, run) !== 'changed since'
  if (isPlaced && executable && before === null) makeExecutable(full)
  return isPlaced
}

/** Undoes what was written, file by file, unless somebody has changed it since. */
function putBack(written: readonly Written[], { folder, place, run }: CommitTools): void {
  for (const { path, before, after, executable } of written.toReversed()) {
    const full = join(folder, path)
    if (!isSame(readBytes(full), after)) continue
    if (before === null) rmSync(full, { force: true })
    else {
      mkdirSync(dirname(full), { recursive: true })
      place.put(full, after === null ? null : hashText(after), before, run)
      if (executable) makeExecutable(full)
    }
  }
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // It has other files.
  }
}
