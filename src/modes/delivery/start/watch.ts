import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { findGitDir } from '../../../adapters/git/git-dir.ts'
import { sha256 } from '../../../judging/sha256.ts'
import { jsonIn, repositoryAt, textsIn } from '../../../setup/init/repository.ts'
import { programsIn, watchedPaths } from '../core/tampering/watch.ts'

export type Watched = { readonly workspace: string; readonly dir: string; readonly commands: readonly string[] }

/** Fingerprints of what decides verification and is not in git's sight: hooks, git's own settings, runners, the result. */
export function watchFiles({ workspace, dir, commands }: Watched): Readonly<Record<string, string>> {
  const git = sharedGitDir(workspace)
  const placeOf = (path: string): string => {
    if (path.startsWith('.git/')) return join(git ?? workspace, path.slice('.git/'.length))
    return path === 'result.json' ? join(dir, path) : join(workspace, path)
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
function sharedGitDir(workspace: string): string | undefined {
  const own = findGitDir(workspace)
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
