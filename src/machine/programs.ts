import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { findCommonDir, findGitDir } from '../adapters/git/paths.ts'
import { agentPaths, cachePaths } from '../adapters/shell/home-paths.ts'
import { cleanPath, type FoundProgram, findSafeProgram, isWithin } from '../adapters/shell/programs.ts'
import { packageFile } from '../installation.ts'
import type { Capture } from '../ports/capture.ts'
import type { Environment } from '../run/machine.ts'

/** The programs that this process itself starts, outside the sandbox: git and bwrap. */
export type Programs = {
  /** Finds a program that no agent of this workspace can have written. Searches once per name. */
  find(name: string): FoundProgram
  /** Returns whether agents of this workspace can write a path. */
  isWritable(path: string): boolean
  /** The path of bwrap; null if there is none that may be used. */
  readonly bubblewrap: string | null
  /** PATH for child processes outside the sandbox, without folders that agents can write. */
  readonly path: string
}

type Here = Pick<Environment, 'env' | 'home'>

export function openPrograms({ env, home }: Here, workspace: string): Programs {
  const search = { path: env.PATH ?? '', writable: listWritable({ env, home }, workspace) }
  const known = new Map<string, FoundProgram>()
  let path: string | undefined
  function find(name: string): FoundProgram {
    const found = known.get(name) ?? findSafeProgram(name, search)
    known.set(name, found)
    return found
  }
  return {
    find,
    get bubblewrap() {
      const found = find('bwrap')
      return 'path' in found ? found.path : null
    },
    isWritable: (program) => isWithin(program, search.writable),
    get path() {
      path ??= cleanPath(search)
      return path
    },
  }
}

/** Lists the folders that agents which work in this workspace can write, now or in an earlier run. */
function listWritable({ env, home }: Here, workspace: string): string[] {
  const gitDir = findGitDir(workspace)
  // The workspace of a run may be another folder than the one that PATH was made for.
  const folders = [workspace, process.cwd()]
  return [
    ...folders,
    ...(gitDir === undefined ? [] : [gitDir, findCommonDir(gitDir)]),
    // npm puts the packages of every folder above on PATH too, and an agent may have worked there.
    ...folders.flatMap(listAbove).map((folder) => join(folder, 'node_modules')),
    env.TMPDIR || tmpdir(),
    ...agentPaths(home, env).writable,
    ...cachePaths(home, env),
  ]
}

const listAbove = (folder: string): string[] =>
  folder === dirname(folder) ? [folder] : [folder, ...listAbove(dirname(folder))]

/** Returns whether this program itself is installed in a workspace, where its agents can change it. */
export const isInstalledIn = (workspace: string): boolean => isWithin(packageFile('bin'), [workspace])

/** Starts only programs that no agent can have written, and gives them a PATH without folders that agents can write. */
export function createSafeCapture(programs: Programs, capture: Capture): Capture {
  return (question) => {
    const [name, ...args] = question.argv
    const found = programs.find(name)
    if ('problem' in found) return Promise.resolve({ problem: describeProblem(name, found) })
    return capture({ ...question, argv: [found.path, ...args], env: { ...question.env, PATH: programs.path } })
  }
}

/** Says what to do if the only program of that name is in a folder that agents can write. */
export function describeProblem(name: string, { problem, refused }: { problem: string; refused?: string }): string {
  return refused === undefined ? problem : `${problem}. Install ${name} for the whole system, or remove that file`
}
