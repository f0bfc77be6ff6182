import type { Hunk } from '../../../contract/semantic-diff.ts'
import { splitBlocks } from '../text/blocks.ts'
import { splitSentences } from '../text/sentences.ts'
import { listWords } from '../text/words.ts'
import { isChanged, type Known } from './known.ts'
import type { countedNouns } from './lexicon.ts'
import type { Statement } from './statement.ts'

/** `item`: of a list with a name. */
type Noun = keyof typeof countedNouns | 'item' | 'other'

/** How many there are. `most` can have been added and removed at most; undefined if code cannot tell. */
type Tally = {
  readonly most: { readonly added: number; readonly removed: number } | undefined
  /** Numbers that a statement without "added" or "removed" may mean. */
  readonly all: readonly number[]
}

/** Counts what a noun names, in the hunks of a statement. */
export function countLike(noun: Noun, statement: Statement): Tally {
  const hunks = statement.hunks.filter((hunk) => !isReworded(hunk))
  const added = hunks.map((hunk) => countSide(hunk, 'after'))
  const removed = hunks.map((hunk) => countSide(hunk, 'before'))
  const sum = (list: readonly Sizes[], size: keyof Sizes): number => list.reduce((total, one) => total + one[size], 0)
  const headings = {
    added: sum(added, 'headings') - sum(removed, 'headings'),
    removed: sum(removed, 'headings') - sum(added, 'headings'),
  }
  if (noun === 'heading') {
    const units = statement.units.map(({ read }) => [read.before.sizes().headings, read.after.sizes().headings])
    const hasSections = units.some(([, after]) => after! > 1)
    const all = units.flatMap(([before, after]) => [
      before!,
      after!,
      before! - 1,
      after! - 1,
      Math.abs(after! - before!),
    ])
    return {
      most: hasSections ? { added: Math.max(0, headings.added), removed: Math.max(0, headings.removed) } : undefined,
      all: hasSections ? all : [],
    }
  }
  const size = noun === 'paragraph' || noun === 'item' ? 'blocks' : 'most'
  const most = { added: sum(added, size), removed: sum(removed, size) }
  if (noun === 'file') return { most: undefined, all: [] }
  // Where scenes have headings, each new scene has one.
  if (noun === 'scene')
    return {
      most:
        headings.added > 0
          ? { ...most, added: headings.added }
          : { added: sum(added, 'blocks'), removed: sum(removed, 'blocks') },
      all: [],
    }
  return { most, all: [] }
}

type Sizes = { readonly headings: number; readonly blocks: number; readonly most: number }

/** A field of JSON counts as one block. */
function countSide(hunk: Hunk, side: 'before' | 'after'): Sizes {
  const { text } = hunk[side]
  if (text === '') return { headings: 0, blocks: 0, most: 0 }
  if (hunk.field !== null)
    return { headings: 0, blocks: 1, most: Math.max(1, splitSentences(text, 0, text.length).length) }
  const blocks = splitBlocks(text, 'markdown')
  const content = blocks.filter(({ kind }) => kind !== 'heading')
  const sentences = content.reduce((sum, { from, to }) => sum + splitSentences(text, from, to).length, 0)
  return { headings: blocks.length - content.length, blocks: content.length, most: Math.max(content.length, sentences) }
}

const leastLikeness = 0.5

/** True if the old and the new side share half of their words: then nothing was added, it was said in other words. */
function isReworded({ before, after }: Pick<Hunk, 'before' | 'after'>): boolean {
  const [old, young] = [new Set(listWords(before.text)), new Set(listWords(after.text))]
  return old.size + young.size > 0 && (2 * old.intersection(young).size) / (old.size + young.size) >= leastLikeness
}

/** All sizes that a number without a noun may mean. */
export function listCounts({ units, hunks }: Statement, { units: all, parts }: Known): ReadonlySet<number> {
  const changed = all.filter(isChanged).length
  const own = parts.filter(({ unit }) => units.some(({ id }) => id === unit))
  return new Set([
    all.length,
    changed,
    all.length - changed,
    units.length,
    hunks.length,
    ...own.flatMap(({ items }) => [items.before.length, items.after.length]),
    ...units.flatMap(({ read }) => [read.before, read.after].flatMap(({ sizes }) => Object.values(sizes()))),
  ])
}
