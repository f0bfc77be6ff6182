/** The last `capacity` bytes of a stream, in a ring that never grows. */
export type Tail = { push(bytes: Buffer): void; text(): string }

export function createTail(capacity: number): Tail {
  let ring: Buffer | null = null
  let total = 0

  function push(bytes: Buffer): void {
    ring ??= Buffer.allocUnsafe(capacity)
    const kept = bytes.subarray(Math.max(0, bytes.length - capacity))
    const at = (total + bytes.length - kept.length) % capacity
    const first = kept.copy(ring, at)
    kept.copy(ring, 0, first)
    total += bytes.length
  }

  function text(): string {
    if (!ring) return ''
    if (total <= capacity) return ring.toString('utf8', 0, total)
    const at = total % capacity
    return withoutTornStart(Buffer.concat([ring.subarray(at), ring.subarray(0, at)])).toString('utf8')
  }

  return { push, text }
}

/** The cut may have fallen inside a UTF-8 character; its continuation bytes mean nothing alone. */
function withoutTornStart(bytes: Buffer): Buffer {
  let start = 0
  while (start < 3 && (bytes[start]! & 0xc0) === 0x80) start += 1
  return bytes.subarray(start)
}
