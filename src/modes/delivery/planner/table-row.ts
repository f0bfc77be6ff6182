import { type FieldLine, fieldIn } from './fields.ts'
import { parseId } from './ids.ts'

export type Row = { readonly text: string; readonly fields: readonly FieldLine[] }

const idHead = /^(?:id|#|no\.?|key|ref|(?:task|story|req|requirement|criterion|ac|fr|us)(?: id| #)?)$/i
const titleHead =
  /^(?:title|name|task|story|user story|requirement|criterion|acceptance criterion|description|summary|what)$/i

/** A row of a table with ids, as the line `ID: text` and its fields; undefined for any other table. */
export function rowAsLine(cells: readonly (readonly [string, string])[]): Row | undefined {
  const idColumn = cells.findIndex(([head, cell]) => idHead.test(bare(head)) && parseId(bare(cell)) !== undefined)
  if (idColumn === -1) return undefined
  const others = cells.filter((_, column) => column !== idColumn)
  const title = others.find(([head]) => titleHead.test(bare(head))) ?? others[0]
  const fields = others.flatMap((cell) => (cell === title ? [] : asField(cell)))
  return { text: `${bare(cells[idColumn]![1])}: ${title?.[1] ?? ''}`, fields }
}

function asField([head, cell]: readonly [string, string]): FieldLine[] {
  if (bare(cell) === '') return []
  const known = fieldIn(`${bare(head)}: ${cell}`)
  return [known ?? { field: 'more', label: head, value: bare(head) === '' ? cell : `${bare(head)}: ${cell}` }]
}

const bare = (cell: string): string => cell.replace(/[*_`]/g, '').trim()
