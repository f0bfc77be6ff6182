import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { agentPaths, cachePaths } from './home-paths.ts'
import type { Confine } from './mounts.ts'

export type ConfineRunOptions = {
  readonly workspace: string
  /** Names of the folders in the workspace with configuration and runs, this program's first. */
  readonly stateFolders: readonly [string, ...string[]]
  /** The run's folder, which must exist. Never writable for commands, wherever it is. */
  readonly runFolder: string
  /** The one folder in it that the run's commands may write. */
  readonly handOver: string
  /** This user's state folder. Protected if it exists. */
  readonly personFolder?: string | undefined
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Additional paths that the user allows. */
  readonly writable?: readonly string[] | undefined
}

/** Returns the default confinement of a run. Depends on the files that exist now. */
export function confineRun(options: ConfineRunOptions): Confine {
  const { personFolder, home, env, writable = [] } = options
  const workspace = realpathSync(options.workspace)
  const runFolder = realpathSync(options.runFolder)
  const handOver = join(runFolder, relative(options.runFolder, options.handOver))
  const [first, ...others] = options.stateFolders
  const stateFolders = [first, ...others.filter((name) => existsSync(join(workspace, name)))]
  const git = findGitFolders(workspace, existsSync(home) ? realpathSync(home) : home)
  const paths = workspacePaths({ workspace, stateFolders, git })
  const agents = agentPaths(home, env)
  const person = personFolder !== undefined && existsSync(personFolder) ? [personFolder] : []
  return {
    writable: [...paths.writable, handOver, ...agents.writable, ...cachePaths(home, env), ...writable],
    protectedFolders: [
      ...paths.protectedFolders,
      runFolder,
      // Also by the given path, so that symlinks on the way are protected too.
      options.runFolder,
      ...runsBeside(runFolder, paths.protectedFolders),
      ...person,
      ...agents.protectedFolders,
    ],
    protectedFiles: [...paths.protectedFiles, ...agents.protectedFiles],
    copiedFiles: agents.copiedFiles,
    keep: personFolder && join(personFolder, 'sandbox'),
  }
}

/** Returns the sibling runs: the commands of one run must not write to another's hand-over folder. */
function runsBeside(runFolder: string, held: readonly string[]): string[] {
  if (held.some((path) => runFolder.startsWith(`${path}/`))) return []
  const isRun = (folder: string) => runFiles.every((name) => existsSync(join(folder, name)))
  try {
    return childFolders(dirname(runFolder)).filter((folder) => folder !== runFolder && isRun(folder))
  } catch {
    // No permission to list that folder.
    return []
  }
}

const runFiles = ['progress.ndjson', 'attempts']

type WorkspaceOptions = {
  readonly workspace: string
  /** Folders with configuration and runs, such as `.pawl`. A workspace may have more than one. */
  readonly stateFolders: readonly string[]
  readonly git: GitFolders | null
}

/**
 * Commands may write the workspace and its prompts, but not the run's state, files that make git run code outside the
 * sandbox (hooks, git config), or files that decide how an agent runs.
 */
export function workspacePaths({ workspace, stateFolders, git }: WorkspaceOptions): Confine {
  const state = stateFolders.map((name) => join(workspace, name))
  // Even if `.git` is a file or the repository is above the workspace: a command must not create another `.git` here.
  const repositories = [join(workspace, '.git'), ...(git?.repositories ?? [])]
  return {
    writable: [workspace, ...state.map((folder) => join(folder, 'prompts')), ...(git?.repositories ?? [])],
    protectedFolders: [
      ...state,
      ...['.claude/hooks', '.codex'].map((name) => join(workspace, name)),
      ...repositories.map((folder) => join(folder, 'hooks')),
      ...(git?.otherWorktrees ?? []),
    ],
    protectedFiles: [
      ...agentFiles.map((name) => join(workspace, name)),
      ...repositories.flatMap((folder) => repositoryFiles.map((name) => join(folder, name))),
      ...(git?.worktree ? worktreeFiles.map((name) => join(git.worktree!, name)) : []),
    ],
  }
}

const agentFiles = [
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.mcp.json',
  'opencode.json',
  'opencode.jsonc',
  // Not all of `.opencode`: opencode writes files there and does not start if it cannot.
  '.opencode/opencode.json',
  '.opencode/opencode.jsonc',
  '.opencode/plugin',
  '.opencode/plugins',
  '.opencode/tool',
  '.opencode/tools',
  '.gemini/settings.json',
  '.vscode/tasks.json',
]

/** `commondir` redirects git to another folder for config and hooks; `config.worktree` extends the config. */
const repositoryFiles = ['config', 'config.worktree', 'commondir']
const worktreeFiles = ['config.worktree', 'commondir', 'gitdir']

/** Git's administrative folders for a workspace. */
type GitFolders = {
  /** Folders with their own hooks and config: the repository's, then its submodules'. */
  readonly repositories: readonly string[]
  /** The workspace's own folder if it is a linked worktree. */
  readonly worktree: string | null
  /** Folders of linked worktrees outside the workspace. */
  readonly otherWorktrees: readonly string[]
}

/** Searches upwards like git, but a repository in the home folder does not count for a workspace below it. */
function findGitFolders(workspace: string, home: string): GitFolders | null {
  const found = dotGitAbove(workspace, home)
  if (found === null) return null
  // In a linked worktree or a submodule, `.git` is a file that names the folder.
  const own = statSync(found).isFile() ? followPointer(found, 'gitdir: ') : realpathSync(found)
  if (own === null || !existsSync(join(own, 'HEAD'))) return null
  const common = followPointer(join(own, 'commondir'), '') ?? own
  const folders = childFolders(join(common, 'worktrees'))
  return {
    repositories: [common, ...findSubmodules(join(common, 'modules'))],
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

/** Resolves the path in a one-line file, relative to that file. Null if either is missing. */
function followPointer(file: string, prefix: string): string | null {
  const text = readOrNull(file)
  if (text === null || !text.startsWith(prefix)) return null
  const path = resolve(dirname(file), text.slice(prefix.length).trim())
  return existsSync(path) ? realpathSync(path) : null
}

/** Recursive: a submodule's name may contain slashes, and a submodule may have submodules. */
function findSubmodules(folder: string): string[] {
  return childFolders(folder).flatMap((child) =>
    existsSync(join(child, 'HEAD')) ? [child, ...findSubmodules(join(child, 'modules'))] : findSubmodules(child),
  )
}

/** Returns whether a worktree is checked out inside the workspace: a command may have created it and work in it. */
function belongsTo(worktree: string, workspace: string): boolean {
  return (readOrNull(join(worktree, 'gitdir')) ?? '').startsWith(`${workspace}/`)
}

function childFolders(folder: string): string[] {
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
