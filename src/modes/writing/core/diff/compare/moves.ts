import { collapseSpaces } from '../../../../../judging/scoring/text-similarity.ts'
import type { Hunk } from '../../../contract/semantic-diff.ts'
import { countWords } from '../text/words.ts'
import type { Moves, Outline, Outlines } from './texts.ts'

// Moves are under-reported on purpose. A passage that was moved and edited, or that occurs twice, is shown as removed and added.

/** Fewer equal words may be a coincidence. */
const leastWords = 8

type Place = { readonly unit: number; readonly block: number }

/** Finds changed blocks that stand, word for word, at another place of any unit. */
export function findMoves(units: readonly (Outlines | undefined)[]): readonly Moves[] {
  const moves = units.map(() => ({ before: new Map<number, number>(), after: new Map<number, number>() }))
  const old = indexChanged(units.map((unit) => unit?.before))
  const young = indexChanged(units.map((unit) => unit?.after))
  let number = 0
  for (const [key, from] of old) {
    const to = young.get(key)
    if (from === null || to === undefined || to === null) continue
    if (moves[from.unit]!.before.has(from.block)) continue
    const [here, there] = [units[from.unit]!.before, units[to.unit]!.after]
    const length = measureMove(here, from.block, there, to.block)
    const start = measureBack(here, from.block, there, to.block)
    const blocks = here.blocks.slice(from.block - start, from.block + length)
    if (countWords(blocks.map((block) => block.key).join(' ')) < leastWords) continue
    for (let at = -start; at < length; at++) {
      moves[from.unit]!.before.set(from.block + at, number)
      moves[to.unit]!.after.set(to.block + at, number)
    }
    number += 1
  }
  return moves
}

/** Where each changed block is, by its key; null if there are several. */
function indexChanged(outlines: readonly (Outline | undefined)[]): ReadonlyMap<string, Place | null> {
  const index = new Map<string, Place | null>()
  for (const [unit, outline] of outlines.entries()) {
    outline?.blocks.forEach(({ key }, block) => {
      if (outline.changed[block] === 1) index.set(key, index.has(key) ? null : { unit, block })
    })
  }
  return index
}

/** Returns how many blocks, from these two on, are changed and equal. */
function measureMove(old: Outline, a: number, young: Outline, b: number): number {
  let length = 0
  while (isMoved(old, a + length, young, b + length)) length += 1
  return length
}

function measureBack(old: Outline, a: number, young: Outline, b: number): number {
  let length = 0
  while (isMoved(old, a - length - 1, young, b - length - 1)) length += 1
  return length
}

const isMoved = (old: Outline, a: number, young: Outline, b: number): boolean =>
  old.changed[a] === 1 && young.changed[b] === 1 && old.blocks[a]!.key === young.blocks[b]!.key

/** Links hunks that only remove with hunks that only add the same words, such as a sentence that went to another paragraph. */
export function linkMoves(hunks: readonly Hunk[]): readonly Hunk[] {
  const removed = indexTexts(hunks, 'before', 'after')
  const added = indexTexts(hunks, 'after', 'before')
  const partners = new Map<string, string>()
  for (const [text, from] of removed) {
    const to = added.get(text)
    if (from !== null && to !== undefined && to !== null) partners.set(from, to).set(to, from)
  }
  return hunks.map((hunk) => (partners.has(hunk.id) ? { ...hunk, moved: partners.get(hunk.id)! } : hunk))
}

/** From each text to its hunk; null if there are several. */
function indexTexts(hunks: readonly Hunk[], full: 'before' | 'after', empty: 'before' | 'after') {
  const index = new Map<string, string | null>()
  for (const hunk of hunks) {
    if (hunk.moved !== null || hunk[empty].text !== '') continue
    if ((full === 'before' ? hunk.words_before : hunk.words_after) < leastWords) continue
    const text = collapseSpaces(hunk[full].text)
    index.set(text, index.has(text) ? null : hunk.id)
  }
  return index
}
