import { createHash, hash as hashOnce } from 'node:crypto'
import { dirname, join, relative, sep } from 'node:path'
import { contentFolder, contentPath } from '../../../contract/content-path.ts'
import type { Ref } from '../../../contract/values.ts'
import { NotSavedError } from '../../../ports/journal.ts'
import { type Disk, hasCode, openPlain, realDisk, writeAll } from './disk.ts'

export type FileArtifacts = {
  put(name: string, content: string | Uint8Array): Promise<Ref>
  /** A file inside the run's folder that someone else wrote, such as a process's log, named by its content. */
  adopt(path: string): Promise<Ref>
  /** Contract: rejects when the file is missing or not what the Ref says. */
  get(ref: Ref): Promise<Uint8Array>
  /** Makes all that was written since the last one safe. */
  flush(): Promise<void>
  /** Whether the file is there and is what the Ref says. */
  has(ref: Ref): boolean
}

/** Content files of one run, named by their hash. */
export function openArtifacts(dir: string, disk: Disk = realDisk): FileArtifacts {
  const unsynced = new Set<string>()
  let flushed: Promise<void> = Promise.resolve()
  /** What this process has written or found whole. */
  const known = new Set<string>()

  return {
    put: async (name, content) =>
      orNotSaved(name, () => {
        const bytes = typeof content === 'string' ? Buffer.from(content) : content
        const sha256 = hash(bytes)
        const path = contentPath(sha256, name)
        const ref = { path, sha256, bytes: bytes.length }
        const fd = createContent(join(dir, path))
        // The same prompt iteration after iteration: a file that is still what it was is not written again.
        const whole = fd === undefined && holds(ref)
        if (!whole) writeContent(fd ?? disk.openSync(join(dir, path), 'w', 0o600), bytes)
        // An earlier process may have died before it made the file safe.
        if (!whole || !known.has(path)) unsynced.add(path)
        known.add(path)
        return ref
      }),
    adopt: async (path) =>
      orNotSaved(path, () => {
        const inside = relative(dir, path).split(sep).join('/')
        if (inside.startsWith('..')) throw new Error(`${path} is not in the run's folder`)
        const ref = { path: inside, ...measure(path) }
        unsynced.add(inside)
        return ref
      }),
    async get(ref) {
      const bytes = readContent(join(dir, ref.path))
      if (hash(bytes) !== ref.sha256) throw new Error(`${ref.path} is not what the journal says it is`)
      return bytes
    },
    has: holds,
    // One after another: who asks while another one waits is not told before all is safe.
    flush: () => (flushed = flushed.catch(() => {}).then(flushAll)),
  }

  async function flushAll(): Promise<void> {
    const paths = [...unsynced]
    const folders = new Set(paths.map((path) => dirname(path)))
    unsynced.clear()
    try {
      await Promise.all([
        ...paths.map((path) => syncOne(join(dir, path), disk.fdatasync)),
        ...[...folders].map((path) => syncOne(join(dir, path), disk.fsync)),
      ])
    } catch (error) {
      for (const path of paths) unsynced.add(path)
      throw error
    }
  }

  /** A run that came with a repository may name anything: no link is followed, no pipe waited for. */
  function readContent(path: string): Uint8Array {
    const fd = openPlain(disk, path)
    try {
      return disk.readFileSync(fd)
    } finally {
      disk.closeSync(fd)
    }
  }

  function holds(ref: Ref): boolean {
    try {
      return measure(join(dir, ref.path)).sha256 === ref.sha256
    } catch {
      return false
    }
  }

  /** In place: its name is its hash, so a half-written file is found out, and no event names it yet. */
  function writeContent(fd: number, bytes: Uint8Array): void {
    try {
      writeAll(disk, fd, bytes)
    } finally {
      disk.closeSync(fd)
    }
  }

  /** Undefined where there is a file of that name. */
  function createContent(path: string): number | undefined {
    try {
      return disk.openSync(path, 'wx', 0o600)
    } catch (error) {
      if (hasCode(error, 'EEXIST')) return undefined
      if (!hasCode(error, 'ENOENT')) throw error
      disk.mkdirSync(join(dir, contentFolder), { mode: 0o700 })
      return disk.openSync(path, 'wx', 0o600)
    }
  }

  async function syncOne(path: string, sync: (fd: number) => Promise<void>): Promise<void> {
    const fd = disk.openSync(path, 'r')
    try {
      await sync(fd)
    } finally {
      disk.closeSync(fd)
    }
  }

  function measure(path: string): Pick<Ref, 'sha256' | 'bytes'> {
    const fd = openPlain(disk, path)
    try {
      const digest = createHash('sha256')
      const chunk = Buffer.allocUnsafe(1 << 16)
      let bytes = 0
      for (let read = 1; read > 0; bytes += read) {
        read = disk.readSync(fd, chunk, 0, chunk.length, null)
        digest.update(chunk.subarray(0, read))
      }
      return { sha256: digest.digest('hex'), bytes }
    } finally {
      disk.closeSync(fd)
    }
  }
}

const hash = (bytes: Uint8Array): string => hashOnce('sha256', bytes, 'hex')

function orNotSaved<T>(what: string, action: () => T): T {
  try {
    return action()
  } catch (error) {
    throw new NotSavedError(`cannot keep ${what}: ${(error as Error).message}`, { cause: error })
  }
}
