import type { ContextTopic } from '../../../contract/plan.ts'
import { type Block, coverLines, createBlock, type Found, type Topical } from './blocks.ts'
import { cleanText, cutText, extractTitle, toOneLine } from './clean.ts'
import { findNeeds, isNoNeed } from './depends.ts'
import { findFieldFiles, findFiles } from './files.ts'
import { findIds, type Id, isOnlyIds, type Kind, numberId, parseId, textId } from './ids.ts'
import type { Item, Need, Place } from './item.ts'
import { type Json, parseJson } from './json.ts'

type Fields = ReadonlyMap<string, Json>

const lists: ReadonlyMap<string, Kind> = new Map([
  ['tasks', 'task'],
  ['userStories', 'user-story'],
  ['user_stories', 'user-story'],
  ['stories', 'user-story'],
  ['features', 'requirement'],
  ['requirements', 'requirement'],
  ['acceptanceCriteria', 'criterion'],
  ['acceptance_criteria', 'criterion'],
  ['phases', 'phase'],
])
const topicNames: ReadonlyMap<string, ContextTopic> = new Map([
  ['goals', 'goals'],
  ['objectives', 'goals'],
  ['constraints', 'constraints'],
  ['nonGoals', 'non-goals'],
  ['non_goals', 'non-goals'],
  ['outOfScope', 'non-goals'],
  ['out_of_scope', 'non-goals'],
])
const needNames = ['dependencies', 'dependsOn', 'depends_on', 'depends', 'blockedBy', 'blocked_by']
const detailNames = [
  'details',
  'acceptanceCriteria',
  'acceptance_criteria',
  'criteria',
  'steps',
  'testStrategy',
  'notes',
]

/** Reads a `prd.json` with stories, a Task Master `tasks.json`, or any list of the same shape. */
export function readJson(text: string): Found {
  const reader = new Reader(text)
  const root = parseJson(text)
  const tag = root.value instanceof Map ? findTag(root.value) : undefined
  if (Array.isArray(root.value)) reader.list(root, 'requirement', '')
  else if (tag !== undefined) reader.tags(root.value as Fields, tag)
  else if (root.value instanceof Map) reader.object(root.value, '')
  const { items, blocks, topics, sources } = reader
  const isTaskMaster = tag !== undefined || items.some(({ kind, id }) => kind === 'task' && id?.prefix === '')
  return {
    format: isTaskMaster ? 'task-master' : 'prd-json',
    items,
    blocks: coverLines(text.split('\n'), blocks, classifyRest),
    topics,
    quote: (item) => text.slice(...sources.get(item)!),
  }
}

/** Brackets, and keys whose values have blocks of their own. */
const classifyRest = (line: string): Pick<Block, 'role' | 'because'> =>
  /^(?:[{}[\],\s]|"[^"]{0,200}"\s{0,9}:)*$/.test(line)
    ? { role: 'context', because: 'JSON around other values' }
    : { role: 'ignored', because: 'not read' }

const findLists = (fields: Fields) => [...lists.keys()].filter((name) => Array.isArray(fields.get(name)?.value))

/** Task Master has one list per tag, numbered separately. Returns `master`, or else the first. */
function findTag(fields: Fields): string | undefined {
  if (findLists(fields).length > 0) return undefined
  const tags = [...fields].flatMap(([tag, { value }]) =>
    value instanceof Map && findLists(value).length > 0 ? [tag] : [],
  )
  return tags.includes('master') ? 'master' : tags[0]
}

type Created = { kind: Kind; id: Id | null; raw: string; said: string; json: Json; place: Place }

class Reader {
  readonly items: Item[] = []
  readonly blocks: Block[] = []
  readonly topics: Topical[] = []
  /** The part of the text that each item comes from. */
  readonly sources = new Map<Item, [number, number]>()
  private readonly text: string
  constructor(text: string) {
    this.text = text
  }

  tags(fields: Fields, tag: string): void {
    for (const [name, json] of fields) {
      if (name === tag) this.object(json.value as Fields, tag)
      else if (json.value instanceof Map) this.note(json, 'ignored', `another tag than "${tag}"`)
      else this.note(json, 'ignored', `unknown field "${name}"`)
    }
  }

  /** Lists come in the order of their kinds, whatever their order in the file. */
  object(fields: Fields, tag: string): void {
    for (const name of findLists(fields)) this.list(fields.get(name)!, lists.get(name)!, tag)
    for (const [name, json] of fields) {
      const topic = topicNames.get(name)
      if (topic) this.topic(topic, json)
      else if (!lists.has(name) || !Array.isArray(json.value)) this.meta(name, json)
    }
  }

  list(json: Json, kind: Kind, tag: string): void {
    const top: Place = { parent: null, heading: tag, item: null }
    for (const one of json.value as Json[]) this.item(one, kind, top)
  }

  private topic(topic: ContextTopic, json: Json): void {
    const all = Array.isArray(json.value) ? json.value : [json]
    const said = all.flatMap(({ value }) => (typeof value === 'string' ? [`- ${value}`] : []))
    if (said.length > 0) this.topics.push({ topic, line: json.line, endLine: json.endLine, text: said.join('\n') })
    this.note(json, topic === 'non-goals' ? 'excluded' : 'context', `the ${topic}`)
  }

  /** A short text beside the lists names or describes the document. Anything else is not understood. */
  private meta(name: string, json: Json): void {
    const isPlain = typeof json.value !== 'object' || json.value === null
    const isKnown = isPlain || name === 'metadata' || name === 'meta'
    this.note(json, isKnown ? 'context' : 'ignored', isKnown ? 'describes the document' : `unknown field "${name}"`)
  }

  private note(json: Json, role: Block['role'], because: string, item: Item | null = null): void {
    const { line, endLine, start, end } = json
    const text = cutText(cleanText(this.text.slice(start, Math.min(end, start + 400))), 200)
    this.blocks.push(createBlock({ line, endLine, text }, role, because, item))
  }

  /** Ignores `passes` and `status: done`, which are only claims. Skips cancelled items. */
  private item(json: Json, kind: Kind, top: Place, parent: Id | null = null): void {
    if (typeof json.value === 'string') {
      this.add({ kind, id: null, raw: json.value, said: '', json, place: top })
      return
    }
    if (!(json.value instanceof Map)) {
      this.note(json, 'ignored', 'neither text nor an object')
      return
    }
    const fields = json.value
    if (readText(fields, 'status') === 'cancelled') {
      this.note(json, 'excluded', 'cancelled')
      return
    }
    const id = findId(fields, parent)
    const description = readText(fields, 'description') ?? readText(fields, 'text') ?? readText(fields, 'story') ?? ''
    const raw = readText(fields, 'title') ?? readText(fields, 'name') ?? description
    const priority = kind === 'user-story' ? readNumber(fields, 'priority') : 0
    const head = { ...json, endLine: json.line }
    const own = this.add({ kind, id, raw, said: description, json: head, place: top }, priority)
    this.sources.set(own, [json.start, json.end])
    own.needs.push(...readNeeds(fields, parent, json.line))
    for (const { text } of readTexts(fields, ['files', 'file_focus', 'filesToModify']))
      own.files.push(...findFieldFiles(text))
    for (const { text, json: one } of readTexts(fields, detailNames)) {
      this.add({ kind: 'detail', id: null, raw: text, said: '', json: one, place: own.place })
      own.endLine = Math.max(own.endLine, one.line)
    }
    const subtasks = ['subtasks', 'tasks'].find((name) => Array.isArray(fields.get(name)?.value))
    if (subtasks) for (const one of fields.get(subtasks)!.value as Json[]) this.item(one, 'task', own.place, id)
    for (const [name, one] of fields) {
      const isRead = name === subtasks || (detailNames.includes(name) && readTexts(fields, [name]).length > 0)
      if (!isRead) this.note(one, 'context', `part of line ${json.line}`)
    }
  }

  private add({ kind, id, raw, said, json, place }: Created, priority = 0): Item {
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
      line: json.line,
      endLine: json.line,
      place: own,
      priority,
      needs: findNeeds(all, json.line, false),
      covers: [],
      mentions: findIds(cleanText(all)).map((found) => found.id),
      files: findFiles(all),
      code: [],
    }
    own.item = item
    this.items.push(item)
    this.sources.set(item, [json.start, json.end])
    this.note(json, 'item', '', item)
    return item
  }
}

/** The id of a subtask is its task's number and its own: 3.2. */
function findId(fields: Fields, parent: Id | null): Id | null {
  const own = toId(fields.get('id')?.value ?? fields.get('taskId')?.value)
  if (own?.prefix !== '' || parent?.prefix !== '' || own.numbers.length > 1) return own
  return numberId(`${parent.shown}.${own.shown}`)
}

function toId(value: Json['value'] | undefined): Id | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null
  const text = cutText(toOneLine(String(value)), 200)
  return text === '' ? null : textId(text)
}

/** One id, or several in one text: `T-1, T-2`. */
function toIds(value: Json['value'] | undefined): Id[] {
  const id = toId(value)
  if (!id || isNoNeed(id.shown)) return []
  return id.numbers.length === 0 && isOnlyIds(id.shown) ? findIds(id.shown).map((found) => found.id) : [id]
}

/** A bare number in a subtask refers to a sibling subtask. */
function readNeeds(fields: Fields, parent: Id | null, line: number): Need[] {
  return needNames.flatMap((name) => {
    const json = fields.get(name)
    const all = Array.isArray(json?.value) ? json.value : json ? [json] : []
    return all.flatMap((one): Need[] => {
      const value = one.value instanceof Map ? (one.value.get('id') ?? one.value.get('taskId'))?.value : one.value
      return toIds(value).map((id) => {
        const near = parent?.prefix === '' && id.prefix === '' && id.numbers.length === 1
        const on = near ? numberId(`${parent.shown}.${id.shown}`) : id
        return { on, wording: `${name}: ${on.shown}`, line: one.line || line, certainty: 'field' }
      })
    })
  })
}

function readTexts(fields: Fields, names: readonly string[]): { text: string; json: Json }[] {
  return names.flatMap((name) => {
    const json = fields.get(name)
    const all = Array.isArray(json?.value) ? json.value : json ? [json] : []
    return all.flatMap((one) => {
      const value =
        one.value instanceof Map ? (readText(one.value, 'text') ?? readText(one.value, 'description')) : one.value
      return typeof value === 'string' && cleanText(value) !== '' ? [{ text: value, json: one }] : []
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
