import { contentPath } from '../../../contract/content-path.ts'
import type { Ref } from '../../../contract/values.ts'
import type { Content } from '../../../ports/run-store.ts'
import { hash } from '../shared/values.ts'

type MemoryArtifacts = Content & {
  /** Stores content under a given path, for adopted files. */
  putAt(path: string, content: Uint8Array): Ref
  size(): number
}

/** Content in memory. Copies bytes on put and get, like a disk. */
export function createMemoryArtifacts(): MemoryArtifacts {
  const stored = new Map<string, { readonly bytes: Uint8Array; readonly sha256: string }>()
  const find = ({ path, sha256 }: Ref) => {
    const found = stored.get(path)
    return found?.sha256 === sha256 ? found.bytes : undefined
  }

  return {
    async put(name, content) {
      const bytes = typeof content === 'string' ? Buffer.from(content) : content
      return putAt(contentPath(hash(bytes), name), bytes)
    },
    async get(ref) {
      const bytes = find(ref)
      if (!bytes) throw Object.assign(new Error(`${ref.path} is not stored here`), { code: 'ENOENT' })
      return Uint8Array.from(bytes)
    },
    has: async (ref) => find(ref) !== undefined,
    putAt,
    size: () => [...stored.values()].reduce((sum, { bytes }) => sum + bytes.length, 0),
  }

  function putAt(path: string, content: Uint8Array): Ref {
    const sha256 = hash(content)
    stored.set(path, { bytes: Uint8Array.from(content), sha256 })
    return { path, sha256, bytes: content.length }
  }
}
