import { type Id, parseId } from './ids.ts'

/** What a label before a colon means for the line that it belongs to. */
export type Field = 'id' | 'depends' | 'files' | 'covers' | 'more' | 'said' | 'quiet'

const labels: Readonly<Record<Field, string>> = {
  id: 'id|task id|story id',
  depends: 'depends|depends on|dependencies|dependency|blocked by|prerequisites|prerequisite|after',
  files: 'files|file|file focus|paths|files to modify|files to create|files to change|touches',
  covers: 'requirements|requirement|covers|implements|satisfies|maps to|traces to|refs|fulfils',
  // What is said below it, or behind it, is part of what is asked for.
  more: 'acceptance criteria|acceptance|criteria|done when|tests|test|acceptance scenarios|steps',
  // Words like any others, which tell that a story is told.
  said: 'description|details|user story|goal',
  quiet:
    'priority|status|estimate|size|owner|effort|points|story points|assignee|labels|complexity|why this priority|type|' +
    'issue type|author|date|version|created|last updated|reporter|sprint',
}
const byLabel = new Map(
  Object.entries(labels).flatMap(([field, all]) => all.split('|').map((one) => [one, field as Field])),
)

export type FieldLine = { readonly field: Field; readonly label: string; readonly value: string }

/** `**Depends:** T-1`, `- Files: a.ts`, `_Requirements: 1.1, 2.3_`. */
export function parseField(raw: string): FieldLine | undefined {
  const colon = raw.indexOf(':')
  if (colon < 2 || colon > 40) return undefined
  const label = raw.slice(0, colon).replace(/[*_`]/g, '').trim().toLowerCase()
  const field = byLabel.get(label)
  if (!field) return undefined
  const value = raw
    .slice(colon + 1)
    .replace(/^[*_\s]+/, '')
    .replace(/(?<![*_\s])[*_\s]+$/, '')
  return { field, label: raw.slice(0, colon + 1), value }
}

/** A row as a line: its id, what it says, its fields. One without a column for a title only names what stands elsewhere. */
export type Row = {
  readonly id: Id | null
  readonly text: string
  readonly titled: boolean
  readonly fields: readonly FieldLine[]
}

type Cell = readonly [head: string, cell: string]

const idHead = /^(?:id|#|no\.?|key|ref|(?:task|story|req|requirement|criterion|ac|fr|us)(?: id| #)?)$/i
const titleHead =
  /^(?:title|name|task|story|user story|requirement|feature|capability|acceptance criteri(?:on|a)|criteri(?:on|a)|description|summary|what)$/i
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
  return id && title && isCriterion(title[0], cells[first]![0])
    ? { ...row, id: null, fields: [{ field: 'covers', label: cells[first]![0], value: id.shown }, ...fields] }
    : { ...row, id, fields }
}

/** A criterion beside a column for its story has no id there. */
const isCriterion = (title: string, id: string): boolean =>
  /criteri/i.test(title) && /^\W{0,4}(?:task|story|us|req|requirement|fr)\b/i.test(id)

function asField([head, cell]: Cell): FieldLine[] {
  if (bare(cell) === '') return []
  const known = parseField(`${bare(head)}: ${cell}`)
  return [known ?? { field: 'more', label: head, value: bare(head) === '' ? cell : `${bare(head)}: ${cell}` }]
}

const bare = (cell: string): string => cell.replace(/[*_`]/g, '').trim()
