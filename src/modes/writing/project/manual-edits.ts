import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { Machine } from '../../../run/machine.ts'
import { createRunId } from '../../../run/new-run.ts'
import { isOwnFile } from '../contract/project.ts'
import { readBytes, toRepositoryPath } from './commit-changes.ts'
import { type OpenProject, projectFile } from './project.ts'

const maxNamed = 3

/**
 * Commits what the person has changed by hand in the project, so that no iteration is mixed with it and none of it can be lost. Returns
 * the files. The histories and sources are the program's own and never count.
 */
export async function commitManualEdits({ folder }: OpenProject, { git, clock }: Machine): Promise<readonly string[]> {
  const commits = await git.openPathCommits(folder)
  const prefix = toRepositoryPath('', folder, commits)
  const uncommitted = await commits.listUncommitted(prefix)
  const fromProject = (path: string): string => (prefix === '' ? path : path.slice(prefix.length + 1))
  const edited = uncommitted
    .map(fromProject)
    .filter((path) => (!isOwnFile(path) || path === projectFile) && !isHidden(path) && !isLink(join(folder, path)))
  if (edited.length === 0) return []
  const changes = edited.map((path) => ({
    path: toRepositoryPath(path, folder, commits),
    content: readBytes(join(folder, path)),
  }))
  const named = `${edited.slice(0, maxNamed).join(', ')}${edited.length > maxNamed ? ` and ${edited.length - maxNamed} more` : ''}`
  const id = await commits.commit({
    changes,
    subject: `[manual] ${named}`.slice(0, 100),
    trailers: { 'Manual-Edits': createRunId(new Date(clock.now())) },
  })
  // A file may differ from HEAD by its permissions alone, or only in the index: those are not committed.
  return id === null ? [] : (await commits.changes(id)).map(({ path }) => fromProject(path))
}

/** What a link leads to may be anywhere, so links are left to the person. */
const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true

/** Files of editors and of this program. */
const isHidden = (path: string): boolean => path.split('/').some((part) => part.startsWith('.'))
