import { diffArrays } from 'diff'

/** Steps that a comparison may still take. They are counted instead of timed, so that the same texts always give the same result. */
export type Budget = { left: number }

/** 1 for each item without a partner on the other side. The others are equal, in order. */
export type Alignment = { readonly removed: Uint8Array; readonly added: Uint8Array }

export type Pair = { readonly a: number; readonly b: number }

/**
 * Finds items that both sides have in the same order, and with them a short list of removed and added items. Undefined if it takes too
 * many steps. Items that each side has only once are paired first, because two of them are rarely equal by accident. Items that are
 * everywhere, such as empty lines, are paired only between those.
 */
export function alignItems(before: readonly string[], after: readonly string[], budget: Budget): Alignment | undefined {
  const result = { removed: new Uint8Array(before.length).fill(1), added: new Uint8Array(after.length).fill(1) }
  const { old, young } = numberItems(before, after)
  const boxes: Box[] = [{ a: 0, aEnd: old.length, b: 0, bEnd: young.length }]
  const pair = (a: number, b: number): void => {
    result.removed[a] = 0
    result.added[b] = 0
  }
  for (let box = boxes.pop(); box !== undefined; box = boxes.pop()) {
    budget.left -= box.aEnd - box.a + box.bEnd - box.b
    if (budget.left < 0) return undefined
    const inner = pairEnds(box, old, young, pair)
    if (inner.a === inner.aEnd || inner.b === inner.bEnd) continue
    const anchors = findAnchors(inner, old, young)
    if (anchors.length === 0) pairRest(inner, old, young, pair, budget)
    let { a, b } = inner
    for (const anchor of anchors) {
      pair(anchor.a, anchor.b)
      boxes.push({ a, aEnd: anchor.a, b, bEnd: anchor.b })
      a = anchor.a + 1
      b = anchor.b + 1
    }
    if (anchors.length > 0) boxes.push({ a, aEnd: inner.aEnd, b, bEnd: inner.bEnd })
  }
  return result
}

/** Lists the positions of the items that have a partner. */
export function listPairs({ removed, added }: Alignment): readonly Pair[] {
  const pairs: Pair[] = []
  for (let a = 0, b = 0; a < removed.length && b < added.length; ) {
    if (removed[a] === 1) a++
    else if (added[b] === 1) b++
    else pairs.push({ a: a++, b: b++ })
  }
  return pairs
}

/** A part of both sides. */
type Box = { readonly a: number; readonly aEnd: number; readonly b: number; readonly bEnd: number }

type TakePair = (a: number, b: number) => void

/** Equal items get equal numbers. */
function numberItems(before: readonly string[], after: readonly string[]) {
  const numbers = new Map<string, number>()
  const toNumbers = (items: readonly string[]): Int32Array =>
    Int32Array.from(items, (item) => {
      const known = numbers.get(item)
      if (known !== undefined) return known
      numbers.set(item, numbers.size)
      return numbers.size - 1
    })
  return { old: toNumbers(before), young: toNumbers(after) }
}

/** Pairs equal items at the start and at the end. Returns what is left between them. */
function pairEnds(box: Box, old: Int32Array, young: Int32Array, pair: TakePair): Box {
  let { a, aEnd, b, bEnd } = box
  while (a < aEnd && b < bEnd && old[a] === young[b]) pair(a++, b++)
  while (a < aEnd && b < bEnd && old[aEnd - 1] === young[bEnd - 1]) pair(--aEnd, --bEnd)
  return { a, aEnd, b, bEnd }
}

/** Finds the longest list of items, in the order of both sides, that each side has exactly once. */
function findAnchors({ a, aEnd, b, bEnd }: Box, old: Int32Array, young: Int32Array): readonly Pair[] {
  const inOld = findSingles(old, a, aEnd)
  const inYoung = findSingles(young, b, bEnd)
  const common: Pair[] = []
  for (const [number, at] of inOld) {
    const partner = inYoung.get(number)
    if (at >= 0 && partner !== undefined && partner >= 0) common.push({ a: at, b: partner })
  }
  return takeLongestRise(common)
}

/** The position of each number; -1 if it occurs more than once. In the order of first occurrence. */
function findSingles(items: Int32Array, from: number, to: number): ReadonlyMap<number, number> {
  const places = new Map<number, number>()
  for (let at = from; at < to; at++) places.set(items[at]!, places.has(items[at]!) ? -1 : at)
  return places
}

/** `pairs` rise in `a`. Returns the most of them that also rise in `b`. */
function takeLongestRise(pairs: readonly Pair[]): readonly Pair[] {
  type Link = { readonly pair: Pair; readonly above: Link | undefined }
  /** At each index, the list of this length (less one) that ends lowest. */
  const ends: Link[] = []
  for (const pair of pairs) {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (ends[middle]!.pair.b < pair.b) low = middle + 1
      else high = middle
    }
    ends[low] = { pair, above: ends[low - 1] }
  }
  const rise: Pair[] = []
  for (let link = ends.at(-1); link; link = link.above) rise.push(link.pair)
  return rise.reverse()
}

/** Pairs what it can with the fewest changes. Where that takes too many steps, nothing in the box has a partner. */
function pairRest({ a, aEnd, b, bEnd }: Box, old: Int32Array, young: Int32Array, pair: TakePair, budget: Budget): void {
  const [mine, theirs] = [[...old.subarray(a, aEnd)], [...young.subarray(b, bEnd)]]
  const size = mine.length + theirs.length
  // A search for `n` changes takes up to n * n steps, and compares each item up to n times.
  const mostChanges = Math.floor(Math.min(size, Math.sqrt(budget.left / 4), (4 * budget.left) / size))
  const parts = diffArrays(mine, theirs, { maxEditLength: mostChanges })
  const changes = parts?.reduce((sum, part) => sum + (part.added || part.removed ? part.count : 0), 0) ?? mostChanges
  budget.left -= changes * changes
  let [at, other] = [a, b]
  for (const { added, removed, count } of parts ?? []) {
    if (removed) at += count
    else if (added) other += count
    else for (let index = 0; index < count; index++) pair(at++, other++)
  }
}
