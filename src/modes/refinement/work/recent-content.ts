import type { Ref } from '../../../contract/values.ts'
import type { Artifacts } from '../../../ports/artifacts.ts'

const mostPieces = 8
const mostBytes = 1 << 20

/**
 * What a loop writes in one step it reads in the next: the last pieces that were kept or read whole stay at hand, and are
 * not read again. What becomes of their files meanwhile is found out by whoever opens the run next.
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

  /** Moves it to the end; what is oldest goes. */
  function keep({ sha256 }: Ref, bytes: Uint8Array): void {
    forget(sha256)
    recent.set(sha256, bytes)
    total += bytes.length
    for (const oldest of recent.keys()) {
      if (recent.size <= mostPieces && total <= mostBytes) return
      forget(oldest)
    }
  }

  function forget(sha256: string): void {
    total -= recent.get(sha256)?.length ?? 0
    recent.delete(sha256)
  }
}
