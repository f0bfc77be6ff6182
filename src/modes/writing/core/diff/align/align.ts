import { type Box, type Budget, createSplitter, roughRoot } from './split.ts'

/** 1 for each item without a partner on the other side. The others are equal, in order. */
export type Alignment = { readonly removed: Uint8Array; readonly added: Uint8Array }

/**
 * Finds a short list of removed and added items. Undefined if it takes too many steps. It makes the same choices as `git diff`, which
 * does not always find the shortest list: items that are everywhere, such as empty lines, do not hold a rewritten text together.
 */
export function alignItems(before: readonly string[], after: readonly string[], budget: Budget): Alignment | undefined {
  const result = { removed: new Uint8Array(before.length), added: new Uint8Array(after.length) }
  const { old, young, counts } = numberItems(before, after)
  let start = 0
  while (start < old.length && start < young.length && old[start] === young[start]) start++
  let tail = 0
  const most = Math.min(old.length, young.length) - start
  while (tail < most && old[old.length - 1 - tail] === young[young.length - 1 - tail]) tail++
  budget.left -= old.length + young.length
  const here = keepUseful(old, start, old.length - tail, counts.young, result.removed)
  const there = keepUseful(young, start, young.length - tail, counts.old, result.added)
  const done = markChanged(
    { items: Int32Array.from(here, (at) => old[at]!), changed: (at) => mark(result.removed, here[at]!) },
    { items: Int32Array.from(there, (at) => young[at]!), changed: (at) => mark(result.added, there[at]!) },
    budget,
  )
  return done ? result : undefined
}

/** Lists the positions of the items that have a partner. */
export function listPairs({ removed, added }: Alignment): readonly { readonly a: number; readonly b: number }[] {
  const pairs: { a: number; b: number }[] = []
  for (let a = 0, b = 0; a < removed.length && b < added.length; ) {
    if (removed[a] === 1) a++
    else if (added[b] === 1) b++
    else pairs.push({ a: a++, b: b++ })
  }
  return pairs
}

const mark = (flags: Uint8Array, at: number): void => {
  flags[at] = 1
}

type Numbered = {
  readonly old: Int32Array
  readonly young: Int32Array
  /** How often each number occurs on a side. */
  readonly counts: { readonly old: readonly number[]; readonly young: readonly number[] }
}

function numberItems(before: readonly string[], after: readonly string[]): Numbered {
  const numbers = new Map<string, number>()
  const counts = { old: [] as number[], young: [] as number[] }
  const toNumbers = (items: readonly string[], side: 'old' | 'young'): Int32Array =>
    Int32Array.from(items, (item) => {
      let number = numbers.get(item)
      if (number === undefined) {
        number = numbers.size
        numbers.set(item, number)
        counts.old.push(0)
        counts.young.push(0)
      }
      counts[side][number]! += 1
      return number
    })
  return { old: toNumbers(before, 'old'), young: toNumbers(after, 'young'), counts }
}

const [unmatched, matched, frequent] = [0, 1, 2]
const mostFrequent = 1024

/**
 * Returns the positions that are worth comparing. An item without an equal on the other side is changed at once. So is an item with very
 * many equals in the middle of unmatched ones.
 */
function keepUseful(
  items: Int32Array,
  from: number,
  to: number,
  equals: readonly number[],
  changed: Uint8Array,
): readonly number[] {
  const many = Math.min(roughRoot(items.length), mostFrequent)
  const kinds = new Uint8Array(items.length)
  for (let at = from; at < to; at++) {
    const count = equals[items[at]!]!
    kinds[at] = count === 0 ? unmatched : count >= many ? frequent : matched
  }
  const kept: number[] = []
  for (let at = from; at < to; at++) {
    const useful = kinds[at] === matched || (kinds[at] === frequent && !isAmongUnmatched(kinds, at, from, to))
    if (useful) kept.push(at)
    else changed[at] = 1
  }
  return kept
}

/** So far is looked around an item. */
const window = 100

/** True if, between the nearest matched items, more than three quarters are unmatched, with some on either side. */
function isAmongUnmatched(kinds: Uint8Array, at: number, from: number, to: number): boolean {
  const look = (step: 1 | -1) => {
    const found = { lonely: 0, frequent: 1 }
    for (let next = at + step; next >= from && next < to && Math.abs(next - at) <= window; next += step) {
      if (kinds[next] === matched) break
      if (kinds[next] === unmatched) found.lonely += 1
      else found.frequent += 1
    }
    return found
  }
  const [above, below] = [look(-1), look(1)]
  if (above.lonely === 0 || below.lonely === 0) return false
  const usual = above.frequent + below.frequent
  return 4 * usual < usual + above.lonely + below.lonely
}

type Side = { readonly items: Int32Array; readonly changed: (at: number) => void }

/** Divides both sides until one is empty. Returns false if the budget is spent. */
function markChanged(one: Side, other: Side, budget: Budget): boolean {
  const split = createSplitter(one.items, other.items, budget)
  const boxes: Box[] = [{ a: 0, aEnd: one.items.length, b: 0, bEnd: other.items.length, exact: false }]
  for (let box = boxes.pop(); box !== undefined; box = boxes.pop()) {
    let { a, aEnd, b, bEnd } = box
    while (a < aEnd && b < bEnd && one.items[a] === other.items[b]) {
      a++
      b++
    }
    while (a < aEnd && b < bEnd && one.items[aEnd - 1] === other.items[bEnd - 1]) {
      aEnd--
      bEnd--
    }
    budget.left -= box.aEnd - aEnd + a - box.a + 1
    if (budget.left < 0) return false
    if (a === aEnd) while (b < bEnd) other.changed(b++)
    else if (b === bEnd) while (a < aEnd) one.changed(a++)
    else {
      const at = split({ a, aEnd, b, bEnd, exact: box.exact })
      boxes.push({ a: at.a, aEnd, b: at.b, bEnd, exact: at.exactAfter })
      boxes.push({ a, aEnd: at.a, b, bEnd: at.b, exact: at.exactBefore })
    }
  }
  return true
}
