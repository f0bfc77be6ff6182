import { useEffect, useState } from 'react'
import type { LogLine } from '../../../src/contract/web.ts'
import { getLog } from '../api.ts'

const chunk = 1000
const maxLines = 40_000

/** All lines of the log with the number of their event, loaded bit by bit. */
export function useEventLines(id: string): readonly LogLine[] {
  const [lines, setLines] = useState<readonly LogLine[]>([])
  useEffect(() => {
    const aborted = new AbortController()
    const load = async (): Promise<void> => {
      const { lines: end, total } = await getLog(id, { from: -1, count: 1 }, aborted.signal)
      const last = end[0]
      let next = last ? last.n - total + 1 : 1
      const all: LogLine[] = []
      while (all.length < Math.min(total, maxLines)) {
        const page = await getLog(id, { from: next, count: chunk }, aborted.signal)
        if (page.lines.length === 0) break
        all.push(...page.lines)
        next = (all.at(-1)?.n ?? next) + 1
        setLines([...all])
      }
    }
    load().catch(() => {
      // Without lines, the slider still steps through the events; their times are then estimates.
    })
    return () => aborted.abort()
  }, [id])
  return lines
}

/** When each event happened: known for those with a line, and estimated between them. */
export function createEventTimes(
  lines: readonly LogLine[],
  { from, to, lastSeq }: { readonly from: number; readonly to: number; readonly lastSeq: number },
) {
  const known = new Map<number, number>([[1, from]])
  for (const { seq, at } of lines) known.set(seq, at)
  if (!known.has(lastSeq)) known.set(lastSeq, to)
  const times = new Float64Array(lastSeq + 1)
  let before = { seq: 1, at: from }
  for (const [seq, at] of [...known].toSorted(([a], [b]) => a - b)) {
    for (let one = before.seq; one <= seq && one <= lastSeq; one += 1) {
      const part = seq === before.seq ? 1 : (one - before.seq) / (seq - before.seq)
      times[one] = before.at + part * (at - before.at)
    }
    before = { seq, at }
  }
  const at = (seq: number): number => times[Math.max(1, Math.min(lastSeq, seq))] ?? from
  /** The last event at or before a moment. */
  const seqAt = (moment: number): number => {
    let [low, high] = [1, lastSeq]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (at(middle) <= moment) low = middle
      else high = middle - 1
    }
    return low
  }
  return { at, seqAt }
}

export type EventTimes = ReturnType<typeof createEventTimes>
