import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { findGitFolders } from './git-folders.ts'
import { agentPaths, cachePaths } from './home-paths.ts'
import type { Confine } from './mounts.ts'
import { workspacePaths } from './workspace-paths.ts'

export type ConfineRunOptions = {
  readonly workspace: string
  /** Names of the folders in the workspace that hold configuration and runs: this program's comes first. */
  readonly stateFolders: readonly [string, ...string[]]
  readonly handOver: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** What a person allows besides. */
  readonly writable?: readonly string[] | undefined
}

/** The usual confinement of a run, from what lies on the disk now. */
export function confineRun(options: ConfineRunOptions): Confine {
  const { handOver, home, env, writable = [] } = options
  const workspace = realpathSync(options.workspace)
  const [first, ...others] = options.stateFolders
  const stateFolders = [first, ...others.filter((name) => existsSync(join(workspace, name)))]
  const git = findGitFolders(workspace, existsSync(home) ? realpathSync(home) : home)
  const paths = workspacePaths({ workspace, stateFolders, handOver, git })
  const agents = agentPaths(home, env)
  return {
    ...paths,
    writable: [...paths.writable, ...agents.writable, ...cachePaths(home, env), ...writable],
    // A person may make one of these while a run goes on: only what is there already is held.
    protectedFiles: [...paths.protectedFiles, ...agents.protected.filter((path) => existsSync(path))],
  }
}
