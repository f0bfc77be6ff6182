import { cleanText, extractTitle } from './clean.ts'
import { findNeeds } from './depends.ts'
import { findFieldFiles, findFiles } from './files.ts'
import { findIds, type Id, type Kind, numberId, parseId } from './ids.ts'
import type { Found, Item, Need, Place } from './item.ts'
import { type Json, parseJson } from './json.ts'

type Fields = ReadonlyMap<string, Json>

const lists: readonly (readonly [string, Kind])[] = [
  ['tasks', 'task'],
  ['userStories', 'user-story'],
  ['user_stories', 'user-story'],
  ['stories', 'user-story'],
  ['features', 'requirement'],
  ['requirements', 'requirement'],
  ['acceptanceCriteria', 'criterion'],
  ['acceptance_criteria', 'criterion'],
  ['phases', 'phase'],
]

/** Reads a `prd.json` with stories, a Task Master `tasks.json`, or any list of the same shape. */
export function readJson(text: string): Found {
  const root = parseJson(text)
  const found: { kind: Kind; list: Json[]; tag: string }[] = []
  if (Array.isArray(root.value)) found.push({ kind: 'requirement', list: root.value, tag: '' })
  else if (root.value instanceof Map) found.push(...findLists(root.value, ''))
  const tagged = found.length === 0 && root.value instanceof Map ? findTags(root.value) : []
  const items: Item[] = []
  for (const { kind, list, tag } of [...found, ...tagged]) {
    const top: Place = { parent: null, heading: tag, item: null }
    for (const one of list) addItem(items, one, kind, top)
  }
  const isTaskMaster = tagged.length > 0 || items.some(({ kind, id }) => kind === 'task' && id?.prefix === '')
  return { format: isTaskMaster ? 'task-master' : 'prd-json', items }
}

const findLists = (fields: Fields, tag: string) =>
  lists.flatMap(([name, kind]) => {
    const value = fields.get(name)?.value
    return Array.isArray(value) ? [{ kind, list: value, tag }] : []
  })

/** Task Master has one list per tag, numbered separately. Uses `master`, or else the first. */
function findTags(fields: Fields) {
  const tags = [...fields].flatMap(([tag, { value }]) => (value instanceof Map ? findLists(value, tag) : []))
  const name = tags.some(({ tag }) => tag === 'master') ? 'master' : tags[0]?.tag
  return tags.filter(({ tag }) => tag === name)
}

/** Ignores `passes` and `status: done`, which are only claims. Skips cancelled items. */
function addItem(items: Item[], json: Json, kind: Kind, top: Place, parent: Id | null = null): void {
  if (typeof json.value === 'string') {
    items.push(toItem({ kind, id: null, raw: json.value, said: '', line: json.line, place: top }))
    return
  }
  if (!(json.value instanceof Map)) return
  const fields = json.value
  if (readText(fields, 'status') === 'cancelled') return
  const id = findId(fields, parent)
  const description = readText(fields, 'description') ?? readText(fields, 'text') ?? readText(fields, 'story') ?? ''
  const raw = readText(fields, 'title') ?? readText(fields, 'name') ?? description
  const item = toItem({ kind, id, raw, said: description, line: json.line, place: top })
  item.needs.push(...readNeeds(fields, parent, json.line))
  item.files.push(
    ...readTexts(fields, ['files', 'file_focus', 'filesToModify']).flatMap(({ text }) => findFieldFiles(text)),
  )
  items.push({ ...item, priority: kind === 'user-story' ? readNumber(fields, 'priority') : 0 })
  const own = items.at(-1)!
  own.place.item = own
  for (const { text, line } of readTexts(fields, detailNames)) {
    items.push(toItem({ kind: 'detail', id: null, raw: text, said: '', line, place: own.place }))
    own.endLine = Math.max(own.endLine, line)
  }
  const subtasks = fields.get('subtasks')?.value ?? fields.get('tasks')?.value
  if (Array.isArray(subtasks)) for (const one of subtasks) addItem(items, one, 'task', own.place, id)
}

const detailNames = [
  'details',
  'acceptanceCriteria',
  'acceptance_criteria',
  'criteria',
  'steps',
  'testStrategy',
  'notes',
]

type Made = { kind: Kind; id: Id | null; raw: string; said: string; line: number; place: Place }

function toItem({ kind, id, raw, said, line, place }: Made): Item {
  const own: Place = { parent: place, heading: cleanText(raw), item: null }
  const title = extractTitle(raw) || 'untitled'
  const text = said === '' || said === raw ? cleanText(raw) : cleanText(`${raw}: ${said}`)
  const all = `${raw}\n${said}`
  const item: Item = {
    kind,
    form: 'line',
    id: id ?? (kind === 'detail' ? null : (parseId(cleanText(raw).split(':', 1)[0]!) ?? null)),
    title,
    text: text || title,
    line,
    endLine: line,
    place: own,
    priority: 0,
    needs: findNeeds(all, line, false),
    covers: [],
    mentions: findIds(cleanText(all)).map((found) => found.id),
    files: findFiles(all),
  }
  own.item = item
  return item
}

/** The id of a subtask is its task's number and its own: 3.2. */
function findId(fields: Fields, parent: Id | null): Id | null {
  const value = fields.get('id')?.value ?? fields.get('taskId')?.value
  if (typeof value !== 'number' && typeof value !== 'string') return null
  const own = parseId(String(value).trim().slice(0, 200))
  if (own?.prefix !== '' || parent?.prefix !== '' || own.numbers.length > 1) return own ?? null
  return numberId(`${parent.shown}.${own.shown}`)
}

/** A bare number in a subtask refers to a sibling subtask. */
function readNeeds(fields: Fields, parent: Id | null, line: number): Need[] {
  const names = ['dependencies', 'dependsOn', 'depends_on', 'depends', 'blockedBy', 'blocked_by']
  return names.flatMap((name): Need[] => {
    const value = fields.get(name)?.value
    const all = Array.isArray(value) ? value : value === undefined ? [] : [fields.get(name)!]
    return all.flatMap((one): Need[] => {
      if (typeof one.value !== 'number' && typeof one.value !== 'string') return []
      const id = parseId(String(one.value).trim().slice(0, 200))
      if (!id) return [{ on: String(one.value), wording: `${name}: ${one.value}`, line: one.line, certainty: 'field' }]
      const near = parent?.prefix === '' && id.prefix === '' && id.numbers.length === 1
      const meant = near ? numberId(`${parent.shown}.${id.shown}`) : id
      return [{ on: meant, wording: `${name}: ${meant.shown}`, line: one.line || line, certainty: 'field' }]
    })
  })
}

function readTexts(fields: Fields, names: readonly string[]): { text: string; line: number }[] {
  return names.flatMap((name) => {
    const json = fields.get(name)
    const all = Array.isArray(json?.value) ? json.value : json ? [json] : []
    return all.flatMap((one) => {
      const value =
        one.value instanceof Map ? (readText(one.value, 'text') ?? readText(one.value, 'description')) : one.value
      return typeof value === 'string' && cleanText(value) !== '' ? [{ text: value, line: one.line }] : []
    })
  })
}

function readText(fields: Fields, name: string): string | undefined {
  const value = fields.get(name)?.value
  return typeof value === 'string' && cleanText(value) !== '' ? value : undefined
}

function readNumber(fields: Fields, name: string): number {
  const value = fields.get(name)?.value
  return typeof value === 'number' && Number.isFinite(value) ? value : Number.MAX_SAFE_INTEGER
}
