import { createHash } from 'node:crypto'
import { contentPath } from '../../../contract/content-path.ts'
import type { Ref } from '../../../contract/values.ts'
import type { Content } from '../../../ports/run-store.ts'

export type MemoryArtifacts = Content & {
  /** Content under a path of its own, as a file that was adopted has. */
  putAt(path: string, content: Uint8Array): Ref
  size(): number
}

/** Content that ends with its process. Bytes are copied both ways, as a disk does. */
export function memoryArtifacts(): MemoryArtifacts {
  const kept = new Map<string, { readonly bytes: Uint8Array; readonly sha256: string }>()
  const find = ({ path, sha256 }: Ref) => {
    const found = kept.get(path)
    return found?.sha256 === sha256 ? found.bytes : undefined
  }

  return {
    async put(name, content) {
      const bytes = typeof content === 'string' ? Buffer.from(content) : content
      return putAt(contentPath(hash(bytes), name), bytes)
    },
    async get(ref) {
      const bytes = find(ref)
      if (!bytes) throw Object.assign(new Error(`${ref.path} is not kept here`), { code: 'ENOENT' })
      return Uint8Array.from(bytes)
    },
    has: async (ref) => find(ref) !== undefined,
    putAt,
    size: () => [...kept.values()].reduce((sum, { bytes }) => sum + bytes.length, 0),
  }

  function putAt(path: string, content: Uint8Array): Ref {
    const sha256 = hash(content)
    kept.set(path, { bytes: Uint8Array.from(content), sha256 })
    return { path, sha256, bytes: content.length }
  }
}

const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
