/** A stretch of bytes, `end` not included. */
export type Span = { readonly start: number; readonly end: number }

export type Finder = {
  /** Every place where a needle stands, the longest one per place, from left to right. */
  find(bytes: Buffer): Span[]
  /** Where the longest suffix begins that may still grow into a needle; the length of `bytes` when there is none. */
  growing(bytes: Buffer): number
}

/**
 * Wu and Manber's search: looks at two bytes at a time and skips as far as the shortest needle allows, so the cost
 * does not grow with the number of needles.
 */
export function createFinder(needles: readonly Buffer[]): Finder {
  const window = Math.min(...needles.map((needle) => needle.length))
  if (needles.length === 0 || window < 2) return { find: () => [], growing: (bytes) => bytes.length }
  const longest = Math.max(...needles.map((needle) => needle.length))
  const shifts = new Uint16Array(65_536).fill(Math.min(window - 1, 65_535))
  const byWindowEnd = groupBy(needles, (needle) => pairAt(needle, window - 1))
  const byFirst = groupBy(needles, (needle) => needle[0]!)
  for (const needle of needles) {
    for (let at = 1; at < window; at += 1) {
      const pair = pairAt(needle, at)
      shifts[pair] = Math.min(shifts[pair]!, window - 1 - at)
    }
  }

  function find(bytes: Buffer): Span[] {
    const spans: Span[] = []
    for (let at = window - 1; at < bytes.length; ) {
      const shift = shifts[(bytes[at - 1]! << 8) | bytes[at]!]!
      if (shift > 0) {
        at += shift
        continue
      }
      const start = at - window + 1
      const end = longestAt(byWindowEnd.get(pairAt(bytes, at)) ?? [], bytes, start)
      if (end > start) spans.push({ start, end })
      at += 1
    }
    return spans
  }

  function growing(bytes: Buffer): number {
    for (let start = Math.max(0, bytes.length - longest + 1); start < bytes.length; start += 1) {
      const candidates = byFirst.get(bytes[start]!)
      if (candidates?.some((needle) => startsLike(needle, bytes, start))) return start
    }
    return bytes.length
  }

  return { find, growing }
}

function pairAt(bytes: Buffer, last: number): number {
  return (bytes[last - 1]! << 8) | bytes[last]!
}

function longestAt(needles: readonly Buffer[], bytes: Buffer, start: number): number {
  let end = start
  for (const needle of needles) {
    const stop = start + needle.length
    if (stop > end && stop <= bytes.length && bytes.compare(needle, 0, needle.length, start, stop) === 0) end = stop
  }
  return end
}

function startsLike(needle: Buffer, bytes: Buffer, start: number): boolean {
  const length = bytes.length - start
  return length < needle.length && bytes.compare(needle, 0, length, start, bytes.length) === 0
}

function groupBy(needles: readonly Buffer[], keyOf: (needle: Buffer) => number): Map<number, Buffer[]> {
  const groups = new Map<number, Buffer[]>()
  for (const needle of needles) groups.set(keyOf(needle), [...(groups.get(keyOf(needle)) ?? []), needle])
  return groups
}
