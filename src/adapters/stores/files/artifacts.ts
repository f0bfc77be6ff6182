import { createHash, hash as hashOnce } from 'node:crypto'
import { dirname, join, relative, sep } from 'node:path'
import { contentFolder, contentPath } from '../../../contract/content-path.ts'
import type { Ref } from '../../../contract/values.ts'
import { NotSavedError } from '../../../ports/journal.ts'
import { type Disk, hasCode, openPlain, realDisk, writeAll } from './disk.ts'

export type FileArtifacts = {
  put(name: string, content: string | Uint8Array): Promise<Ref>
  /** Returns a Ref to an existing file in the run's folder, such as a process's log. */
  adopt(path: string): Promise<Ref>
  /** Contract: rejects if the file is missing or its hash differs from the Ref. */
  get(ref: Ref): Promise<Uint8Array>
  /** Syncs everything written since the last flush to disk. */
  flush(): Promise<void>
  /** Returns whether the file exists and its hash matches the Ref. */
  has(ref: Ref): boolean
  /** Like `has`. A file that exists is synced by the next flush: the process that wrote it may have died before it did. */
  recover(ref: Ref): boolean
}

/** Opens the content files of one run, which are named by their hash. */
export function openArtifacts(dir: string, disk: Disk = realDisk): FileArtifacts {
  const unsynced = new Set<string>()
  let flushed: Promise<void> = Promise.resolve()
  /** Paths that this process has written or verified. */
  const known = new Set<string>()

  return {
    put: async (name, content) =>
      orNotSaved(name, () => {
        const bytes = typeof content === 'string' ? Buffer.from(content) : content
        const sha256 = hash(bytes)
        const path = contentPath(sha256, name)
        const ref = { path, sha256, bytes: bytes.length }
        const fd = createContent(join(dir, path))
        // Iterations often repeat the same prompt, so an intact file is not written again.
        const intact = fd === undefined && holds(ref)
        if (!intact) writeContent(fd ?? disk.openSync(join(dir, path), 'w', 0o600), bytes)
        // An earlier process may have died before it synced the file.
        if (!intact || !known.has(path)) unsynced.add(path)
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
      if (hash(bytes) !== ref.sha256) throw new Error(`${ref.path} does not match its hash in the journal`)
      return bytes
    },
    has: holds,
    recover(ref) {
      const held = holds(ref)
      if (held) unsynced.add(ref.path)
      return held
    },
    // Flushes run one after another, so a flush never resolves before an earlier one has finished.
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

  /** A run that came with a repository may refer to any path: does not follow symlinks or wait for named pipes. */
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

  /** Writes in place: a partial file fails its hash check, and no event refers to it yet. */
  function writeContent(fd: number, bytes: Uint8Array): void {
    try {
      writeAll(disk, fd, bytes)
    } finally {
      disk.closeSync(fd)
    }
  }

  /** Undefined if the file exists already. */
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
    throw new NotSavedError(`cannot save ${what}: ${(error as Error).message}`, { cause: error })
  }
}
