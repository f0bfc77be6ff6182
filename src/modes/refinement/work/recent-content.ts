import type { Ref } from '../../../contract/values.ts'
import type { Artifacts } from '../../../ports/artifacts.ts'

const maxPieces = 8
const maxBytes = 1 << 20

/**
 * Caches the last pieces written or read, because each step reads what the one before wrote. A file that is damaged
 * meanwhile is noticed when the run is opened again.
 */
export function keepRecent({ put, get }: Pick<Artifacts, 'put' | 'get'>): Pick<Artifacts, 'put' | 'get'> {
  const recent = new Map<string, Uint8Array>()
  let total = 0

  return {
    async put(name, content) {
      const bytes = typeof content === 'string' ? Buffer.from(content) : content
      const ref = await put(name, bytes)
      if (ref) keep(ref, bytes)
      return ref
    },
    async get(ref) {
      const bytes = recent.get(ref.sha256) ?? (await get(ref))
      keep(ref, bytes)
      return bytes
    },
  }

  /** Moves the piece to the end and drops the oldest ones. */
  function keep({ sha256 }: Ref, bytes: Uint8Array): void {
    forget(sha256)
    recent.set(sha256, bytes)
    total += bytes.length
    for (const oldest of recent.keys()) {
      if (recent.size <= maxPieces && total <= maxBytes) return
      forget(oldest)
    }
  }

  function forget(sha256: string): void {
    total -= recent.get(sha256)?.length ?? 0
    recent.delete(sha256)
  }
}
