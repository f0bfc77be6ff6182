import { randomUUID } from 'node:crypto'
import * as fs from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import type { Capture } from '../../ports/capture.ts'
import { NotSavedError } from '../../ports/journal.ts'
import type { Layer, Room, RoomOptions, UseOptions } from '../../ports/room.ts'
import type { Mounts, Place } from '../../ports/shell.ts'
import type { Snapshots, Tree } from '../../ports/snapshots.ts'

export type RoomTools = {
  readonly snapshots: Pick<Snapshots, 'take' | 'checkOut' | 'list' | 'listIgnored'>
  readonly capture: Capture
  readonly means: Room['means']
  /** Lists the folders of the user that commands may write and that exist, for `overlay`. An agent may have made some. */
  readonly listCaches: () => readonly string[]
  /** From how many kilobytes on a folder of a build tool is left out. */
  readonly maxBuild?: number
}

const copyMs = 20 * 60_000
const scanMs = 5 * 60_000
const maxBuildKb = 2 << 20
const isBuild =
  /(?:^|\/)(?:target|build|\.next|\.nuxt|\.gradle|\.turbo|\.parcel-cache|\.cache|cmake-build-[^/]*|DerivedData)\/$/
const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C' }
const copyFlags = process.platform === 'darwin' ? ['-a', '-c'] : ['-a', '--reflink=auto']

/**
 * Makes the room of a run, or opens the one that an earlier process of the run has made. Only a finished copy counts: `made` is written last.
 * Call it before the first agent starts.
 */
export async function openRoom(options: RoomOptions, tools: RoomTools): Promise<Room> {
  const { workspace, folder } = options
  const { snapshots, means } = tools
  const [uses, installed] = [join(folder, 'uses'), join(folder, 'installed')]
  const known = readMade(join(folder, 'made'))
  const made = known ? await bringUpToDate(known) : await copyStart()
  const start = join(folder, made.start ?? 'start')
  // A killed process may have left some.
  removeAll(uses)
  /** By cache, the paths that changed since the room was made. */
  let changed: ReadonlyMap<string, Buffer> | undefined

  async function copyStart(): Promise<Made> {
    removeAll(folder)
    const atMs = Date.now()
    // A copy that a killed process began may still be going on. It has a folder of its own, which is gone now.
    const name = `start-${process.pid}-${atMs}`
    const to = join(folder, name)
    fs.mkdirSync(to, { recursive: true, mode: 0o700 })
    const left = await listHuge()
    const without = ['.git', ...options.without, ...left].map((name) => join(workspace, name))
    const unread = await copyFolder(workspace, to, new Set([...without, folder]))
    const named = [
      ...left.map((path) => `${path} (larger than 2 GB)`),
      ...unread.map((path) => `${relative(workspace, path)} (cannot be read)`),
    ]
    return writeMade(join(folder, 'made'), { tree: await snapshots.take(), atMs, left: named, start: name })
  }

  /** Copies ignored files that people changed since the run was left: they may have installed what it lacked. */
  async function bringUpToDate({ leftMs, ...known }: Made): Promise<Made> {
    if (leftMs === undefined) return known
    const isLeft = (path: string): boolean =>
      options.without.some((own) => path === own || path === `${own}/`) ||
      (known.left ?? []).some((named) => named.startsWith(`${path.replace(/\/$/, '')} (`))
    const ignored = (await snapshots.listIgnored()).filter((path) => !isLeft(path)).map((path) => join(workspace, path))
    const changed = (await findSince(leftMs, ignored)).map((path) => Buffer.from(path, 'latin1').toString('utf8'))
    try {
      for (const path of changed.filter((one) => !one.startsWith(`${folder}/`))) {
        const to = join(folder, known.start ?? 'start', relative(workspace, path))
        removeAll(to)
        fs.mkdirSync(dirname(to), { recursive: true })
        fs.cpSync(path, to, { preserveTimestamps: true, verbatimSymlinks: true })
      }
      return writeMade(join(folder, 'made'), known)
    } catch (error) {
      throw new NotSavedError(`cannot bring the clean room up to date: ${(error as Error).message}`)
    }
  }

  /** Lists files that changed since then. Nobody can set the time of a change. */
  async function findSince(ms: number, paths: readonly string[]): Promise<readonly string[]> {
    if (paths.length === 0) return []
    const argv = [
      'find',
      ...paths,
      '-xdev',
      '!',
      '-type',
      'd',
      '-newerct',
      new Date(ms).toISOString(),
      '-print0',
    ] as const
    const answer = await tools.capture({ argv: [...argv], cwd: '/', env, maxBytes: 64 << 20, timeoutMs: scanMs })
    if (!('code' in answer))
      throw new NotSavedError(`cannot look for changes in ${paths.join(', ')}: ${answer.problem}`)
    return answer.stdout.toString('latin1').split('\0').filter(Boolean)
  }

  /** Lists ignored folders of build tools that are huge: a copy would cost more than to build them again. */
  async function listHuge(): Promise<readonly string[]> {
    const builds = (await snapshots.listIgnored()).filter((path) => isBuild.test(path)).map((path) => path.slice(0, -1))
    const paths = builds.map((path) => join(workspace, path))
    if (paths.length === 0) return []
    const argv = ['du', '-sk', '--', ...paths] as const
    const answer = await tools.capture({ argv, cwd: '/', env, maxBytes: 1 << 20, timeoutMs: scanMs })
    if (!('code' in answer)) return []
    const sizes = answer.stdout.toString('utf8').trim().split('\n').map(Number.parseFloat)
    return sizes.length === paths.length
      ? builds.filter((_, index) => sizes[index]! > (tools.maxBuild ?? maxBuildKb))
      : []
  }

  /** Goes into the folders above what is left out, such as the room itself in the work tree. */
  async function copyFolder(from: string, to: string, without: ReadonlySet<string>): Promise<string[]> {
    const paths = fs.readdirSync(from).flatMap((name) => (without.has(join(from, name)) ? [] : [join(from, name)]))
    const isAbove = (path: string): boolean => [...without].some((one) => one.startsWith(`${path}/`))
    const below = paths.filter((path) => !isAbove(path))
    const unread = [...(await copy(below, to))]
    for (const path of paths.filter(isAbove)) {
      fs.mkdirSync(join(to, basename(path)))
      unread.push(...(await copyFolder(path, join(to, basename(path)), without)))
    }
    return unread
  }

  /** Returns the paths that this user cannot read. */
  async function copy(paths: readonly string[], to: string, flags = copyFlags): Promise<readonly string[]> {
    if (paths.length === 0) return []
    const argv = ['cp', ...flags, '--', ...paths, to] as const
    const answer = await tools.capture({ argv: [...argv], cwd: '/', env, maxBytes: 1 << 16, timeoutMs: copyMs })
    if ('code' in answer && answer.code === 0) return []
    const why = 'problem' in answer ? answer.problem : answer.stderrTail.trim()
    if (flags.length > 1 && /(?:unrecognized|unknown|illegal|invalid) option/i.test(why)) return copy(paths, to, ['-a'])
    const unread = why.split('\n').map((line) => /'([^']+)'.*: Permission denied$/.exec(line)?.[1])
    if (unread.every((path) => path !== undefined)) return unread
    throw new NotSavedError(`cannot copy the work tree for the clean room: ${why}`)
  }

  /** `into`: takes what the commands write; by default folders that are thrown away. The files of the tree lie over the layer and the start. */
  async function use<Result>(
    tree: Tree,
    verify: (place: Place) => Promise<Result>,
    { layer, withoutHistory, into }: UseOptions & { readonly into?: Layer } = {},
  ): Promise<Result> {
    // The path is seen in the list of mounts, and must not tell how many came before.
    const own = join(uses, randomUUID())
    const at = (name: string): string => join(own, name)
    try {
      removeAll(own)
      for (const name of ['files', 'work', 'mount', 'upper']) fs.mkdirSync(at(name), { recursive: true, mode: 0o755 })
      const gone = join(own, 'gone')
      const lower = [...(layer ? [layer.folder] : []), start]
      const upper = into?.folder ?? at('upper')
      if (means === 'copy') {
        await copyAll(lower.toReversed(), upper)
        const { objects } = await layTree(tree, upper, { gone, withoutHistory })
        fs.writeFileSync(join(upper, '.git', 'objects', 'info', 'alternates'), `${objects}\n`)
        for (const path of fs.readFileSync(gone, 'utf8').split('\0').filter(Boolean)) removeAll(join(upper, path))
        return await verify({ at: upper })
      }
      const { objects } = await layTree(tree, into === undefined ? upper : at('files'), { gone, withoutHistory })
      const layers = into === undefined ? lower : [at('files'), ...lower]
      const files = { layers, upper, work: at('work'), gone }
      return await verify({
        at: workspace,
        mounts: { files, mount: at('mount'), objects, caches: await layCaches(own, layer, into), word: randomUUID() },
      })
    } finally {
      removeAll(own)
    }
  }

  async function copyAll(folders: readonly string[], to: string): Promise<void> {
    for (const from of folders)
      await copy(
        fs.readdirSync(from).map((name) => join(from, name)),
        to,
      )
  }

  /** Writes what differs from the start, and the paths that are gone since. */
  async function layTree(
    tree: Tree,
    to: string,
    { gone, withoutHistory }: UseOptions & { readonly gone: string },
  ): Promise<{ readonly objects: string }> {
    const { objects, gone: paths } = await snapshots.checkOut(tree, made.tree, to)
    // A file that became a folder is gone already: the folder lies over it.
    const hidden = paths.filter((path) => !fs.existsSync(join(to, path)))
    fs.writeFileSync(gone, joinPaths(hidden))
    // Like git, which knows no empty folders.
    fs.writeFileSync(`${gone}.folders`, joinPaths([...new Set(hidden.map(dirname))].filter((path) => path !== '.')))
    if (!withoutHistory) return { objects }
    for (const name of ['index', 'packed-refs']) fs.rmSync(join(to, '.git', name))
    fs.writeFileSync(join(to, '.git', 'HEAD'), 'ref: refs/heads/none\n')
    return { objects: join(to, '.git', 'refs') }
  }

  async function layCaches(own: string, layer?: Layer, into?: Layer): Promise<Mounts['caches']> {
    changed ??= await listChanged()
    return [...changed].map(([at, gone], index) => {
      const [upper, work, list] = ['upper', 'work', 'gone'].map((name) => join(own, 'caches', String(index), name)) as [
        string,
        string,
        string,
      ]
      const name = at.replaceAll('/', '%')
      const kept = into?.caches === undefined ? upper : join(into.caches, name)
      const over = layer?.caches === undefined ? undefined : join(layer.caches, name)
      const isOver = over !== undefined && fs.existsSync(over)
      for (const path of [kept, work]) fs.mkdirSync(path, { recursive: true, mode: 0o755 })
      // An installation has hidden what changed, and what it wrote itself counts.
      fs.writeFileSync(list, isOver ? '' : gone)
      return { at, layers: isOver ? [over, at] : [at], upper: kept, work, gone: list }
    })
  }

  /** Lists files of the caches that changed since the room was made. */
  async function listChanged(): Promise<ReadonlyMap<string, Buffer>> {
    const caches = tools.listCaches()
    if (caches.length === 0) return new Map()
    const paths = await findSince(made.atMs, caches)
    return new Map(
      caches.map((cache) => {
        const start = Buffer.from(`${cache}/`).toString('latin1')
        const inside = paths.flatMap((path) => (path.startsWith(start) ? [`./${path.slice(start.length)}`] : []))
        return [cache, Buffer.from(joinPaths(inside), 'latin1')] as const
      }),
    )
  }

  return {
    means,
    start: made.tree,
    left: made.left ?? [],
    had: (path) => fs.existsSync(join(start, path)),
    use: (tree, verify, options) => use(tree, verify, options),
    async install(key, tree, install) {
      const layer = { folder: join(installed, key, 'files'), caches: join(installed, key, 'caches') }
      const isMade = readMade(join(installed, key, 'made')) !== undefined
      if (isMade) return { layer }
      removeAll(join(installed, key))
      fs.mkdirSync(layer.folder, { recursive: true, mode: 0o755 })
      const failed = await use(tree, install, { into: layer })
      if (failed !== undefined) {
        removeAll(join(installed, key))
        return { failed }
      }
      // The files of the tree itself come from the tree.
      for (const path of ['.git', ...(await snapshots.list(tree))]) removeAll(join(layer.folder, path))
      writeMade(join(installed, key, 'made'), { tree, atMs: Date.now() })
      return { layer }
    },
    change: (tree, paths, change) => {
      const into = join(uses, `${process.pid}-changed`)
      removeAll(into)
      fs.mkdirSync(into, { recursive: true, mode: 0o755 })
      return use(
        tree,
        async (place) => {
          const failed = await change(place)
          if (failed !== undefined) return { failed }
          const texts = paths.flatMap((path) => readText(join(into, path), path))
          return { texts: Object.fromEntries(texts) }
        },
        { into: { folder: into } },
      ).finally(() => removeAll(into))
    },
    agentRan: () => {
      changed = undefined
    },
    leave: () => {
      try {
        writeMade(join(folder, 'made'), { ...made, leftMs: Date.now() })
      } catch {
        // On a full disk the room stays as it is.
      }
    },
    remove: () => removeAll(folder),
  }
}

type Made = {
  readonly tree: Tree
  readonly atMs: number
  readonly left?: readonly string[]
  /** The name of the folder with the copy. */
  readonly start?: string
  /** When the run was left, until it goes on. */
  readonly leftMs?: number
}

function writeMade(path: string, made: Made): Made {
  fs.writeFileSync(`${path}.new`, JSON.stringify(made))
  fs.renameSync(`${path}.new`, path)
  return made
}

function readMade(path: string): Made | undefined {
  try {
    const { tree, atMs, ...more } = JSON.parse(fs.readFileSync(path, 'utf8')) as Partial<Made>
    return typeof tree === 'string' && typeof atMs === 'number' ? { ...more, tree, atMs } : undefined
  } catch {
    return undefined
  }
}

const joinPaths = (paths: readonly string[]): string => paths.map((path) => `${path}\0`).join('')

function readText(file: string, path: string): [string, string][] {
  return fs.lstatSync(file, { throwIfNoEntry: false })?.isFile() ? [[path, fs.readFileSync(file, 'utf8')]] : []
}

/** Also what commands have made read-only, the folder of the mount that nobody may enter, and what another process still fills. */
function removeAll(path: string): void {
  try {
    fs.rmSync(path, { recursive: true, force: true })
  } catch {
    openUp(path)
    fs.rmSync(path, { recursive: true, force: true, maxRetries: 10 })
  }
}

function openUp(folder: string): void {
  fs.chmodSync(folder, 0o700)
  for (const entry of fs.readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) openUp(join(folder, entry.name))
}
