import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openRoom } from '../adapters/room/room.ts'
import { capture } from '../adapters/shell/capture.ts'
import { cachePaths } from '../adapters/shell/home-paths.ts'
import { canMount, insidePlace, isMountable } from '../adapters/shell/place.ts'
import type { NoRoom, Room, RoomOptions } from '../ports/room.ts'
import type { Snapshots } from '../ports/snapshots.ts'
import type { Environment } from '../run/machine.ts'

const tryMs = 30_000
/** Folders that everybody may write. Like caches, a room has them as they were when it was made. */
const temporary = ['/tmp', '/var/tmp', '/dev/shm']

/** Makes or opens a room, and runs a command in it once: a room that cannot be entered is none. */
export async function openRoomHere(
  { home, env }: Pick<Environment, 'home' | 'env'>,
  options: RoomOptions,
  snapshots: Snapshots,
): Promise<Room | NoRoom> {
  const { workspace, folder, onRealPath = false } = options
  if (!onRealPath && canMount() && [workspace, folder].every(isMountable)) {
    const isCache = (path: string): boolean =>
      isMountable(path) &&
      statSync(path, { throwIfNoEntry: false })?.isDirectory() === true &&
      !`${folder}/`.startsWith(`${path}/`) &&
      !`${workspace}/`.startsWith(`${path}/`)
    const listFolders = (paths: readonly string[]) => (): string[] => {
      const all = [...new Set(paths.filter(isCache).map((path) => realpathSync(path)))]
      return all.filter((path) => !all.some((other) => path.startsWith(`${other}/`)))
    }
    // A file system may not take an overlay, and not every `find` knows times of changes.
    const caches = cachePaths(home, env)
    const choices = (await canFindChanges()) ? [[...caches, ...temporary], caches] : []
    for (const listCaches of choices.map(listFolders))
      if (await canEnter(folder, listCaches()))
        return openRoom(options, { snapshots, capture, means: 'overlay', listCaches })
    if (await canEnter(folder, [])) {
      const room = await openRoom(options, { snapshots, capture, means: 'overlay', listCaches: () => [] })
      return { ...room, shares: caches.filter(isCache) }
    }
  }
  const bound = await findBound(options)
  if (bound !== undefined) {
    const why = onRealPath
      ? 'its commands start containers, which see no mounts of ours'
      : 'nothing can be mounted here'
    return { problem: `${why}, and ${bound} names the path of the work tree, so a copy would use it` }
  }
  return openRoom(options, { snapshots, capture, means: 'copy', listCaches: () => [] })
}

/** Mounts what a room would mount, with nothing in it. */
async function canEnter(folder: string, caches: readonly string[]): Promise<boolean> {
  // Inside of the room, so that leftovers of a killed process are removed with it.
  mkdirSync(folder, { recursive: true })
  const at = mkdtempSync(join(folder, 'try-'))
  try {
    const overlay = (name: string, layer: string) => {
      const [upper, work, gone] = ['upper', 'work', 'gone'].map((one) => join(at, name, one)) as [
        string,
        string,
        string,
      ]
      for (const path of [layer, upper, work]) mkdirSync(path, { recursive: true })
      for (const path of [gone, `${gone}.folders`]) writeFileSync(path, '')
      return { layers: [layer], upper, work, gone }
    }
    const files = overlay('files', join(at, 'start'))
    for (const path of [join(files.upper, '.git', 'base'), join(at, 'mount')]) mkdirSync(path, { recursive: true })
    const own = caches.map((cache, index) => ({ at: cache, ...overlay(`cache-${index}`, cache) }))
    const mounts = { files, mount: join(at, 'mount'), objects: join(at, 'start'), caches: own, word: 'try' }
    const answer = await ask(insidePlace(join(at, 'start'), mounts, ['/bin/true']), '/')
    return 'code' in answer && answer.code === 0
  } finally {
    rmSync(at, { recursive: true, force: true })
  }
}

async function canFindChanges(): Promise<boolean> {
  const answer = await ask(['find', '/', '-maxdepth', '0', '-newerct', new Date(0).toISOString()], '/')
  return 'code' in answer && answer.code === 0
}

const ask = (argv: readonly [string, ...string[]], cwd: string) =>
  capture({ argv, cwd, env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' }, maxBytes: 1 << 20, timeoutMs: tryMs })

/**
 * Finds a file of an environment that is bound to the path of the work tree, such as an editable install or a script of a virtual environment. In
 * a copy at another path it would start programs of the real work tree.
 */
async function findBound({ workspace }: RoomOptions): Promise<string | undefined> {
  const names = ['*.pth', 'pyvenv.cfg', 'CMakeCache.txt', '.modules.yaml', '*.egg-link', 'direct_url.json']
  const isNamed = names.flatMap((name) => ['-o', '-name', name]).slice(1)
  const isOne = ['(', ...isNamed, '-o', '-path', '*/bin/*', ')']
  const where = ['.', '-xdev', '-path', './.git', '-prune', '-o', '-type', 'f', ...isOne]
  const answer = await ask(['find', ...where, '-exec', 'grep', '-lF', '--', workspace, '{}', '+'], workspace)
  // Without an answer nobody knows.
  if (!('code' in answer)) return existsSync(workspace) ? 'a file that could not be read' : undefined
  return answer.stdout.toString('utf8').split('\n')[0] || undefined
}
