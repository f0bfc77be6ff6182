import type { Block, Cell, Line, Notice, QuestionShown, Section } from '../../contract/show.ts'
import { toOneLine } from '../../show/format.ts'
import type { Io } from './io.ts'
import { boundCells, fitLine, type Rendering, renderAction, renderLine, renderText, shortPath } from './render.ts'
import { renderDiff } from './render-diff.ts'
import { joinTexts, type Text } from './styled.ts'
import { layoutTable } from './table.ts'

export type RenderedSection = { readonly title: string; readonly lines: readonly Text[] }

/** Renders sections as text, in reading order. Leaves out sections without lines. */
export const renderSections = (sections: readonly Section[], rendering: Rendering): RenderedSection[] =>
  sections
    .map(({ title, blocks }) => ({ title, lines: renderBlocks(blocks, rendering) }))
    .filter(({ lines }) => lines.length > 0)

export const renderBlocks = (blocks: readonly Block[], rendering: Rendering): Text[] =>
  blocks.flatMap((block) => renderBlock(block, rendering))

export function renderBlock(block: Block, rendering: Rendering): Text[] {
  switch (block.kind) {
    case 'text':
      return renderLines(block.lines, rendering)
    case 'list': {
      const items = renderLines(block.items, rendering)
      const more = block.more ? [`and ${block.more} more`] : []
      return [...(block.ordered ? items.map((item, index) => joinTexts([`${index + 1}. `, item])) : items), ...more]
    }
    case 'table':
      return tableLines(block, rendering)
    case 'facts':
      return block.rows.flatMap(({ name, lines }) => factLines(name, lines, rendering))
    case 'bounds':
      return layoutTable(block.bounds.map(boundCells), { width: rendering.width, shorten: [2], drop: [2] })
    case 'diff':
      return renderDiff(block, true).map(({ text }) => text)
    case 'chart':
      return []
    case 'log':
      return logLines(block, rendering.cwd)
    case 'document':
      return block.text.replace(/\n$/, '').split('\n')
    case 'changes':
      return [...block.changes.map(({ id, magnitude, title }) => `${id} (${magnitude}): ${title}`), ...block.counted]
    case 'question':
      return questionLines(block.question, rendering)
    case 'actions':
      // Commands are never cut: they are there to be copied.
      return layoutTable(
        block.actions.map(({ action, does }) => [renderAction(action, rendering), ...(does ? [`(${does})`] : [])]),
      )
    case 'notices':
      return block.notices.flatMap((notice, index) => noticeLines(notice, index, rendering))
  }
}

const renderLines = (lines: readonly Line[], rendering: Rendering): Text[] =>
  lines.flatMap((line) => fitLine(line, rendering))

function tableLines({ head, rows, narrow }: Extract<Block, { kind: 'table' }>, rendering: Rendering): Text[] {
  if (rows.length === 0) return []
  const heading = head.some((word) => word !== '') ? [head] : []
  const ends = [
    ...new Set(rows.flatMap((row) => row.flatMap(({ align }, column) => (align === 'end' ? [column] : [])))),
  ]
  const texts = rows.map((row) => row.map(({ line }: Cell) => renderText(line, rendering)))
  return layoutTable([...heading, ...texts], { width: rendering.width, headings: heading.length, ends, ...narrow })
}

const nameWidth = 5

/** `  rule   max_iterations: …`; further lines of the same name are indented below it. */
function factLines(name: string, lines: readonly Line[], rendering: Rendering): Text[] {
  const width = rendering.width && rendering.width - nameWidth - 4
  return renderLines(lines, { ...rendering, width }).map((line, index) =>
    joinTexts([`  ${(index === 0 ? name : '').padEnd(nameWidth)}  `, line]),
  )
}

const maxLineLength = 200
const quoteLines = (lines: readonly string[]): string[] => lines.map((line) => `   | ${toOneLine(line, maxLineLength)}`)

function noticeLines({ says, lines, log }: Notice, index: number, rendering: Rendering): Text[] {
  return [
    ...fitLine([`${index + 1}. ${toOneLine(says, maxLineLength)}`], rendering, '   '),
    ...quoteLines(lines),
    ...(log ? [`   ${shortPath(log, rendering.cwd)}`] : []),
  ]
}

const logLines = ({ name, lines, log }: Extract<Block, { kind: 'log' }>, cwd: string): string[] => [
  `${toOneLine(name, maxLineLength)}:`,
  ...quoteLines(lines),
  ...(log ? [`   ${shortPath(log, cwd)}`] : []),
]

const choiceWidth = 8

const questionLines = ({ asks, choices, about }: QuestionShown, rendering: Rendering): Text[] => [
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
