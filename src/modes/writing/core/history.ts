import type { HistoryEntry } from '../contract/project.ts'

/** An earlier iteration as a prompt shows it. `summary` is missing in the short form. */
export type HistoryLine = {
  readonly feedback: string
  readonly summary?: string
  readonly rejected?: readonly string[]
}

export type Digest = {
  /** Oldest first. */
  readonly lines: readonly HistoryLine[]
  /** The oldest iterations that did not fit at all. */
  readonly omitted: number
}

/**
 * Returns the history for a prompt, oldest first. The full history if it fits; else the newest iterations in full, older ones by their
 * feedback alone, and the oldest only by their number. `entries` are newest first.
 */
export function digestHistory(
  entries: readonly HistoryEntry[],
  { tokens, estimateTokens }: { readonly tokens: number; readonly estimateTokens: (text: string) => number },
): Digest {
  const full = entries.map(toLine)
  if (estimateTokens(JSON.stringify(full)) <= tokens) return { lines: full.toReversed(), omitted: 0 }
  const lines: HistoryLine[] = []
  let left = tokens
  let isShort = false
  for (const entry of entries) {
    const line = toLine(entry)
    // A third of the budget is for the older ones in short form.
    isShort ||= estimateTokens(JSON.stringify(line)) > left - tokens / 3
    const kept = isShort ? { feedback: shorten(entry.feedback) } : line
    const cost = estimateTokens(JSON.stringify(kept))
    if (cost > left) break
    lines.push(kept)
    left -= cost
  }
  return { lines: lines.toReversed(), omitted: entries.length - lines.length }
}

const toLine = ({ feedback, semantic_summary: summary, rejected }: HistoryEntry): HistoryLine => ({
  feedback,
  summary,
  ...(rejected && rejected.length > 0 && { rejected }),
})

const maxShort = 160

const shorten = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= maxShort ? line : `${line.slice(0, maxShort).replace(/\s+\S*$/, '')} …`
}
