import type { Block, Cell, Line, Notice, QuestionShown, Section } from '../../contract/show.ts'
import { formatTable, toOneLine } from '../../show/format.ts'
import type { Io } from './io.ts'
import { boundCells, type Rendering, renderAction, renderLine, shortPath } from './render.ts'
import { renderDiff } from './render-diff.ts'

export type RenderedSection = { readonly title: string; readonly lines: readonly string[] }

/** Sections as text, in the order in which they are read. One without lines is left out. */
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

/** Columns padded to their widest cell, without those in which no row says anything. */
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

/** A column of which nothing is known says nothing. The first `headings` rows do not count. */
function withoutEmptyColumns(rows: readonly (readonly string[])[], headings = 0): string[][] {
  const said = rows.slice(headings)
  return rows.map((row) => row.filter((_, column) => said.some((cells) => (cells[column] ?? '').trim() !== '')))
}

const nameWidth = 5

/** `  rule   max_iterations: …`, and below it whatever else belongs to the name. */
const factLines = (name: string, lines: readonly string[]): string[] =>
  lines.map((line, index) => `  ${(index === 0 ? name : '').padEnd(nameWidth)}  ${line}`)

const longestLine = 200
const quoteLines = (lines: readonly string[]): string[] => lines.map((line) => `   | ${toOneLine(line, longestLine)}`)

function noticeLines({ says, lines, log }: Notice, index: number, cwd: string): string[] {
  return [
    `${index + 1}. ${toOneLine(says, longestLine)}`,
    ...quoteLines(lines),
    ...(log ? [`   ${shortPath(log, cwd)}`] : []),
  ]
}

const logLines = ({ name, lines, log }: Extract<Block, { kind: 'log' }>, cwd: string): string[] => [
  `${toOneLine(name, longestLine)}:`,
  ...quoteLines(lines),
  ...(log ? [`   ${shortPath(log, cwd)}`] : []),
]

const choiceWidth = 8

const questionLines = ({ asks, choices, about }: QuestionShown, rendering: Rendering): string[] => [
  renderLine(asks, rendering),
  ...choices.map(({ choice, does }) => `${toOneLine(choice, longestLine).padEnd(choiceWidth)} ${does}`.trimEnd()),
  ...renderBlocks(about, rendering),
]

/** The work itself, alone on stdout: as it is for a program, which may want to apply a diff; coloured for a person. */
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
