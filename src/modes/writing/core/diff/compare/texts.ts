import { alignItems, type Budget, listPairs } from '../../../../../judging/text/align.ts'
import { type Block, type Format, type Piece, splitBlocks, splitPieces } from '../text/blocks.ts'
import { countWords } from '../text/words.ts'
import { type Part, pairParts } from './parts.ts'

/** A text and its blocks. `changed`: 1 for blocks that have no equal at their place in the other text. */
export type Outline = { readonly text: string; readonly blocks: readonly Block[]; readonly changed: Uint8Array }

export type Outlines = { readonly before: Outline; readonly after: Outline }

/** Characters of one text. `from` to `to` is replaced when the change is undone; `shownFrom` to `shownTo` is what people see. */
export type Range = { readonly from: number; readonly to: number; readonly shownFrom: number; readonly shownTo: number }

/** A change of one place. Spans do not overlap: undoing any of them leaves a whole text. */
export type Span = {
  readonly before: Range
  readonly after: Range
  readonly granularity: 'line' | 'sentence'
  /** Number of the move that it is one end of. */
  readonly move: number | undefined
}

/** For each block that was moved, the number of the move. Blocks next to each other that moved together share a number. */
export type Moves = { readonly before: ReadonlyMap<number, number>; readonly after: ReadonlyMap<number, number> }

/** Aligns the blocks of two texts. Undefined if that takes too many steps. */
export function outlineTexts(before: string, after: string, format: Format, budget: Budget): Outlines | undefined {
  const [old, young] = [splitBlocks(before, format), splitBlocks(after, format)]
  const found = alignItems(
    old.map(({ key }) => key),
    young.map(({ key }) => key),
    budget,
  )
  if (!found) return undefined
  return {
    before: { text: before, blocks: old, changed: found.removed },
    after: { text: after, blocks: young, changed: found.added },
  }
}

/** Finds what changed in the blocks that have no equal. Undefined if that takes too many steps. */
export function findSpans({ before, after }: Outlines, moves: Moves, budget: Budget): readonly Span[] | undefined {
  const spans: (readonly Span[])[] = []
  let [a, b] = [0, 0]
  while (a < before.blocks.length || b < after.blocks.length) {
    const [from, other] = [a, b]
    while (before.changed[a] === 1) a++
    while (after.changed[b] === 1) b++
    if (a > from || b > other) {
      const found = compareGap(takeGap(before, from, a, moves.before), takeGap(after, other, b, moves.after), budget)
      if (!found) return undefined
      spans.push(found)
    }
    a++
    b++
  }
  return spans.flat()
}

/** Changed blocks in a row. `start` is the end of the block before them, `end` the start of the block after them. */
type Gap = {
  readonly outline: Outline
  readonly pieces: readonly Piece[]
  readonly start: number
  readonly end: number
  readonly moves: ReadonlyMap<number, number>
}

function takeGap(outline: Outline, from: number, to: number, moves: ReadonlyMap<number, number>): Gap {
  const { text, blocks } = outline
  const pieces = blocks.slice(from, to).flatMap((block, index) => splitPieces(text, block, from + index))
  return { outline, pieces, start: blocks[from - 1]?.to ?? 0, end: blocks[to]?.from ?? text.length, moves }
}

/** Pairs of equal pieces divide the gap into runs of changed pieces. */
function compareGap(old: Gap, young: Gap, budget: Budget): readonly Span[] | undefined {
  const pairs = findPairs(old, young, budget)
  if (!pairs) return undefined
  const spans: (readonly Span[])[] = []
  let last: Pair = { a: -1, b: -1 }
  for (const next of [...pairs, { a: old.pieces.length, b: young.pieces.length }]) {
    const run = { a: last.a + 1, aEnd: next.a, b: last.b + 1, bEnd: next.b }
    if (run.a < run.aEnd || run.b < run.bEnd) spans.push(splitRun(old, young, run, budget))
    else if (isBreak(old, run.a) !== isBreak(young, run.b)) spans.push([showBreak(old, young, run)])
    last = next
  }
  return spans.flat()
}

type Pair = { readonly a: number; readonly b: number }
type Run = { readonly a: number; readonly aEnd: number; readonly b: number; readonly bEnd: number }

function findPairs(old: Gap, young: Gap, budget: Budget): readonly Pair[] | undefined {
  const found = alignItems(listKeys(old, 'before'), listKeys(young, 'after'), budget)
  if (!found) return undefined
  return dropWeakPairs(listPairs(found), old, young)
}

/** A block that was moved has no partner here. */
const listKeys = ({ pieces, moves }: Gap, side: string): readonly string[] =>
  pieces.map(({ key, block }, index) => (moves.has(block) ? `${side} ${index}\0moved` : key))

const fewWords = 3
const manyWords = 20

/** A "No." between two passages that were rewritten at length does not hold them apart: the same word is a coincidence. */
function dropWeakPairs(pairs: readonly Pair[], old: Gap, young: Gap): readonly Pair[] {
  const kept: (readonly Pair[])[] = []
  let last: Pair = { a: -1, b: -1 }
  for (let at = 0; at < pairs.length; ) {
    let end = at + 1
    while (end < pairs.length && pairs[end]!.a === pairs[end - 1]!.a + 1 && pairs[end]!.b === pairs[end - 1]!.b + 1)
      end++
    const run = pairs.slice(at, end)
    const next = pairs[end] ?? { a: old.pieces.length, b: young.pieces.length }
    const isWeak =
      countPieces(old, run[0]!.a - 1, run.at(-1)!.a + 1, fewWords) < fewWords &&
      isRewritten(old, last.a, run[0]!.a) &&
      isRewritten(young, last.b, run[0]!.b) &&
      isRewritten(old, run.at(-1)!.a, next.a) &&
      isRewritten(young, run.at(-1)!.b, next.b)
    if (!isWeak) kept.push(run)
    last = run.at(-1)!
    at = end
  }
  return kept.flat()
}

const isRewritten = (gap: Gap, above: number, below: number): boolean =>
  countPieces(gap, above, below, manyWords) >= manyWords

/** Counts the words of the pieces between two positions, up to a number that is enough. */
function countPieces({ pieces }: Gap, above: number, below: number, enough: number): number {
  let count = 0
  for (let at = above + 1; at < below && count < enough; at++) count += countWords(pieces[at]!.key)
  return count
}

/** True if a new block begins at this piece. */
const isBreak = ({ pieces }: Gap, at: number): boolean => pieces[at - 1]?.block !== pieces[at]?.block

/** A paragraph was divided, or two were joined. Shows the sentences before and after the break. */
function showBreak(old: Gap, young: Gap, { a, b }: Run): Span {
  const show = ({ pieces }: Gap, at: number): Range => {
    const [above, below] = [pieces[at - 1]!, pieces[at]!]
    return { from: above.to, to: below.from, shownFrom: above.from, shownTo: below.to }
  }
  return { before: show(old, a), after: show(young, b), granularity: 'line', move: undefined }
}

/** Divides a run of changed pieces so that each span is short enough to read. */
function splitRun(old: Gap, young: Gap, run: Run, budget: Budget): readonly Span[] {
  const [before, after] = [old.pieces.slice(run.a, run.aEnd), young.pieces.slice(run.b, run.bEnd)]
  const parts = pairParts({ ...old, pieces: before }, { ...young, pieces: after }, budget)
  const [starts, others] = [
    listStarts(old, run.a, before, parts, 'old'),
    listStarts(young, run.b, after, parts, 'young'),
  ]
  return parts.map((part, index) => ({
    before: showRange(before.slice(...part.old), starts[index]!, starts[index + 1]!),
    after: showRange(after.slice(...part.young), others[index]!, others[index + 1]!),
    granularity:
      isInParagraph(old, before.slice(...part.old)) && isInParagraph(young, after.slice(...part.young))
        ? 'sentence'
        : 'line',
    move: part.move,
  }))
}

/**
 * Returns where each part begins, and the end of the last. The whitespace before a part belongs to the part above, so that any choice
 * of old and new parts has whitespace between them.
 */
function listStarts(
  gap: Gap,
  at: number,
  pieces: readonly Piece[],
  parts: readonly Part[],
  side: 'old' | 'young',
): readonly number[] {
  const end = gap.pieces[at + pieces.length]?.from ?? gap.end
  const starts = parts.map((part) => pieces[part[side][0]]?.from ?? end)
  return [gap.pieces[at - 1]?.to ?? gap.start, ...starts.slice(1), end]
}

const showRange = (pieces: readonly Piece[], from: number, to: number): Range => ({
  from,
  to,
  shownFrom: pieces[0]?.from ?? from,
  shownTo: pieces.at(-1)?.to ?? from,
})

const isInParagraph = ({ outline }: Gap, pieces: readonly Piece[]): boolean =>
  pieces.every(({ block }) => block === pieces[0]!.block && outline.blocks[block]!.kind !== 'heading') &&
  (pieces.length === 0 || !isWholeLine(outline.blocks[pieces[0]!.block]!, pieces))

/** True if the pieces are one line that was not divided into sentences. */
const isWholeLine = (block: Block, pieces: readonly Piece[]): boolean =>
  block.kind === 'line' && pieces.length === 1 && pieces[0]!.from === block.from && pieces[0]!.to === block.to
