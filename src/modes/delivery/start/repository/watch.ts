import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { jsonIn, repositoryAt, textsIn } from '../../../../config/repository/repository.ts'
import { sha256 } from '../../../../judging/sha256.ts'
import type { Machine } from '../../../../run/machine.ts'
import { programsIn, watchedPaths } from '../../core/tampering/watch.ts'

export type WatchedFiles = { readonly workspace: string; readonly folder: string; readonly commands: readonly string[] }

/** Fingerprints of what decides verification and is not in git's sight: hooks, git's own settings, runners, the result. */
export function watchFiles(
  machine: Pick<Machine, 'git'>,
  { workspace, folder, commands }: WatchedFiles,
): Readonly<Record<string, string>> {
  const git = sharedGitFolder(machine, workspace)
  const placeOf = (path: string): string => {
    if (path.startsWith('.git/')) return join(git ?? workspace, path.slice('.git/'.length))
    return path === 'result.json' ? join(folder, path) : join(workspace, path)
  }
  const packageScripts = textsIn(jsonIn(repositoryAt(workspace).text('package.json')).scripts)
  const listing = [
    ...namesIn(placeOf('.git/hooks')).map((name) => `.git/hooks/${name}`),
    ...folders.flatMap((folder) => namesIn(join(workspace, folder)).map((name) => `${folder}/${name}`)),
  ]
  const paths = [...watchedPaths({ commands, packageScripts, listing }), 'result.json']
  return Object.fromEntries(paths.flatMap((path) => fingerprintOf(path, placeOf(path))))
}

const folders = ['node_modules/.bin', '.venv/bin', 'venv/bin', 'vendor/bin']
const mostBytes = 16 << 20

/** Hooks and settings belong to the repository, of which a work tree of its own is only a part. */
function sharedGitFolder({ git }: Pick<Machine, 'git'>, workspace: string): string | undefined {
  const own = git.findGitFolder(workspace)
  if (own === undefined) return undefined
  try {
    return resolve(own, readFileSync(join(own, 'commondir'), 'utf8').trim())
  } catch {
    return own
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}

function fingerprintOf(path: string, place: string): [string, string][] {
  try {
    const real = realpathSync(place)
    const { size, mtimeMs, mode } = statSync(real)
    if (size > mostBytes) return [[path, `${real} ${size} ${mtimeMs}`]]
    const content = readFileSync(real)
    const settings = path.startsWith('.git/') && !path.startsWith('.git/hooks/')
    return [
      [
        path,
        settings
          ? programsIn(content.toString('utf8'))
          : sha256(`${real} ${mode} ${sha256(content.toString('latin1'))}`),
      ],
    ]
  } catch {
    return []
  }
}
