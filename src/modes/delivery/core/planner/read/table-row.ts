import { type FieldLine, fieldIn } from './fields.ts'
import { type Id, parseId } from './ids.ts'

/** A row as a line: its id, what it says, its fields. One without a column for a title only names what stands elsewhere. */
export type Row = {
  readonly id: Id | null
  readonly text: string
  readonly titled: boolean
  readonly fields: readonly FieldLine[]
}

type Cell = readonly [head: string, cell: string]

const idHead = /^(?:id|#|no\.?|nr\.?|key|ref|(?:task|story|req|requirement|criterion|ac|fr|us)(?: id| #)?)$/i
const titleHead =
  /^(?:title|name|task|story|user story|requirement|feature|capability|acceptance criteri(?:on|a)|criteri(?:on|a)|description|summary|what|titel|aufgabe|anforderung|beschreibung|akzeptanzkriteri(?:um|en))$/i
const wishHead = /^as an?\b/i

/** A row of a table with ids or titles; undefined for any other table. */
export function rowAsLine(cells: readonly Cell[]): Row | undefined {
  const first = cells.findIndex(([head, cell]) => idHead.test(bare(head)) && parseId(bare(cell)) !== undefined)
  const others = cells.filter((_, column) => column !== first)
  const title = others.find(([head]) => titleHead.test(bare(head)))
  const wish = others.some(([head]) => wishHead.test(bare(head)))
  if (first === -1 && !title && !wish) return undefined
  const id = first === -1 ? null : parseId(bare(cells[first]![1]))!
  if (wish) return { id, text: others.map((cell) => cell.map(bare).join(' ')).join(' '), titled: true, fields: [] }
  const said = title ?? others[0]
  const fields = others.flatMap((cell) => (cell === said ? [] : asField(cell)))
  const row = { text: said?.[1] || (id?.shown ?? ''), titled: title !== undefined }
  return id && title && isCriterionOf(title[0], cells[first]![0])
    ? { ...row, id: null, fields: [{ field: 'covers', label: cells[first]![0], value: id.shown }, ...fields] }
    : { ...row, id, fields }
}

/** A criterion beside a column for its story has no id there. */
const isCriterionOf = (title: string, id: string): boolean =>
  /criteri/i.test(title) && /^\W{0,4}(?:task|story|us|req|requirement|fr)\b/i.test(id)

function asField([head, cell]: Cell): FieldLine[] {
  if (bare(cell) === '') return []
  const known = fieldIn(`${bare(head)}: ${cell}`)
  return [known ?? { field: 'more', label: head, value: bare(head) === '' ? cell : `${bare(head)}: ${cell}` }]
}

const bare = (cell: string): string => cell.replace(/[*_`]/g, '').trim()
