import { createHash } from 'node:crypto'
import type { Ref } from '../../../contract/values.ts'
import type { Artifacts } from '../../../ports/artifacts.ts'

/** Content that ends with its process. */
export function memoryArtifacts(): Pick<Artifacts, 'get'> & {
  put(name: string, content: string | Uint8Array): Promise<Ref>
} {
  const kept = new Map<string, Uint8Array>()
  return {
    async put(name, content) {
      const bytes = typeof content === 'string' ? Buffer.from(content) : content
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      const path = `artifacts/${sha256.slice(0, 16)}-${name}`
      kept.set(path, bytes)
      return { path, sha256, bytes: bytes.length }
    },
    async get({ path }) {
      const bytes = kept.get(path)
      if (!bytes) throw new Error(`${path} is not kept here`)
      return bytes
    },
  }
}
