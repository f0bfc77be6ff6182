import { createFinder, type Finder, type Span } from './finder.ts'
import { findKeys, heads } from './patterns.ts'
import { spellingsOf } from './secrets.ts'

/** Masks one stream. Contract: what comes out does not depend on how the stream was cut into chunks. */
export type Mask = {
  write(chunk: Buffer): Buffer
  /** What was still held back. */
  end(): Buffer
}

/** Compiles the secrets once; every stream takes a fresh mask. */
export function createMaskFactory(secrets: readonly string[]): () => Mask {
  const values = createFinder(spellingsOf(secrets))
  return () => createMask(values)
}

const replacement = Buffer.from('[secret]')
const nothing = Buffer.alloc(0)
const partialHeads = createFinder(heads)

function createMask(values: Finder): Mask {
  // Bytes that are not decided yet. The first `shown` of them are out already: they are what stands to the left.
  let held: Buffer = nothing
  let shown = 0
  let endedInSecret = false
  let openRun: RegExp | null = null

  function advance(chunk: Buffer, last: boolean): Buffer {
    const bytes = held.length > 0 ? Buffer.concat([held, chunk]) : chunk
    const text = bytes.toString('latin1')
    const keys = findKeys(text)
    const runEnd = openRun ? shown + openRun.exec(text.slice(shown))![0].length : 0
    const spans = merge([{ start: 0, end: runEnd }, ...values.find(bytes), ...keys.spans])
    const growing = Math.min(values.growing(bytes), keys.growing, partialHeads.growing(bytes))
    const output = show(bytes, spans, last ? bytes.length : growing)
    const reachesEnd = keys.open ?? (runEnd === bytes.length ? openRun : null)
    openRun = shown === held.length ? reachesEnd : null
    return output
  }

  function show(bytes: Buffer, spans: readonly Span[], growing: number): Buffer {
    const parts: Buffer[] = []
    const cut = Math.max(growing, shown)
    let at = shown
    for (const { start, end } of spans) {
      if (end <= shown) continue
      if (start >= cut) break
      if (start > at) parts.push(bytes.subarray(at, start))
      // A secret that overlaps or touches one shown before has its mark already.
      if (start > shown || !endedInSecret) parts.push(replacement)
      at = end
      endedInSecret = true
    }
    if (at < cut) {
      parts.push(bytes.subarray(at, cut))
      at = cut
      endedInSecret = false
    }
    const keepFrom = Math.max(0, growing - 1)
    held = Buffer.from(bytes.subarray(keepFrom))
    shown = at - keepFrom
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts)
  }

  return { write: (chunk) => advance(chunk, false), end: () => advance(nothing, true) }
}

/** Overlapping and touching spans become one. */
function merge(spans: Span[]): Span[] {
  const merged: Span[] = []
  for (const span of spans.filter(({ start, end }) => end > start).sort((a, b) => a.start - b.start)) {
    const before = merged.at(-1)
    if (before && span.start <= before.end) {
      merged[merged.length - 1] = { start: before.start, end: Math.max(before.end, span.end) }
    } else merged.push(span)
  }
  return merged
}
