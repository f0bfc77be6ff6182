import stringWidth from 'string-width'
import { plainText } from './plain-text.ts'
import { cutToWidth } from './screen.ts'
import { joinTexts, piecesOf, plainOf, type StyledLine, type Text } from './styled.ts'

export type TableOptions = {
  /** The columns of the terminal. Default: as wide as needed. */
  readonly width?: number | undefined
  /** How many rows at the top are headings; a column that is empty below them is left out. */
  readonly headings?: number
  /** Columns that are aligned at their end. */
  readonly ends?: readonly number[]
  /** Where the table is too wide, these columns are shortened. Default: all that are long. */
  readonly shorten?: readonly number[] | undefined
  /** Where that is not enough, these are dropped, in this order. Default: the last first; the first column always stays. */
  readonly drop?: readonly number[] | undefined
  /** This column is wrapped at words instead of shortened. It should be the last one. */
  readonly wrap?: number
}

const gap = 2
/** Columns are shortened to this width before others are dropped. */
const readable = 10

/** Lays out a table that fits the terminal. Columns are padded to their widest cell; no word is broken by the edge. */
export function layoutTable(rows: readonly (readonly Text[])[], options: TableOptions = {}): Text[] {
  const { headings = 0, ends = [], wrap } = options
  const cells = rows.map((row) => row.map(cleanText))
  const count = Math.max(0, ...cells.map(({ length }) => length))
  const natural = Array.from({ length: count }, (_, column) =>
    Math.max(0, ...cells.map((row) => measure(row[column] ?? ''))),
  )
  const filled = natural.flatMap((_, column) =>
    cells.slice(headings).some((row) => plainOf(row[column] ?? '').trim() !== '') ? [column] : [],
  )
  const widths = fitColumns(natural, filled, options)
  const kept = filled.filter((column) => widths[column]! > 0)
  return cells.flatMap((row) => {
    const parts = kept.map((column) => {
      const cell = row[column] ?? ''
      return column === wrap ? wrapText(cell, widths[column]!) : [cutText(cell, widths[column]!)]
    })
    const height = Math.max(1, ...parts.map(({ length }) => length))
    return Array.from({ length: height }, (_, line) =>
      trimEnd(
        joinTexts(
          parts.flatMap((part, index) => {
            const column = kept[index]!
            const text = part[line] ?? ''
            const blank = ' '.repeat(Math.max(0, widths[column]! - measure(text)))
            const between = index === 0 ? '' : ' '.repeat(gap)
            return ends.includes(column) ? [between, blank, text] : [between, text, blank]
          }),
        ),
      ),
    )
  })
}

/** Returns the width of each column; 0 for one that is left out. */
function fitColumns(natural: readonly number[], filled: readonly number[], options: TableOptions): number[] {
  const { width = Number.POSITIVE_INFINITY, wrap } = options
  const shorten = [...(options.shorten ?? filled), ...(wrap === undefined ? [] : [wrap])]
  const least = (column: number): number =>
    shorten.includes(column) ? Math.min(natural[column]!, readable) : natural[column]!
  let kept = [...filled]
  const room = (): number => width - gap * (kept.length - 1)
  const drops = (options.drop ?? filled.slice(1).reverse()).filter((column) => filled.includes(column))
  for (const column of drops) {
    if (sum(kept.map(least)) <= room() || kept.length === 1) break
    kept = kept.filter((one) => one !== column)
  }
  const widths = natural.map((wide, column) => (kept.includes(column) ? wide : 0))
  const shrinking = kept.filter((column) => shorten.includes(column))
  shrink(widths, shrinking, readable, room())
  shrink(widths, kept, 1, room())
  return widths
}

/** Takes from the widest of these columns until all fit, but leaves each of them `floor` columns. */
function shrink(widths: number[], columns: readonly number[], floor: number, room: number): void {
  for (;;) {
    const over = sum(widths) - room
    const [first, second] = columns.toSorted((a, b) => widths[b]! - widths[a]!)
    if (over <= 0 || first === undefined || widths[first]! <= floor) return
    const next = Math.max(floor, second === undefined ? 0 : widths[second]!)
    const step = Math.max(1, widths[first]! - next)
    widths[first] = Math.max(floor, widths[first]! - Math.min(over, step))
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)
const measure = (text: Text): number => stringWidth(plainOf(text))

/** Escapes control characters first, because that changes the width. */
function cleanText(text: Text): Text {
  const clean = (line: string): string => plainText(line.replace(/\r?\n/g, '\\n'))
  return typeof text === 'string' ? clean(text) : text.map((piece) => ({ ...piece, text: clean(piece.text) }))
}

/** Cuts a cell and marks the cut with `…`, between words if there is a good place. A cut cell of several pieces keeps the first style. */
function cutText(text: Text, width: number): Text {
  if (measure(text) <= width) return text
  const cut = cutToWidth(plainOf(text), width)
  const space = cut.lastIndexOf(' ')
  const short = space > cut.length / 2 ? `${cut.slice(0, space).trimEnd()}…` : cut
  const [first] = piecesOf(text)
  return first?.look ? [{ text: short, look: first.look }] : short
}

/** Breaks a text into lines at spaces. A word that is too long gets a line of its own; styles are lost. */
export function wrapText(text: Text, width: number): Text[] {
  if (measure(text) <= width) return [text]
  const lines: string[] = []
  let line = ''
  for (const word of plainOf(text).split(' ')) {
    if (line !== '' && measure(`${line} ${word}`) > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}

function trimEnd(text: Text): Text {
  if (typeof text === 'string') return text.trimEnd()
  const pieces: StyledLine[] = [...text]
  while (pieces.length > 0 && pieces.at(-1)!.text.trim() === '') pieces.pop()
  return pieces
}
