import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import * as fs from 'node:fs'
import { dirname, join } from 'node:path'
import { NotSavedError } from '../../ports/journal.ts'
import type { Layer, Room, RoomOptions, UseOptions } from '../../ports/room.ts'
import type { Mounts, Place } from '../../ports/shell.ts'
import type { Snapshots, Tree } from '../../ports/snapshots.ts'
import { discard, findInWay, joinPaths, lookAt, readMade, removeAll, removeIn, writeMade } from './files.ts'
import { copy, findSince, prepareStart, type StartTools } from './start.ts'

export type RoomTools = StartTools & {
  readonly snapshots: Pick<Snapshots, 'checkOut' | 'list'>
  readonly means: Room['means']
  /** Lists the folders of the user that commands may write and that exist, for `overlay`. An agent may have made some. */
  readonly listCaches: () => readonly string[]
}

/**
 * Makes the room of a run, or opens the one that an earlier process of the run has made. Only a finished copy counts: `made` is written last.
 * Call it before the first agent starts.
 */
export async function openRoom(options: RoomOptions, tools: RoomTools): Promise<Room> {
  const { workspace, folder } = options
  const { snapshots, means } = tools
  const [uses, installed] = [join(folder, 'uses'), join(folder, 'installed')]
  const made = await prepareStart(options, tools)
  const start = join(folder, made.start ?? 'start')
  // A killed process may have left some.
  discard(uses)
  /** By cache, the paths that changed since the room was made. */
  let changed: ReadonlyMap<string, Buffer> | undefined

  /** `into`: takes what the commands write; by default folders that are thrown away. */
  type Using = UseOptions & { readonly into?: Layer }

  async function use<Result>(
    tree: Tree,
    verify: (place: Place) => Promise<Result>,
    options: Using = {},
  ): Promise<Result> {
    // The path is seen in the list of mounts, and must not tell how many came before.
    const own = join(uses, randomUUID())
    try {
      return await verify(await makePlace(own, tree, options).catch(toNotSaved))
    } finally {
      discard(own)
    }
  }

  /** The files of the tree lie over the layer and the start. */
  async function makePlace(own: string, tree: Tree, { layer, withoutHistory, into }: Using): Promise<Place> {
    const at = (name: string): string => join(own, name)
    for (const name of ['files', 'work', 'mount', 'upper']) fs.mkdirSync(at(name), { recursive: true, mode: 0o755 })
    const gone = join(own, 'gone')
    const lower = [...(layer ? [layer.folder] : []), start]
    const upper = into?.folder ?? at('upper')
    if (means === 'copy') {
      await copyAll(lower.toReversed(), upper)
      const { objects } = await layTree(tree, upper, { gone, withoutHistory, lower: [] })
      fs.writeFileSync(join(upper, '.git', 'objects', 'info', 'alternates'), `${objects}\n`)
      for (const path of fs.readFileSync(gone, 'utf8').split('\0').filter(Boolean)) removeIn(upper, path)
      return { at: upper }
    }
    const { objects } = await layTree(tree, into === undefined ? upper : at('files'), { gone, withoutHistory, lower })
    const layers = into === undefined ? lower : [at('files'), ...lower]
    const files = { layers, upper, work: at('work'), gone }
    const caches = await layCaches(own, layer, into)
    return { at: workspace, mounts: { files, mount: at('mount'), objects, caches, word: randomUUID() } }
  }

  async function copyAll(folders: readonly string[], to: string): Promise<void> {
    for (const from of folders)
      await copy(
        fs.readdirSync(from).map((name) => join(from, name)),
        to,
        tools.capture,
      )
  }

  /** Writes what differs from the start, and the paths that are gone since. */
  async function layTree(
    tree: Tree,
    to: string,
    { gone, withoutHistory, lower }: UseOptions & { readonly gone: string; readonly lower: readonly string[] },
  ): Promise<{ readonly objects: string }> {
    const { objects, gone: paths } = await snapshots.checkOut(tree, made.tree, to)
    // A file that became a folder is gone already: the folder lies over it. So is what was in a folder that became a file or a link.
    const isThere = (path: string): boolean => lookAt(join(to, path)) !== undefined
    const hidden = paths.filter((path) => findInWay(path, [to, ...lower]) === undefined && !isThere(path))
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
    const paths = await findSince(made.atMs, caches, tools.capture)
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
      for (const path of ['.git', ...(await snapshots.list(tree))]) removeIn(layer.folder, path)
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
          const texts = paths.flatMap((path) => readText(into, path))
          return { texts: Object.fromEntries(texts) }
        },
        { into: { folder: into } },
      ).finally(() => discard(into))
    },
    agentRan: () => {
      changed = undefined
    },
    leave: () => {
      try {
        // Times of changes are finer than a millisecond.
        writeMade(join(folder, 'made'), { ...made, leftMs: Date.now() + 1 })
      } catch {
        // On a full disk the room stays as it is.
      }
    },
    remove: () => discard(folder),
  }
}

/** A full disk says nothing about the work. */
function toNotSaved(error: unknown): never {
  const { code = '', message } = error as NodeJS.ErrnoException
  throw ['ENOSPC', 'EDQUOT', 'EIO'].includes(code) ? new NotSavedError(`cannot make the clean room: ${message}`) : error
}

/** Only texts: another file would come back changed. */
function readText(folder: string, path: string): [string, string][] {
  const file = join(folder, path)
  const isPlain = findInWay(path, [folder]) === undefined && lookAt(file)?.isFile()
  const bytes = isPlain ? fs.readFileSync(file) : undefined
  return bytes && isUtf8(bytes) ? [[path, bytes.toString('utf8')]] : []
}
