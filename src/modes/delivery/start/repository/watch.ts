import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { openRepositoryFiles, parseJsonObject, pickStrings } from '../../../../config/repository/repository.ts'
import { sha256 } from '../../../../judging/sha256.ts'
import type { Machine } from '../../../../run/machine.ts'
import { findPrograms, listWatchedPaths } from '../../core/evidence/watch.ts'

export type WatchedFiles = { readonly workspace: string; readonly folder: string; readonly commands: readonly string[] }

/** Fingerprints files that decide verification but are not tracked by git: hooks, git's settings, runners, the result. */
export function watchFiles(
  machine: Pick<Machine, 'git'>,
  { workspace, folder, commands }: WatchedFiles,
): Readonly<Record<string, string>> {
  const git = sharedGitFolder(machine, workspace)
  const resolvePlace = (path: string): string => {
    if (path.startsWith('.git/')) return join(git ?? workspace, path.slice('.git/'.length))
    return path === 'result.json' ? join(folder, path) : join(workspace, path)
  }
  const packageScripts = pickStrings(parseJsonObject(openRepositoryFiles(workspace).text('package.json')).scripts)
  const listing = [
    ...listNames(resolvePlace('.git/hooks')).map((name) => `.git/hooks/${name}`),
    ...folders.flatMap((folder) => listNames(join(workspace, folder)).map((name) => `${folder}/${name}`)),
  ]
  const paths = [...listWatchedPaths({ commands, packageScripts, listing }), 'result.json']
  return Object.fromEntries(paths.flatMap((path) => fingerprintPath(path, resolvePlace(path))))
}

const folders = ['node_modules/.bin', '.venv/bin', 'venv/bin', 'vendor/bin']
const maxBytes = 16 << 20

/** Finds the shared git folder, because linked work trees have no hooks and settings of their own. */
function sharedGitFolder({ git }: Pick<Machine, 'git'>, workspace: string): string | undefined {
  const own = git.findGitFolder(workspace)
  if (own === undefined) return undefined
  try {
    return resolve(own, readFileSync(join(own, 'commondir'), 'utf8').trim())
  } catch {
    return own
  }
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}

function fingerprintPath(path: string, place: string): [string, string][] {
  try {
    const real = realpathSync(place)
    const { size, mtimeMs, mode } = statSync(real)
    if (size > maxBytes) return [[path, `${real} ${size} ${mtimeMs}`]]
    const content = readFileSync(real)
    const settings = path.startsWith('.git/') && !path.startsWith('.git/hooks/')
    return [
      [
        path,
        settings
          ? findPrograms(content.toString('utf8'))
          : sha256(`${real} ${mode} ${sha256(content.toString('latin1'))}`),
      ],
    ]
  } catch {
    return []
  }
}
