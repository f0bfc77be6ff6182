import type { Line } from './line.ts'

export const isOver = ({ bound }: Line): boolean => bound !== null && !(bound.value <= bound.most)

export const renderTable = (lines: readonly Line[]): string => aligned(heads, lines.map(cellsOf))

/** Pads columns to their widest cell, so that the table is readable in a terminal and in Markdown. */
export function aligned(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [heads, ...rows]
  const widths = heads.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)))
  const render = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`
  const [head, ...body] = cells.map(render)
  return [head, render(widths.map((width) => '-'.repeat(width))), ...body].join('\n')
}

const heads = ['row', 'subject', 'anchor', 'ratio', 'spread', 'bound', '', 'durability', 'figures']

function cellsOf(line: Line): string[] {
  const { row, subject, anchor, ratio, spread, bound, durability, figures } = line
  const verdict = bound === null ? '' : isOver(line) ? 'OVER' : 'ok'
  const range = spread ? `${round(spread[0])}-${round(spread[1])}` : '-'
  const most = bound ? `<= ${bound.most} ${bound.unit}` : '-'
  return [row, subject, anchor, ratio === null ? '-' : round(ratio), range, most, verdict, durability, figures]
}

/** Formats up to three significant digits: 0.013, 1.07, 12.3, 512. */
export function round(value: number): string {
  const places = Math.max(0, 2 - Math.floor(Math.log10(Math.max(Math.abs(value), 0.001))))
  return value.toFixed(Math.min(places, 3))
}
