/** A text that may help: a context file or the result of an earlier phase. */
export type Piece = { readonly label: string; readonly text: string }

export type Pruned = { readonly pieces: readonly Piece[]; readonly prunedTokens: number }

type Room = {
  readonly tokens: number
  /** The subject that passages are compared with. */
  readonly about: string
  readonly estimateTokens: (text: string) => number
  /** After this time, relevance is no longer computed. */
  readonly deadline: number
  readonly elapsed: () => number
}

/** Selects the passages that fit by relevance (0.7) and recency (0.3), and keeps their order. Newest pieces come last. */
export function pruneText(pieces: readonly Piece[], room: Room): Pruned {
  const sized = pieces.flatMap(({ label, text }, piece) =>
    splitPassages(text).map((passage) => ({ label, piece, passage, tokens: room.estimateTokens(passage) })),
  )
  const total = sized.reduce((sum, { tokens }) => sum + tokens, 0)
  if (total <= room.tokens) return { pieces: pieces.filter(({ text }) => text !== ''), prunedTokens: 0 }
  const wanted = splitWords(room.about)
  const weighed = sized.map((one, index) => {
    const late = room.elapsed() > room.deadline
    const relevance = late ? 0 : overlap(splitWords(one.passage), wanted)
    return { ...one, index, weight: 0.7 * relevance + 0.3 * ((one.piece + 1) / pieces.length) }
  })
  let left = room.tokens
  const kept = new Set<number>()
  for (const { index, tokens } of weighed.toSorted((a, b) => b.weight - a.weight || b.index - a.index)) {
    if (tokens > left) continue
    left -= tokens
    kept.add(index)
  }
  return {
    pieces: pieces.flatMap(({ label }, piece) => {
      const own = weighed.filter((one) => one.piece === piece)
      const text = joinPassages(own.map(({ index, passage }) => (kept.has(index) ? passage : undefined)))
      return text === '' ? [] : [{ label, text }]
    }),
    prunedTokens: total - (room.tokens - left),
  }
}

/** Splits a text into paragraphs, and long paragraphs into parts. */
function splitPassages(text: string): string[] {
  const paragraphs = text.split(/\n{2,}/).filter((paragraph) => paragraph.trim() !== '')
  return paragraphs.flatMap((paragraph) => {
    const parts: string[] = []
    for (let at = 0; at < paragraph.length; at += maxPassageLength)
      parts.push(paragraph.slice(at, at + maxPassageLength))
    return parts
  })
}
const maxPassageLength = 2000

/** Joins passages, with one mark for all that are left out in a row. */
function joinPassages(passages: readonly (string | undefined)[]): string {
  if (passages.every((passage) => passage === undefined)) return ''
  const shown: string[] = []
  for (const passage of passages) {
    if (passage !== undefined) shown.push(passage)
    else if (shown.at(-1) !== omissionMark) shown.push(omissionMark)
  }
  return shown.join('\n\n')
}
const omissionMark = '[…]'

const splitWords = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [])

/** Cosine similarity of two sets of words. */
function overlap(words: ReadonlySet<string>, wanted: ReadonlySet<string>): number {
  if (wanted.size === 0 || words.size === 0) return 0
  let both = 0
  for (const word of words) if (wanted.has(word)) both += 1
  return both / Math.sqrt(wanted.size * words.size)
}
