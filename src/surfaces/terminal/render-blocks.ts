import type { Block, Cell, Line, Notice, QuestionShown, Section } from '../../contract/show.ts'
import { formatTable, toOneLine } from '../../show/format.ts'
import type { Io } from './io.ts'
import { boundCells, type Rendering, renderAction, renderLine, shortPath } from './render.ts'
import { renderDiff } from './render-diff.ts'

export type RenderedSection = { readonly title: string; readonly lines: readonly string[] }

/** Renders sections as text, in reading order. Leaves out sections without lines. */
export const renderSections = (sections: readonly Section[], rendering: Rendering): RenderedSection[] =>
  sections
    .map(({ title, blocks }) => ({ title, lines: renderBlocks(blocks, rendering) }))
    .filter(({ lines }) => lines.length > 0)

export const renderBlocks = (blocks: readonly Block[], rendering: Rendering): string[] =>
  blocks.flatMap((block) => renderBlock(block, rendering))

export function renderBlock(block: Block, rendering: Rendering): string[] {
  switch (block.kind) {
    case 'text':
      return renderLines(block.lines, rendering)
    case 'list': {
      const items = renderLines(block.items, rendering)
      const more = block.more ? [`and ${block.more} more`] : []
      return [...(block.ordered ? items.map((item, index) => `${index + 1}. ${item}`) : items), ...more]
    }
    case 'table':
      return tableLines(block.head, block.rows, rendering)
    case 'facts':
      return block.rows.flatMap(({ name, lines }) => factLines(name, renderLines(lines, rendering)))
    case 'bounds':
      return formatTable(withoutEmptyColumns(block.bounds.map(boundCells)))
    case 'diff':
      return renderDiff(block, true).map(({ text }) => text)
    case 'chart':
      return []
    case 'log':
      return logLines(block, rendering.cwd)
    case 'document':
      return block.text.replace(/\n$/, '').split('\n')
    case 'question':
      return questionLines(block.question, rendering)
    case 'actions':
      return formatTable(
        block.actions.map(({ action, does }) => [renderAction(action, rendering), ...(does ? [`(${does})`] : [])]),
      )
    case 'notices':
      return block.notices.flatMap((notice, index) => noticeLines(notice, index, rendering.cwd))
  }
}

const renderLines = (lines: readonly Line[], rendering: Rendering): string[] =>
  lines.map((line) => renderLine(line, rendering))

/** Pads columns to their widest cell and leaves out empty ones. */
function tableLines(head: readonly string[], rows: readonly (readonly Cell[])[], rendering: Rendering): string[] {
  if (rows.length === 0) return []
  const texts = rows.map((row) => row.map(({ line }) => renderLine(line, rendering)))
  const heading = head.some((word) => word !== '') ? [head] : []
  const columns = Math.max(...texts.map(({ length }) => length))
  const width = (column: number): number => Math.max(...[...heading, ...texts].map((row) => (row[column] ?? '').length))
  const isEnd = (column: number): boolean => rows.some((row) => row[column]?.align === 'end')
  const aligned = [...heading, ...texts].map((row) =>
    Array.from({ length: columns }, (_, column) => {
      const text = row[column] ?? ''
      return isEnd(column) ? text.padStart(width(column)) : text
    }),
  )
  return formatTable(withoutEmptyColumns(aligned, heading.length))
}

/** Leaves out columns that are empty in all rows below the first `headings`. */
function withoutEmptyColumns(rows: readonly (readonly string[])[], headings = 0): string[][] {
  const body = rows.slice(headings)
  return rows.map((row) => row.filter((_, column) => body.some((cells) => (cells[column] ?? '').trim() !== '')))
}

const nameWidth = 5

/** `  rule   max_iterations: …`; further lines of the same name are indented below it. */
const factLines = (name: string, lines: readonly string[]): string[] =>
  lines.map((line, index) => `  ${(index === 0 ? name : '').padEnd(nameWidth)}  ${line}`)

const maxLineLength = 200
const quoteLines = (lines: readonly string[]): string[] => lines.map((line) => `   | ${toOneLine(line, maxLineLength)}`)

function noticeLines({ says, lines, log }: Notice, index: number, cwd: string): string[] {
  return [
    `${index + 1}. ${toOneLine(says, maxLineLength)}`,
    ...quoteLines(lines),
    ...(log ? [`   ${shortPath(log, cwd)}`] : []),
  ]
}

const logLines = ({ name, lines, log }: Extract<Block, { kind: 'log' }>, cwd: string): string[] => [
  `${toOneLine(name, maxLineLength)}:`,
  ...quoteLines(lines),
  ...(log ? [`   ${shortPath(log, cwd)}`] : []),
]

const choiceWidth = 8

const questionLines = ({ asks, choices, about }: QuestionShown, rendering: Rendering): string[] => [
  renderLine(asks, rendering),
  ...choices.map(({ choice, does }) => `${toOneLine(choice, maxLineLength).padEnd(choiceWidth)} ${does}`.trimEnd()),
  ...renderBlocks(about, rendering),
]

/** Prints the result of a run to stdout: unchanged for a program, which may apply a diff, and coloured at a terminal. */
export function printOutput(
  io: Pick<Io, 'out' | 'content' | 'screen'>,
  output: Extract<Block, { kind: 'document' | 'diff' }>,
): void {
  if (output.kind === 'document') {
    io.content(output.text)
    return
  }
  const lines = renderDiff(output, io.screen !== undefined)
  if (io.screen) for (const line of lines) io.out(line.text, line.look)
  else io.content(lines.map((line) => line.text).join('\n'))
}
