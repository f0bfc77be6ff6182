import { cleanText, titleOf } from './clean.ts'
import { isOnlyNeeds, needsIn, needsOfField } from './depends.ts'
import { type FieldLine, fieldIn } from './fields.ts'
import { filesIn, filesOfField } from './files.ts'
import { type Id, idsIn, kindOfPrefix, parseId } from './ids.ts'
import type { Found, Item, Place } from './item.ts'
import type { Kind } from './kinds.ts'
import { itemAbove } from './known-ids.ts'
import { leadingId, withoutBox } from './lead.ts'
import { type Node, outlineOf } from './outline.ts'
import { type Section, sectionOf } from './sections.ts'
import { rowAsLine } from './table-row.ts'

/** Where the walk is: in which section, below which line. */
type Here = { readonly section: Section | null; readonly place: Place; readonly item: Item | null }

/** Every line of a Markdown document that asks for something, in the document's order. */
export function readMarkdown(text: string): Found {
  const root = outlineOf(text)
  const reader = new Reader(/_Requirements?:/.test(text) || /^[ \t]{0,8}[-*] \[[ xX]\]\*? \d+(?:\.\d+)* /m.test(text))
  reader.walk(root, { section: null, place: { parent: null, heading: '', item: null }, item: null })
  return { format: reader.format(), items: reader.items }
}

class Reader {
  readonly items: Item[] = []
  /** Kiro numbers its tasks: there, numbers alone are ids. */
  readonly numbered: boolean
  private tagged = 0
  constructor(numbered: boolean) {
    this.numbered = numbered
  }

  format(): string {
    if (this.tagged > 0) return 'spec-kit'
    return this.numbered && this.items.some(({ kind, id }) => kind === 'task' && id?.prefix === '')
      ? 'kiro'
      : 'markdown'
  }

  walk(node: Node, here: Here): void {
    let last: Item | null = null
    for (const child of node.children) {
      if (child.sort === 'heading') {
        last = null
        this.heading(child, here)
      } else if (child.sort === 'text') last = this.text(child, besideScenario(child, here))
      else if (last && goesOn(child, last)) this.line(child, below(here, last))
      else last = this.line(child, here)
    }
  }

  private heading(node: Node, here: Here): void {
    const kind = this.kindOfHeading(node, here)
    if (kind) {
      const item = this.add(kind, node, here, node.text)
      const lines = node.children.at(-1)
      item.endLine = lines ? endOf(node) : node.endLine
      this.walk(node, below({ ...here, section: kind === 'phase' ? 'phase' : null }, item))
      return
    }
    const isTitle = node.level === 1 && node.parent?.sort === 'root'
    const section = (isTitle ? undefined : sectionOf(node.text)) ?? here.section
    if (here.section === 'excluded' || section === 'excluded') return
    this.walk(node, { ...here, section, place: { parent: here.place, heading: cleanText(node.text), item: null } })
  }

  /** A heading is a line of its own by its id, or as the title of something in a section of such things. */
  private kindOfHeading(node: Node, here: Here): Kind | null {
    if (here.section === 'excluded' || here.section === 'context') return null
    const { id } = leadingId(node.text)
    const kind = id ? kindOfPrefix(id) : undefined
    if (kind) return kind
    if (isScenario(node.text)) return 'criterion'
    const section = here.section
    if (
      here.item ||
      sectionOf(node.text) ||
      (section !== 'task' && section !== 'user-story' && section !== 'requirement')
    )
      return null
    if (id?.prefix) return section
    return node.children.some((child) => child.sort === 'text' && looksLikeStory(child)) ? section : null
  }

  private line(node: Node, here: Here): Item | null {
    const { box, text: unboxed } = withoutBox(node.text)
    const field = here.item && !box && node.sort === 'item' ? fieldIn(unboxed) : undefined
    if (field && here.item) {
      const listed = field.field === 'depends' || field.field === 'files'
      this.field(field, node.line, here.item, here)
      if (listed) this.listed(field, node, here.item)
      else this.walk(node, here)
      return null
    }
    const row = node.sort === 'row' ? rowAsLine(node.cells) : undefined
    const text = row?.text ?? unboxed
    const kind = node.sort === 'row' && !row ? null : this.kindOfLine(text, box, here)
    if (kind === 'detail' && this.takeNeeds(text, node.line, here.item!)) return null
    const item = kind && this.add(kind, node, here, text)
    for (const extra of row?.fields ?? []) if (item) this.field(extra, node.line, item, below(here, item))
    this.walk(node, item ? below(here, item) : here)
    return item && opensScenario(text) ? item : null
  }

  /** A line that only says what comes before is no criterion. */
  private takeNeeds(text: string, line: number, item: Item): boolean {
    const needs = needsIn(text, line, this.numbered)
    if (!isOnlyNeeds(text, needs)) return false
    item.needs.push(...needs)
    return true
  }

  private kindOfLine(text: string, box: boolean, here: Here): Kind | null {
    const { section, item } = here
    if (section === 'excluded') return null
    const { id } = leadingId(text)
    const own = id ? kindOfPrefix(id) : undefined
    if (section === 'context') return null
    if (own) return own
    if (item) {
      if (id && box && item.kind === 'task') return 'task'
      if (section === 'task' && item.kind !== 'task') return 'task'
      if (item.kind === 'phase' && box) return id ? 'task' : 'check'
      return 'detail'
    }
    if (section && section !== 'detail') return box && section === 'phase' ? 'check' : section
    if (box) return id ? 'task' : 'check'
    if (isUserStory(text)) return 'user-story'
    return opensScenario(text) ? 'criterion' : null
  }

  /** A paragraph: fields and words about the line it stands below, or a line of its own. */
  private text(node: Node, here: Here): Item | null {
    if (here.section === 'context' || here.section === 'excluded') return null
    if (!here.item || leadsWithOwnId(node.text)) {
      const kind = this.kindOfText(node.text, here)
      return kind ? this.add(kind, node, here, node.text) : null
    }
    const said: string[] = []
    node.text.split('\n').forEach((line, index) => {
      const field = fieldIn(line)
      if (field && here.item) this.field(field, node.line + index, here.item, here)
      else said.push(line)
    })
    const rest = said.join('\n')
    if (cleanText(rest) !== '' && !this.takeNeeds(rest, node.line, here.item)) this.add('prose', node, here, rest)
    return null
  }

  private kindOfText(text: string, here: Here): Kind | null {
    const { id } = leadingId(text)
    const own = id ? kindOfPrefix(id) : undefined
    if (own && own !== 'phase') return own
    if (isUserStory(text)) return 'user-story'
    return opensScenario(text) && here.section !== 'aside' ? 'criterion' : null
  }

  private field({ field, label, value }: FieldLine, line: number, item: Item, here: Here): void {
    if (field === 'depends')
      item.needs.push(...needsOfField(value, label, line, this.numbered || item.id?.prefix === ''))
    else if (field === 'files') item.files.push(...filesOfField(value))
    else if (field === 'covers') item.covers.push(...idsIn(value, true).map(({ id }) => id))
    else if (field === 'id') item.id ??= parseId(cleanText(value).replace(/`/g, '')) ?? null
    else if (field === 'more' && cleanText(value) !== '') this.add('detail', { line, endLine: line }, here, value)
  }

  /** `Depends:` and `Files:` may have their values below them. */
  private listed({ field, label }: FieldLine, node: Node, item: Item): void {
    for (const child of node.children) {
      const text = withoutBox(child.text).text
      if (field === 'files') item.files.push(...filesOfField(text))
      else item.needs.push(...needsOfField(text, label, child.line, this.numbered || item.id?.prefix === ''))
    }
  }

  private add(kind: Kind, at: Pick<Node, 'line' | 'endLine'>, here: Here, raw: string): Item {
    const { id, rest } = kind === 'detail' || kind === 'prose' ? { id: null, rest: raw } : leadingId(raw)
    const tags = kind === 'task' ? tagsIn(rest) : { covers: [], rest }
    if (tags.covers.length > 0) this.tagged++
    const own = kind === 'phase' ? raw : tags.rest.replace(/\s{0,3}\((?:priority:?\s{0,3})?P\d\)/i, '')
    const title = titleOf(own) || titleOf(raw) || 'untitled'
    const place: Place = { parent: here.place, heading: title, item: null }
    const item: Item = {
      kind,
      id,
      title,
      text: cleanText(own) || title,
      line: at.line,
      endLine: Math.max(at.line, at.endLine),
      place,
      priority: 0,
      needs: needsIn(rest, at.line, this.numbered),
      covers: [...tags.covers],
      mentions: idsIn(cleanText(rest)).map((found) => found.id),
      files: filesIn(rest),
    }
    place.item = item
    this.items.push(item)
    return item
  }
}

const below = (here: Here, item: Item): Here => ({ ...here, item, place: item.place })

function endOf(node: Node): number {
  let last = node
  while (last.children.length > 0) last = last.children.at(-1)!
  return Math.max(node.endLine, last.endLine)
}

/** A list right below a paragraph that is a line belongs to it; so do When and Then to their Given. */
function goesOn(node: Node, last: Item): boolean {
  if (node.sort !== 'item') return false
  const { text } = withoutBox(node.text)
  if (/^\W{0,4}given\b/i.test(last.text)) return /^\W{0,4}(?:when|then|and|but)\b/i.test(text)
  return leadingId(text).id === null && !opensScenario(text)
}

/** A scenario stands beside another one, not below it. */
function besideScenario(node: Node, here: Here): Here {
  const { item } = here
  if (item?.kind !== 'criterion' || !isScenario(node.text) || !item.place.parent) return here
  return { ...here, item: itemAbove(item.place), place: item.place.parent }
}

const isScenario = (text: string): boolean => /^\W{0,4}(?:scenario(?: outline)?|example):/i.test(text)
const opensScenario = (text: string): boolean => isScenario(text) || /^\W{0,4}given\W{1,3}\w/i.test(text)
const isUserStory = (text: string): boolean => /^[\W_]{0,6}(?:user story\W{1,6})?as an? [^\n]/i.test(text)
const leadsWithOwnId = (text: string): boolean => {
  const { id } = leadingId(text)
  return id !== null && id.prefix !== '' && kindOfPrefix(id) !== undefined
}

const looksLikeStory = ({ text }: Node): boolean =>
  isUserStory(text) || text.split('\n', 20).some((line) => fieldIn(line) !== undefined)

const tags = /^\s{0,3}\[([A-Za-z]{1,4}-?\d{0,6})\]/

/** spec-kit: `[P]` for parallel, `[US1]` for the story it is part of. */
function tagsIn(rest: string): { covers: Id[]; rest: string } {
  const covers: Id[] = []
  let left = rest
  for (let match = tags.exec(left); match; match = tags.exec(left)) {
    const id = parseId(match[1]!)
    if (id) covers.push(id)
    left = left.slice(match[0].length)
  }
  return { covers, rest: left.trimStart() }
}
