import * as fs from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Capture } from '../../ports/capture.ts'
import { NotSavedError } from '../../ports/journal.ts'
import type { Room, RoomOptions } from '../../ports/room.ts'
import type { Snapshots, Tree } from '../../ports/snapshots.ts'

export type RoomTools = {
  readonly snapshots: Pick<Snapshots, 'take' | 'difference' | 'checkOut'>
  readonly capture: Capture
}

const copyMs = 20 * 60_000
const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C' }

/**
 * Makes the room of a run, or opens the one that an earlier process of the run has made. Only a finished copy counts: `made` is written last.
 * Call it before the first agent starts.
 */
export async function openRoom(options: RoomOptions, tools: RoomTools): Promise<Room> {
  const { workspace, folder } = options
  const [lower, uses, made] = ['start', 'uses', 'made'].map((name) => join(folder, name)) as [string, string, string]
  const start = readMade(made) ?? (await copyStart())
  let count = 0

  async function copyStart(): Promise<Tree> {
    removeAll(folder)
    fs.mkdirSync(lower, { recursive: true, mode: 0o700 })
    const without = ['.git', ...options.without].map((name) => join(workspace, name))
    await copyFolder(workspace, lower, new Set([...without, folder]))
    const tree = await tools.snapshots.take()
    fs.writeFileSync(`${made}.new`, tree)
    fs.renameSync(`${made}.new`, made)
    return tree
  }

  /** Goes into the folders above the room itself, which may be inside the work tree. */
  async function copyFolder(from: string, to: string, without: ReadonlySet<string>): Promise<void> {
    const paths = fs.readdirSync(from).flatMap((name) => (without.has(join(from, name)) ? [] : [join(from, name)]))
    const isAbove = (path: string): boolean => folder.startsWith(`${path}/`)
    const whole = paths.filter((path) => !isAbove(path))
    if (whole.length > 0) await copy(whole, to)
    for (const path of paths.filter(isAbove)) {
      fs.mkdirSync(join(to, basename(path)))
      await copyFolder(path, join(to, basename(path)), without)
    }
  }

  async function copy(paths: readonly string[], to: string): Promise<void> {
    const argv = ['cp', '-a', '--reflink=auto', '--', ...paths, to] as const
    const answer = await tools.capture({ argv: [...argv], cwd: '/', env, maxBytes: 1 << 16, timeoutMs: copyMs })
    if ('code' in answer && answer.code === 0) return
    const why = 'problem' in answer ? answer.problem : answer.stderrTail.trim()
    removeAll(folder)
    throw new NotSavedError(`cannot copy the work tree for the clean room: ${why}`)
  }

  return {
    start,
    async use(tree, verify) {
      const own = join(uses, `${process.pid}-${++count}`)
      const [upper, work, mount, gone] = ['upper', 'work', 'mount', 'gone'].map((name) => join(own, name)) as [
        string,
        string,
        string,
        string,
      ]
      try {
        removeAll(own)
        for (const path of [upper, work, mount]) fs.mkdirSync(path, { recursive: true, mode: 0o755 })
        const { files } = start === tree ? { files: [] } : await tools.snapshots.difference(start, tree)
        const written = files.flatMap(({ path, status }) => (status === 'deleted' ? [] : [path]))
        const { objects } = await tools.snapshots.checkOut(tree, written, upper)
        const deleted = files.flatMap(({ path, status }) => (status === 'deleted' ? [path] : []))
        // A file that became a folder is gone already: the folder lies over it.
        const hidden = deleted.filter((path) => !fs.existsSync(join(upper, path)))
        fs.writeFileSync(gone, joinPaths(hidden))
        // Like git, which knows no empty folders.
        fs.writeFileSync(`${gone}.folders`, joinPaths([...new Set(hidden.map(dirname))].filter((path) => path !== '.')))
        return await verify({ at: workspace, lower, upper, work, mount, gone, objects })
      } finally {
        removeAll(own)
      }
    },
    remove: () => removeAll(folder),
  }
}

const joinPaths = (paths: readonly string[]): string => paths.map((path) => `${path}\0`).join('')

function readMade(path: string): Tree | undefined {
  try {
    return fs.readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** Also what commands have made read-only, and the folder of the mount that nobody may enter. */
function removeAll(path: string): void {
  try {
    fs.rmSync(path, { recursive: true, force: true })
  } catch {
    openUp(path)
    fs.rmSync(path, { recursive: true, force: true })
  }
}

function openUp(folder: string): void {
  fs.chmodSync(folder, 0o700)
  for (const entry of fs.readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) openUp(join(folder, entry.name))
}
