import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { uptime } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { Op } from './trace.ts'

type FileNode = { readonly is: 'file'; kept: Buffer; synced: Buffer; torn: Buffer }
type FolderNode = { readonly is: 'folder'; kept: Map<string, Node>; synced: Map<string, Node> }
type Node = FileNode | FolderNode

/** What of the unsynced changes a power loss leaves. */
const models = {
  'nothing unsynced': { names: 'synced', data: 'synced' },
  everything: { names: 'kept', data: 'kept' },
  'names without data': { names: 'kept', data: 'synced' },
  'data without names': { names: 'synced', data: 'kept' },
  'names with zeros': { names: 'kept', data: 'zeros' },
  'a torn last write': { names: 'kept', data: 'torn' },
} as const
export type ModelName = keyof typeof models
type DataModel = (typeof models)[ModelName]['data']

/** A file system after a power loss: contents by path; null is a folder. */
export type State = ReadonlyMap<string, Buffer | null>
export type CrashState = {
  readonly model: ModelName
  /** Number of operations before the loss. */
  readonly at: number
  readonly state: State
  /** The synced part of the journal, whatever the model: it must survive. */
  readonly promised: string
}

/** Yields each different state that a power loss before or after a sync may leave below these folders. */
export function* crashStates(ops: readonly Op[], roots: readonly string[]): Generator<CrashState> {
  const disk = openDisk(roots)
  const seen = new Set<string>()
  for (const [at, op] of ops.entries()) {
    const isNear = op.op === 'sync' || op.op === 'rename' || op.op === 'link'
    if (isNear) yield* now(at)
    disk.apply(op)
    if (isNear) yield* now(at + 1)
  }
  yield* now(ops.length)

  function* now(at: number): Generator<CrashState> {
    for (const model of Object.keys(models) as ModelName[]) {
      const state = disk.state(model)
      const key = hashState(state)
      if (seen.has(key)) continue
      seen.add(key)
      yield { model, at, state, promised: disk.syncedJournal() }
    }
  }
}

function hashState(state: State): string {
  const hash = createHash('sha256')
  for (const [path, bytes] of state) hash.update(`${path}\0${bytes?.length ?? 'folder'}\0`).update(bytes ?? '')
  return hash.digest('hex')
}

/** A model of the disk below some folders, which start as they are and count as synced. */
function openDisk(roots: readonly string[]) {
  const tops = new Map(roots.map((root) => [root, readNode(root)]))
  /** Files that were sent to the disk since the last sync. */
  const sent: [FileNode, Buffer][] = []

  function find(path: string): Node | undefined {
    const top = tops.get(path)
    if (top) return top
    if (path === dirname(path)) return undefined
    const parent = find(dirname(path))
    return parent?.is === 'folder' ? parent.kept.get(basename(path)) : undefined
  }
  const folderOf = (path: string): FolderNode | undefined => {
    const parent = find(dirname(path))
    return parent?.is === 'folder' ? parent : undefined
  }
  const isIn = (path: string): boolean => roots.some((root) => path.startsWith(`${root}/`))

  function apply(op: Op): void {
    const folder = folderOf(op.path)
    const node = find(op.path)
    switch (op.op) {
      case 'create':
        if (isIn(op.path) && folder && !node) folder.kept.set(basename(op.path), newFile())
        return
      case 'folder':
        if (isIn(op.path) && folder && !node) folder.kept.set(basename(op.path), newFolder())
        return
      case 'link':
      case 'rename': {
        const moved = find(op.from)
        if (!folder || !moved) return
        folder.kept.set(basename(op.path), moved)
        if (op.op === 'rename') folderOf(op.from)?.kept.delete(basename(op.from))
        return
      }
      case 'remove':
        folder?.kept.delete(basename(op.path))
        return
      case 'truncate':
        if (node?.is === 'file') change(node, Buffer.concat([node.kept, Buffer.alloc(op.size!)]).subarray(0, op.size))
        return
      case 'write':
        if (node?.is === 'file') change(node, splice(node.kept, op.bytes, op.at ?? node.kept.length))
        return
      case 'write-out':
        if (node?.is === 'file') sent.push([node, node.kept])
        return
      case 'sync':
        if (node?.is === 'file') {
          for (const [file, bytes] of [...sent.splice(0), [node, node.kept] as const]) {
            file.synced = bytes
            if (file.kept === bytes) file.torn = bytes
          }
        }
        if (node?.is === 'folder') node.synced = new Map(node.kept)
    }
  }

  function state(name: ModelName): State {
    const { names, data } = models[name]
    const found = new Map<string, Buffer | null>()
    const walk = (path: string, node: Node): void => {
      found.set(path, node.is === 'file' ? pickData(node, data) : null)
      if (node.is === 'folder')
        for (const [child, inner] of [...node[names]].sort(byName)) walk(join(path, child), inner)
    }
    for (const [path, node] of tops) walk(path, node)
    return found
  }

  /** Of the only run there is. */
  function syncedJournal(): string {
    const search = (node: Node | undefined): string => {
      if (node?.is !== 'folder') return ''
      const journal = node.kept.get('progress.ndjson')
      return journal?.is === 'file' ? journal.synced.toString() : [...node.kept.values()].map(search).join('')
    }
    return [...tops.values()].map(search).join('')
  }
  return { apply, state, syncedJournal }
}

const byName = ([a]: [string, Node], [b]: [string, Node]): number => (a < b ? -1 : 1)
const newFile = (bytes = Buffer.alloc(0)): FileNode => ({ is: 'file', kept: bytes, synced: bytes, torn: bytes })
const newFolder = (): FolderNode => ({ is: 'folder', kept: new Map(), synced: new Map() })

/** `torn` keeps half of the last change. */
function change(node: FileNode, bytes: Buffer): void {
  const added = Math.max(0, bytes.length - node.kept.length)
  node.torn = bytes.subarray(0, bytes.length - Math.ceil(added / 2))
  node.kept = bytes
}

const splice = (bytes: Buffer, more: Buffer, at: number): Buffer =>
  Buffer.concat([bytes.subarray(0, at), more, bytes.subarray(at + more.length)])

function pickData(node: FileNode, model: DataModel): Buffer {
  if (model !== 'zeros') return node[model]
  return Buffer.concat([node.synced, Buffer.alloc(Math.max(0, node.kept.length - node.synced.length))])
}

function readNode(path: string): Node {
  const stat = fs.lstatSync(path, { throwIfNoEntry: false })
  if (!stat?.isDirectory()) return stat?.isFile() ? newFile(fs.readFileSync(path)) : newFolder()
  const folder = newFolder()
  for (const name of fs.readdirSync(path)) folder.kept.set(name, readNode(join(path, name)))
  folder.synced = new Map(folder.kept)
  return folder
}

/** Replaces these folders by a state. Its files are older than the start of this machine, as after a restart. */
export function writeState(state: State, roots: readonly string[]): void {
  const seconds = Date.now() / 1000 - uptime() - 60
  for (const root of roots) fs.rmSync(root, { recursive: true, force: true })
  for (const [path, bytes] of state) {
    if (bytes === null) fs.mkdirSync(path, { recursive: true, mode: 0o700 })
    else {
      fs.writeFileSync(path, bytes, { mode: 0o600 })
      fs.utimesSync(path, seconds, seconds)
    }
  }
}
