import type { Budget } from '../../../../../judging/text/align.ts'
import type { Piece } from '../text/blocks.ts'
import { countWords, listWords } from '../text/words.ts'

/** Pieces of both sides that are shown together, as ranges of their positions in the run. */
export type Part = {
  readonly old: readonly [number, number]
  readonly young: readonly [number, number]
  readonly move: number | undefined
}

type Side = {
  readonly pieces: readonly Piece[]
  readonly outline: { readonly blocks: readonly { readonly kind: string }[] }
  readonly moves: ReadonlyMap<number, number>
}

/** Changed pieces of one block, or of blocks that moved together. */
type Group = {
  readonly from: number
  readonly to: number
  /** Of its first block. */
  readonly kind: string
  readonly words: ReadonlySet<string>
  readonly size: number
  readonly move: number | undefined
}

/** A part of whole paragraphs has at most this many words, unless one paragraph has more. */
const mostWords = 120

/**
 * Divides changed pieces into parts to read: a rewritten paragraph with its successor, or some added or removed paragraphs. Parts are in
 * the order of both texts.
 */
export function pairParts(old: Side, young: Side, budget: Budget): readonly Part[] {
  const [before, after] = [groupPieces(old), groupPieces(young)]
  const parts: (readonly Part[])[] = []
  let [a, b] = [0, 0]
  for (const pair of [...pairSimilar(before, after, budget), { a: before.length, b: after.length }]) {
    parts.push(divideRest(before.slice(a, pair.a), after.slice(b, pair.b)))
    if (pair.a < before.length)
      parts.push([makePart(before.slice(pair.a, pair.a + 1), after.slice(pair.b, pair.b + 1))])
    a = pair.a + 1
    b = pair.b + 1
  }
  return fillPositions(parts.flat(), old.pieces.length, young.pieces.length)
}

function groupPieces({ pieces, outline, moves }: Side): readonly Group[] {
  const groups: Group[] = []
  for (let from = 0; from < pieces.length; ) {
    const { block } = pieces[from]!
    const move = moves.get(block)
    let to = from + 1
    while (
      to < pieces.length &&
      (pieces[to]!.block === block || (move !== undefined && moves.get(pieces[to]!.block) === move))
    )
      to++
    const text = pieces
      .slice(from, to)
      .map(({ key }) => key)
      .join(' ')
    groups.push({
      from,
      to,
      kind: outline.blocks[block]!.kind,
      words: new Set(listWords(text)),
      size: countWords(text),
      move,
    })
    from = to
  }
  return groups
}

const mostComparisons = 2500
const leastSimilarity = 0.3

/** Finds pairs of groups that share words, in order, with the most words shared. Without them if there are too many groups. */
function pairSimilar(
  old: readonly Group[],
  young: readonly Group[],
  budget: Budget,
): readonly { a: number; b: number }[] {
  if (old.length * young.length > mostComparisons || old.length + young.length <= 2) return []
  budget.left -= 50 * old.length * young.length
  const width = young.length + 1
  const best = new Float64Array((old.length + 1) * width)
  const values = new Float64Array(best.length)
  for (let a = old.length - 1; a >= 0; a--) {
    for (let b = young.length - 1; b >= 0; b--) {
      const at = a * width + b
      const value = compareGroups(old[a]!, young[b]!)
      values[at] = value
      const paired = value >= leastSimilarity ? value + best[at + width + 1]! : 0
      best[at] = Math.max(paired, best[at + width]!, best[at + 1]!)
    }
  }
  const pairs: { a: number; b: number }[] = []
  for (let a = 0, b = 0; a < old.length && b < young.length; ) {
    const at = a * width + b
    if (values[at]! >= leastSimilarity && best[at] === values[at]! + best[at + width + 1]!)
      pairs.push({ a: a++, b: b++ })
    else if (best[at] === best[at + width]) a++
    else b++
  }
  return pairs
}

/** From 0 (no common word) to 1. A moved group and a heading beside a paragraph have nothing in common. */
function compareGroups(one: Group, other: Group): number {
  if (one.move !== undefined || other.move !== undefined || (one.kind === 'heading') !== (other.kind === 'heading'))
    return 0
  const total = one.words.size + other.words.size
  return total === 0 ? 0 : (2 * one.words.intersection(other.words).size) / total
}

/** Divides groups that resemble none of the other side. Moved groups stand alone. */
function divideRest(old: readonly Group[], young: readonly Group[]): readonly Part[] {
  const [here, there] = [splitAtMoves(old), splitAtMoves(young)]
  const parts: (readonly Part[])[] = []
  for (let at = 0; at < Math.max(here.length, there.length); at++) {
    parts.push(divideUnlike(here[at]?.groups ?? [], there[at]?.groups ?? []))
    const [gone, come] = [here[at]?.moved, there[at]?.moved]
    if (gone) parts.push([makePart([gone], [])])
    if (come) parts.push([makePart([], [come])])
  }
  return parts.flat()
}

type Stretch = { readonly groups: Group[]; readonly moved?: Group }

function splitAtMoves(groups: readonly Group[]): readonly Stretch[] {
  const stretches: Stretch[] = [{ groups: [] }]
  for (const group of groups) {
    const last = stretches.at(-1)!
    if (group.move === undefined) last.groups.push(group)
    else stretches.splice(-1, 1, { ...last, moved: group }, { groups: [] })
  }
  return stretches
}

/** Each paragraph is shown with the one at the same place. Short passages of different lengths are shown as one replacement. */
function divideUnlike(old: readonly Group[], young: readonly Group[]): readonly Part[] {
  const alone = [...divideAlone(old, 'old'), ...divideAlone(young, 'young')]
  if (old.length === 0 || young.length === 0) return alone
  if (old.length === young.length && old.every(({ kind }, at) => kind === young[at]!.kind))
    return old.map((group, at) => makePart([group], [young[at]!]))
  // A heading or a list does not replace a paragraph: they only happen to stand at the same place.
  if (new Set([...old, ...young].map(({ kind }) => kind)).size > 1) return alone
  if (sumWords(old) <= mostWords && sumWords(young) <= mostWords) return [makePart(old, young)]
  const both = Math.min(old.length, young.length)
  return [
    ...old.slice(0, both).map((group, at) => makePart([group], [young[at]!])),
    ...divideAlone(old.slice(both), 'old'),
    ...divideAlone(young.slice(both), 'young'),
  ]
}

/** A heading begins a part. */
function divideAlone(groups: readonly Group[], side: 'old' | 'young'): readonly Part[] {
  const chunks: Group[][] = []
  let size = 0
  for (const group of groups) {
    size += Math.max(group.size, 1)
    if (chunks.length > 0 && group.kind !== 'heading' && size <= mostWords) chunks.at(-1)!.push(group)
    else {
      chunks.push([group])
      size = Math.max(group.size, 1)
    }
  }
  return chunks.map((chunk) => (side === 'old' ? makePart(chunk, []) : makePart([], chunk)))
}

const sumWords = (groups: readonly Group[]): number => groups.reduce((sum, { size }) => sum + size, 0)

/** An empty side is placed later, by `fillPositions`. */
const makePart = (old: readonly Group[], young: readonly Group[]): Part => ({
  old: [old[0]?.from ?? -1, old.at(-1)?.to ?? -1],
  young: [young[0]?.from ?? -1, young.at(-1)?.to ?? -1],
  move: (old[0] ?? young[0])?.move,
})

/** Gives an empty side the position of the next part. */
function fillPositions(parts: readonly Part[], oldEnd: number, youngEnd: number): readonly Part[] {
  let [a, b] = [oldEnd, youngEnd]
  return parts
    .toReversed()
    .map((part) => {
      const old = part.old[0] < 0 ? ([a, a] as const) : part.old
      const young = part.young[0] < 0 ? ([b, b] as const) : part.young
      ;[a, b] = [old[0], young[0]]
      return { ...part, old, young }
    })
    .toReversed()
}
