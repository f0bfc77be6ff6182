import { collapseSpaces } from '../../../../../judging/scoring/text-similarity.ts'
import { splitSentences } from './sentences.ts'
import { countWords } from './words.ts'

/** A paragraph, a heading, an item of a list, a row of a table, a line of code. Empty lines are only between blocks. */
export type Block = {
  readonly kind: 'heading' | 'prose' | 'line'
  /** Positions in the text. */
  readonly from: number
  readonly to: number
  /** Equal for blocks that say the same: without differences of whitespace. */
  readonly key: string
}

/** What is compared in a changed block: a sentence, or the block itself. */
export type Piece = {
  readonly from: number
  readonly to: number
  readonly key: string
  /** Number of its block. */
  readonly block: number
}

/** `lines`: any text, in which each line is a block. */
export type Format = 'markdown' | 'lines'

/** Splits a text with LF line ends. */
export function splitBlocks(text: string, format: Format): readonly Block[] {
  const blocks: Block[] = []
  let open: { kind: Block['kind']; from: number; to: number } | undefined
  let fence: string | undefined
  const close = (): void => {
    if (open) blocks.push({ ...open, key: makeKey(text.slice(open.from, open.to), open.kind) })
    open = undefined
  }
  for (let from = 0; from < text.length; ) {
    const newline = text.indexOf('\n', from)
    const next = newline < 0 ? text.length : newline
    const line = text.slice(from, next).trimEnd()
    const to = from + line.length
    const mark = fenceMark.exec(line)?.[1]
    const shape: Shape = format === 'lines' || fence !== undefined || mark ? 'code' : readShape(line)
    if (mark && format === 'markdown') fence = fence === undefined ? mark : mark.startsWith(fence) ? undefined : fence
    if (line === '') close()
    else if (shape === 'underline' && open?.kind === 'prose' && !text.slice(open.from, open.to).includes('\n')) {
      open = { kind: 'heading', from: open.from, to }
      close()
    } else if (shape === 'more' && open) open.to = to
    else {
      close()
      open = { kind: kinds[shape], from, to }
      // Nothing continues these.
      if (shape !== 'item' && shape !== 'label' && shape !== 'more') close()
    }
    from = next + 1
  }
  close()
  return blocks
}

/** What a line looks like. `more` continues a block or begins a paragraph. */
type Shape = 'heading' | 'underline' | 'item' | 'label' | 'row' | 'code' | 'more'

const kinds: Readonly<Record<Shape, Block['kind']>> = {
  heading: 'heading',
  underline: 'line',
  item: 'line',
  label: 'line',
  row: 'line',
  code: 'line',
  more: 'prose',
}

const fenceMark = /^ {0,3}(`{3,}|~{3,})/
/** `Tone: dark` or `**Tone**: dark`: a line of its own, even without an empty line before it. */
const label = /^\s*(?:\*\*|__)?\p{Lu}[\p{L}\p{N} /&'’()-]{0,40}(?:\*\*|__)?:(?:\*\*|__)?(?:\s|$)/u

function readShape(line: string): Shape {
  if (/^ {0,3}#{1,6}(?:\s|$)/.test(line)) return 'heading'
  if (/^ {0,3}(?:=+|-+)\s*$/.test(line)) return 'underline'
  if (/^\s*(?:[-*+]|\d{1,9}[.)])\s/.test(line)) return 'item'
  if (/^\s*\|/.test(line) || /^ {0,3}(?:\*\s*){3,}$/.test(line)) return 'row'
  return label.test(line) ? 'label' : 'more'
}

/** The indentation of a list and of code has a meaning; the whitespace of a paragraph has none. */
function makeKey(source: string, kind: Block['kind']): string {
  const text = collapseSpaces(source)
  return kind === 'line' ? `${/^[ \t]*/.exec(source)![0]}${text}` : text
}

/** A line with more words is compared by sentences, like a paragraph. */
const mostWords = 40

export function splitPieces(text: string, block: Block, number: number): readonly Piece[] {
  const isLong = block.kind === 'line' && block.to - block.from > 4 * mostWords && countWords(block.key) > mostWords
  if (block.kind !== 'prose' && !isLong) return [{ from: block.from, to: block.to, key: block.key, block: number }]
  return splitSentences(text, block.from, block.to).map(({ from, to }) => ({
    from,
    to,
    key: collapseSpaces(text.slice(from, to)),
    block: number,
  }))
}

/** The text of a heading without its marks. */
export const readHeading = ({ key }: Block): string => key.replace(/^#{1,6}\s*/, '').replace(/\s+(?:#+|=+|-+)$/, '')
