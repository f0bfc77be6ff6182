import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { agentPaths, cachePaths } from './home-paths.ts'
import type { Confine } from './mounts.ts'

export type ConfineRunOptions = {
  readonly workspace: string
  /** Names of the folders in the workspace that hold configuration and runs: this program's comes first. */
  readonly stateFolders: readonly [string, ...string[]]
  /** The run's own folder, which is there already: no command writes it, wherever it lies. */
  readonly runFolder: string
  /** The one folder in it that belongs to the run's commands. */
  readonly handOver: string
  /** What the program keeps for this person, if it is there already. */
  readonly personFolder?: string | undefined
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** What a person allows besides. */
  readonly writable?: readonly string[] | undefined
}

/** The usual confinement of a run, from what lies on the disk now. */
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
      // By the name it was given too: a link on the way to it stays as it is.
      options.runFolder,
      ...runsBeside(runFolder, paths.protectedFolders),
      ...person,
    ],
    // A person may make one of these while a run goes on: only what is there already is held.
    protectedFiles: [...paths.protectedFiles, ...agents.protected.filter((path) => existsSync(path))],
  }
}

/** Runs often lie side by side. What one hands over is not for the commands of another. */
function runsBeside(runFolder: string, held: readonly string[]): string[] {
  if (held.some((path) => runFolder.startsWith(`${path}/`))) return []
  const isRun = (folder: string) => runFiles.every((name) => existsSync(join(folder, name)))
  try {
    return childFolders(dirname(runFolder)).filter((folder) => folder !== runFolder && isRun(folder))
  } catch {
    // Whoever starts the program may not list that folder.
    return []
  }
}

const runFiles = ['progress.ndjson', 'attempts']

type WorkspaceOptions = {
  readonly workspace: string
  /** Where the program keeps its configuration and runs: `.pawl`. The workspace may have more than one. */
  readonly stateFolders: readonly string[]
  readonly git: GitFolders | null
}

/**
 * A command works on the repository. What it may not touch is what speaks for it (the run's state), what runs outside
 * without being asked (hooks, git's configuration), and what decides how an agent runs. Prompts are its own.
 */
export function workspacePaths({ workspace, stateFolders, git }: WorkspaceOptions): Confine {
  const state = stateFolders.map((name) => join(workspace, name))
  // Also where it is a mere file, or where the repository lies above: nobody else's `.git` comes into its place.
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
  // Not the folder as a whole: opencode keeps files of its own in there, and does not start where it cannot.
  '.opencode/opencode.json',
  '.opencode/opencode.jsonc',
  '.opencode/plugin',
  '.opencode/plugins',
]

/** `commondir` sends git elsewhere for its config and hooks, `config.worktree` adds to the config. */
const repositoryFiles = ['config', 'config.worktree', 'commondir']
const worktreeFiles = ['config.worktree', 'commondir', 'gitdir']

/** Where a workspace's git keeps its things. */
type GitFolders = {
  /** Folders with hooks and a config of their own: the repository's, then its submodules'. */
  readonly repositories: readonly string[]
  /** The workspace's own administrative folder where it is a linked worktree. */
  readonly worktree: string | null
  /** Those of linked worktrees elsewhere. */
  readonly otherWorktrees: readonly string[]
}

/** Looks upwards as git does, but a repository in the person's home is not taken for one that holds the workspace. */
function findGitFolders(workspace: string, home: string): GitFolders | null {
  const found = dotGitAbove(workspace, home)
  if (found === null) return null
  // In a linked worktree or a submodule a file tells where to look.
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

/** A file whose one line is a path, from where the file lies. */
function followPointer(file: string, prefix: string): string | null {
  const text = readOrNull(file)
  if (text === null || !text.startsWith(prefix)) return null
  const path = resolve(dirname(file), text.slice(prefix.length).trim())
  return existsSync(path) ? realpathSync(path) : null
}

/** A submodule's name may hold slashes, and a submodule may have its own. */
function findSubmodules(folder: string): string[] {
  return childFolders(folder).flatMap((child) =>
    existsSync(join(child, 'HEAD')) ? [child, ...findSubmodules(join(child, 'modules'))] : findSubmodules(child),
  )
}

/** Checked out inside the workspace: one that the command may have made itself and works in. */
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
