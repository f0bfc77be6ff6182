import { cleanText } from './clean.ts'
import { findIds, type Id, isOnlyIds, parseId } from './ids.ts'

/** The meaning of a label before a colon. */
export type Field = 'id' | 'depends' | 'files' | 'covers' | 'more' | 'said' | 'quiet'

const labels: Readonly<Record<Field, string>> = {
  id: 'id|task id|story id',
  depends: 'depends|depends on|dependencies|dependency|blocked by|prerequisites|prerequisite|after',
  files: 'files|file|file focus|paths|files to modify|files to create|files to change|touches',
  covers: 'requirements|requirement|covers|implements|satisfies|maps to|traces to|refs|fulfils',
  // Text after or below these labels is part of the requirement.
  more: 'acceptance criteria|acceptance|criteria|done when|tests|test|acceptance scenarios|steps',
  // Ordinary text, but a sign that the heading above is a story.
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
  const label = raw.slice(0, colon).replace(/[*_`]/g, '').replaceAll('-', ' ').trim().toLowerCase()
  const field = byLabel.get(label)
  if (!field) return undefined
  const value = readValue(raw, colon)
  return { field, label: raw.slice(0, colon + 1), value: hasIds.has(field) ? withoutMarks(value) : value }
}

const hasIds: ReadonlySet<Field> = new Set(['id', 'depends', 'covers'])
const withoutMarks = (value: string): string => value.replace(/^[*_\s]+/, '').replace(/(?<![*_\s])[*_\s]+$/, '')

/** Returns what follows the colon without the emphasis that starts before it. Underscores of names stay. */
function readValue(raw: string, colon: number): string {
  const value = raw.slice(colon + 1)
  const marks = /^\s*([*_]{1,3})/.exec(raw)?.[1]
  if (marks === undefined || /[*_]\s*$/.test(raw.slice(0, colon))) return value.trim()
  if (value.startsWith(marks)) return value.slice(marks.length).trim()
  const rest = value.trim()
  return rest.endsWith(marks) ? rest.slice(0, -marks.length).trimEnd() : rest
}

/** A table row as a line. */
export type Row = {
  readonly id: Id | null
  readonly text: string
  /** A `mention` has no title: it refers to something defined elsewhere. A `map` has only ids and ticks. */
  readonly form: 'row' | 'mention' | 'map'
  readonly fields: readonly FieldLine[]
}

type Cell = readonly [head: string, cell: string]

const idHead = /^(?:id|#|no\.?|key|ref|(?:task|story|req|requirement|criterion|ac|fr|us)(?: id| #)?)$/i
const titleHead =
  /^(?:title|name|task|story|user story|requirement|feature|capability|acceptance(?: criteri(?:on|a))?|criteri(?:on|a)|description|summary|what)$/i
const wishHead = /^as an?\b/i

/** Reads a row of a table with ids or titles. Undefined for any other table. */
export function rowAsLine(cells: readonly Cell[]): Row | undefined {
  const first = cells.findIndex(
    ([head, cell]) => idHead.test(stripMarks(head)) && parseId(stripMarks(cell)) !== undefined,
  )
  const others = cells.filter((_, column) => column !== first)
  const title = others.find(([head]) => titleHead.test(stripMarks(head)))
  const wish = others.some(([head]) => wishHead.test(stripMarks(head)))
  if (first === -1 && !title && !wish) return undefined
  const id = first === -1 ? null : parseId(stripMarks(cells[first]![1]))!
  if (wish)
    return {
      id,
      text: others.map(([head, cell]) => `${stripMarks(head)} ${stripTick(cell)}`).join(' '),
      form: 'row',
      fields: [],
    }
  const said = title ?? others[0]
  const fields = others.flatMap((cell) => (cell === said ? [] : parseCell(cell)))
  const row = { text: said?.[1] || (id?.shown ?? ''), form: findForm(others, id, title) }
  return id && title && isCriterion(title[0], cells[first]![0])
    ? { ...row, id: null, fields: [{ field: 'covers', label: cells[first]![0], value: id.shown }, ...fields] }
    : { ...row, id, fields }
}

function findForm(others: readonly Cell[], id: Id | null, title: Cell | undefined): Row['form'] {
  const isMap = id !== null && others.every(([, cell]) => isOnlyIds(stripMarks(cell)))
  if (isMap && others.length > 0 && (!title || findIds(title[1]).length > 0)) return 'map'
  return title ? 'row' : 'mention'
}

/** In a criteria table with a story column, that id is the story's and not the criterion's. */
const isCriterion = (title: string, id: string): boolean =>
  /criteri/i.test(title) && /^\W{0,4}(?:task|story|us|req|requirement|fr)\b/i.test(id)

function parseCell([head, cell]: Cell): FieldLine[] {
  if (stripMarks(cell) === '') return []
  const known = parseField(`${stripMarks(head)}: ${cell}`)
  return [
    known ?? { field: 'more', label: head, value: stripMarks(head) === '' ? cell : `${cleanText(head)}: ${cell}` },
  ]
}

const stripMarks = (cell: string): string => stripTick(cell.replace(/[*_`]/g, ''))

const stripTick = (cell: string): string => cell.trim().replace(/^(?:\[[ xX]\]|[✅☑✔❌⏳🚧⬜🔲]\ufe0f?)\s{1,4}/u, '')
