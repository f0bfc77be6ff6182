import type { Block, Cell, Line } from '../../../src/contract/show.ts'
import { toSentenceCase } from '../format.ts'
import { ScrollArea } from '../parts/scroll-area.tsx'
import { useSmallScreen } from '../use-media.ts'
import { Spans } from './spans.tsx'

/** Columns of short texts are not wrapped; the table scrolls instead. */
const tightLength = 24

type Table = Extract<Block, { kind: 'table' }>

/** A table. Columns without content are left out; small screens leave out the less important ones too. */
export function TableBlock({ block: { head, rows, narrow } }: { readonly block: Table }) {
  const isSmall = useSmallScreen()
  const hasHead = head.some((word) => word !== '')
  if (rows.length === 0) return null
  const dropped = isSmall ? (narrow?.drop ?? []) : []
  const width = Math.max(head.length, ...rows.map((row) => row.length))
  const columns = Array.from({ length: width }, (_, column) => column).filter(
    (column) => !dropped.includes(column) && rows.some((row) => !isEmpty(row[column])),
  )
  const ends = new Set(columns.filter((column) => rows.some((row) => row[column]?.align === 'end')))
  const tight = new Set(columns.filter((column) => rows.every((row) => countCharacters(row[column]) <= tightLength)))
  const className = (column: number) => `${ends.has(column) ? 'end' : ''} ${tight.has(column) ? 'tight' : ''}`
  return (
    <ScrollArea>
      <table className={`block-table ${hasHead ? '' : 'block-table-plain'}`}>
        {hasHead && (
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col" className={className(column)}>
                  {head[column] === '#' ? '#' : toSentenceCase(head[column] ?? '')}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place in the table
            <tr key={index}>
              {columns.map((column) => (
                <td key={column} className={className(column)}>
                  <Spans line={row[column]?.line ?? []} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

const countCharacters = (cell: Cell | undefined): number =>
  cell?.line.reduce(
    (sum, span) => sum + (typeof span === 'string' ? span.length : 'text' in span ? span.text.length : 8),
    0,
  ) ?? 0

const isEmpty = (cell: Cell | undefined): boolean => !cell || isBlank(cell.line)

const isBlank = (line: Line): boolean =>
  line.every((span) => (typeof span === 'string' ? span === '' : 'text' in span && span.text === ''))
