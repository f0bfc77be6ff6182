import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** Where a workspace's git keeps its things. */
export type GitFolders = {
  /** Folders with hooks and a config of their own: the repository's, then its submodules'. */
  readonly repositories: readonly string[]
  /** The workspace's own administrative folder where it is a linked worktree. */
  readonly worktree: string | null
  /** Those of linked worktrees elsewhere. */
  readonly otherWorktrees: readonly string[]
}

/** Looks upwards as git does, but a repository in the person's home is not taken for one that holds the workspace. */
export function findGitFolders(workspace: string, home: string): GitFolders | null {
  const found = dotGitAbove(workspace, home)
  if (found === null) return null
  // In a linked worktree or a submodule a file tells where to look.
  const own = statSync(found).isFile() ? followPointer(found, 'gitdir: ') : realpathSync(found)
  if (own === null || !existsSync(join(own, 'HEAD'))) return null
  const common = followPointer(join(own, 'commondir'), '') ?? own
  const folders = childFolders(join(common, 'worktrees'))
  return {
    repositories: [common, ...submodulesIn(join(common, 'modules'))],
    worktree: own === common ? null : own,
    otherWorktrees: folders.filter((folder) => folder !== own && !belongsTo(folder, workspace)),
  }
}

function dotGitAbove(workspace: string, home: string): string | null {
  for (let folder = workspace; ; folder = dirname(folder)) {
    const path = join(folder, '.git')
    if ((folder === workspace || folder !== home) && existsSync(path)) return path
    if (folder === dirname(folder)) return null
  }
}

/** A file whose one line is a path, from where the file lies. */
function followPointer(file: string, prefix: string): string | null {
  const text = readOrNull(file)
  if (text === null || !text.startsWith(prefix)) return null
  const path = resolve(dirname(file), text.slice(prefix.length).trim())
  return existsSync(path) ? realpathSync(path) : null
}

/** A submodule's name may hold slashes, and a submodule may have its own. */
function submodulesIn(folder: string): string[] {
  return childFolders(folder).flatMap((child) =>
    existsSync(join(child, 'HEAD')) ? [child, ...submodulesIn(join(child, 'modules'))] : submodulesIn(child),
  )
}

/** Checked out inside the workspace: one that the command may have made itself and works in. */
function belongsTo(worktree: string, workspace: string): boolean {
  return (readOrNull(join(worktree, 'gitdir')) ?? '').startsWith(`${workspace}/`)
}

export function childFolders(folder: string): string[] {
  if (!existsSync(folder)) return []
  const entries = readdirSync(folder, { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map((entry) => join(folder, entry.name))
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
