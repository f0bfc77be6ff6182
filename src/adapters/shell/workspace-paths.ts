import { join } from 'node:path'
import type { GitFolders } from './git-folders.ts'
import type { Confine } from './mounts.ts'

export type WorkspaceOptions = {
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
