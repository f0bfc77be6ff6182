import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { childFolders, findGitFolders } from './git-folders.ts'
import { agentPaths, cachePaths } from './home-paths.ts'
import type { Confine } from './mounts.ts'
import { workspacePaths } from './workspace-paths.ts'

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
