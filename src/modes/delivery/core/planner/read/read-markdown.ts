import type { Granularity } from '../../../contract/plan.ts'
import { cleanText, extractTitle } from './clean.ts'
import { findFieldNeeds, findNeeds, isOnlyNeeds } from './depends.ts'
import { type FieldLine, parseField, type Row, rowAsLine } from './fields.ts'
import { findFieldFiles, findFiles } from './files.ts'
import { findIds, findKind, type Id, type Kind, parseId } from './ids.ts'
import type { Found, Item, Place } from './item.ts'
import { itemAbove } from './known-ids.ts'
import {
  goesOn,
  holdsFields,
  holdsStories,
  isDemand,
  isJump,
  isNumberedLines,
  isScenario,
  isUserStory,
  leadingId,
  leadsWithOwnId,
  opensScenario,
  readScenarioName,
  takeTags,
  withoutBox,
} from './line-predicates.ts'
import { type Node, parseOutline } from './outline.ts'
import { findSection, type Section } from './sections.ts'

/** The current section, position and item of the walk. */
type Here = {
  readonly section: Section | null
  readonly place: Place
  readonly item: Item | null
  /** Headings here have fields, as stories have. */
  readonly fielded: boolean
}

/** Finds all lines of a Markdown document that ask for something, in document order. */
export function readMarkdown(text: string): Found {
  const root = parseOutline(text)
  const numbered = /_Requirements?:/.test(text) || /^[ \t]{0,8}[-*] \[[ xX]\]\*? \d+(?:\.\d+)* /m.test(text)
  const found = readOutline(root, numbered, false)
  return found.items.length > 0 ? found : readOutline(root, numbered, true)
}

function readOutline(root: Node, numbered: boolean, demands: boolean): Found {
  const first = root.children.find(({ sort }) => sort === 'heading')
  const reader = new Reader({ numbered, demands, title: first?.level === 1 ? first : undefined })
  reader.walk(root, { section: null, place: { parent: null, heading: '', item: null }, item: null, fielded: false })
  return { format: reader.format(), items: reader.items }
}

class Reader {
  readonly items: Item[] = []
  /** Bare numbers are ids, as in Kiro's task lists. */
  readonly numbered: boolean
  /** Set on the second pass, if nothing was found: sentences with "must" or "should" are requirements. */
  readonly demands: boolean
  readonly title: Node | undefined
  private tagged = 0
  constructor({ numbered, demands, title }: Pick<Reader, 'numbered' | 'demands' | 'title'>) {
    this.numbered = numbered
    this.demands = demands
    this.title = title
  }

  format(): string {
    if (this.tagged > 0) return 'spec-kit'
    return this.numbered && this.items.some(({ kind, id }) => kind === 'task' && id?.prefix === '')
      ? 'kiro'
      : 'markdown'
  }

  walk(node: Node, above: Here): void {
    let last: Item | null = null
    const here = { ...above, fielded: isTitled(above.section) && holdsFields(node) }
    for (const child of node.children) {
      if (child.sort === 'heading') {
        last = null
        this.heading(child, node === this.title && !here.item ? { ...here, section: null, fielded: false } : here)
      } else if (child.sort === 'text') last = this.text(child, besideScenario(child, here))
      else if (last && goesOn(child, last) && !this.isDemanded(child.text)) this.line(child, below(here, last))
      else last = this.line(child, here)
    }
  }

  private isDemanded(text: string): boolean {
    return this.demands && isDemand(text)
  }

  private heading(node: Node, here: Here): void {
    const field = here.item && node.level > 6 ? parseField(node.text) : undefined
    if (here.item && (field?.field === 'depends' || field?.field === 'files')) {
      this.listed(field, node, here.item)
      return
    }
    const kind = this.kindOfHeading(node, here)
    if (kind) {
      const item = this.add(kind, node, here, node.text)
      const lines = node.children.at(-1)
      item.endLine = lines ? findEnd(node) : node.endLine
      this.walk(node, below({ ...here, section: kind === 'phase' ? 'phase' : null }, item))
      return
    }
    const section = this.sectionBelow(node, here)
    if (section === 'excluded') return
    this.walk(node, { ...here, section, place: { parent: here.place, heading: cleanText(node.text), item: null } })
  }

  /** The document title applies to the lines directly below it, not to its sections. */
  private sectionBelow(node: Node, here: Here): Section | null {
    const section = findSection(node.text, here.section)
    if (node === this.title) return section === 'task' || section === 'check' ? section : null
    return here.section === 'excluded' ? 'excluded' : (section ?? here.section)
  }

  /** A heading is an item if it has an id, or if its section contains items with headings. */
  private kindOfHeading(node: Node, here: Here): Kind | null {
    if (here.section === 'excluded' || here.section === 'context') return null
    const { id } = leadingId(node.text)
    const kind = id ? findKind(id) : undefined
    if (kind) return kind
    if (isScenario(node.text)) return 'criterion'
    const { section, item, fielded } = here
    if (!isTitled(section) || findSection(node.text, section)) return null
    if (item && (item.kind !== 'phase' || section === 'phase')) return null
    return id?.prefix || fielded || !holdsStories(node, section) ? section : null
  }

  private line(node: Node, here: Here): Item | null {
    const { box, text: unboxed } = withoutBox(node.text)
    const field = here.item && !box && node.sort === 'item' ? parseField(unboxed) : undefined
    if (field && field.field !== 'said' && here.item) {
      const listed = field.field === 'depends' || field.field === 'files'
      this.field(field, node.line, here.item, here)
      if (listed) this.listed(field, node, here.item)
      else this.walk(node, here)
      return null
    }
    if (isJump(unboxed)) return null
    const row = node.sort === 'row' ? rowAsLine(node.cells) : undefined
    const text = row?.text ?? unboxed
    const kind =
      node.sort === 'row' ? row && this.kindOfRow(row, here) : this.kindOfLine(text, leadingId(text).id, box, here)
    if (kind === 'detail' && this.takeNeeds(text, node.line, here.item!)) return null
    const item = kind ? this.add(kind, node, here, text, row) : null
    for (const extra of row?.fields ?? []) if (item) this.field(extra, node.line, item, below(here, item))
    this.walk(node, item ? below(here, item) : here)
    return item && opensScenario(text) ? item : null
  }

  /** Rows of a table without a known purpose count only if they have ids, and rank below other items with ids. */
  private kindOfRow(row: Row, here: Here): Kind | null {
    if (!row.id && here.item) return null
    const kind = this.kindOfLine(row.text, row.id ?? leadingId(row.text).id, false, here)
    const isLoose = kind === null || (kind === 'detail' && here.item?.kind === 'phase')
    return isLoose && row.id?.prefix && here.section !== 'context' ? 'check' : kind
  }

  /** Takes a line that only states dependencies, which is not a criterion. */
  private takeNeeds(text: string, line: number, item: Item): boolean {
    const needs = findNeeds(text, line, this.numbered || item.id?.prefix === '')
    if (!isOnlyNeeds(text, needs)) return false
    item.needs.push(...needs)
    return true
  }

  private kindOfLine(text: string, id: Id | null, box: boolean, here: Here): Kind | null {
    const { section, item } = here
    if (section === 'excluded' || section === 'context') return null
    const own = id ? findKind(id) : undefined
    if (own) return own
    if (item) {
      if (id && box && item.kind === 'task') return 'task'
      if (section === 'task' && item.kind !== 'task' && item.kind !== 'detail') return 'task'
      if (item.kind === 'phase' && box) return id ? 'task' : 'check'
      return 'detail'
    }
    if (section && section !== 'detail') return box && section === 'phase' ? 'check' : section
    if (box) return id ? 'task' : 'check'
    if (isUserStory(text)) return 'user-story'
    if (opensScenario(text)) return 'criterion'
    return this.isDemanded(text) ? 'requirement' : null
  }

  /** Reads a paragraph: fields and prose of the item above it, or an item of its own. */
  private text(node: Node, here: Here): Item | null {
    if (here.section === 'context' || here.section === 'excluded') return null
    if (isTitled(here.section) && (!here.item || here.item.kind === 'phase') && isNumberedLines(node.text)) {
      node.text.split('\n').forEach((text, index) => {
        const line = node.line + index
        this.line({ ...node, sort: 'item', children: [], text, line, endLine: line }, here)
      })
      return null
    }
    if (!here.item || leadsWithOwnId(node.text)) {
      const kind = this.kindOfText(node.text, here)
      return kind ? this.add(kind, node, here, node.text) : null
    }
    const said: string[] = []
    node.text.split('\n').forEach((line, index) => {
      const field = parseField(line)
      if (field && field.field !== 'said' && here.item) this.field(field, node.line + index, here.item, here)
      else said.push(line)
    })
    const rest = said.join('\n')
    if (cleanText(rest) !== '' && !this.takeNeeds(rest, node.line, here.item)) this.add('prose', node, here, rest)
    return null
  }

  private kindOfText(text: string, here: Here): Kind | null {
    const { id } = leadingId(text)
    const own = id ? findKind(id) : undefined
    if (own && own !== 'phase') return own
    if (isUserStory(text)) return 'user-story'
    if (opensScenario(text) && here.section !== 'aside') return 'criterion'
    return this.isDemanded(text) ? 'requirement' : null
  }

  private field({ field, label, value }: FieldLine, line: number, item: Item, here: Here): void {
    if (field === 'depends')
      item.needs.push(...findFieldNeeds(value, label, line, this.numbered || item.id?.prefix === ''))
    else if (field === 'files') item.files.push(...findFieldFiles(value))
    else if (field === 'covers') item.covers.push(...findIds(value, true).map(({ id }) => id))
    else if (field === 'id') item.id ??= parseId(cleanText(value).replace(/`/g, '')) ?? null
    else if (field === 'more' && cleanText(value) !== '') this.add('detail', { line, endLine: line }, here, value)
  }

  /** Reads the values of `Depends:` and `Files:` from the list below them. */
  private listed({ field, label }: FieldLine, node: Node, item: Item): void {
    for (const child of node.children) {
      const text = withoutBox(child.text).text
      if (field === 'files') item.files.push(...findFieldFiles(text))
      else item.needs.push(...findFieldNeeds(text, label, child.line, this.numbered || item.id?.prefix === ''))
    }
  }

  private add(kind: Kind, at: At, here: Here, said: string, row?: Row): Item {
    const isPart = kind === 'detail' || kind === 'prose'
    const raw = isPart && row?.id ? `${row.id.shown}: ${said}` : said
    const { id, rest } = isPart ? { id: null, rest: raw } : row?.id ? { id: row.id, rest: raw } : leadingId(raw)
    const tags = kind === 'task' ? takeTags(rest) : { covers: [], rest }
    if (tags.covers.length > 0) this.tagged++
    const own = kind === 'phase' ? raw : tags.rest.replace(/\s{0,3}\((?:priority:?\s{0,3})?P\d\)/i, '')
    const title = extractTitle(isScenario(own) ? readScenarioName(own) : own) || extractTitle(raw) || 'untitled'
    const place: Place = { parent: here.place, heading: title, item: null }
    const item: Item = {
      kind,
      form: chooseForm(kind, at, here, row),
      id,
      title,
      text: cleanText(own) || title,
      line: at.line,
      endLine: Math.max(at.line, at.endLine),
      place,
      priority: 0,
      needs: findNeeds(rest, at.line, this.numbered || here.item?.id?.prefix === ''),
      covers: [...tags.covers],
      mentions: findIds(cleanText(rest)).map((found) => found.id),
      files: findFiles(rest),
    }
    place.item = item
    this.items.push(item)
    return item
  }
}

type At = Pick<Node, 'line' | 'endLine'> & { readonly sort?: Node['sort'] }

/** Sections in which headings may be items. */
const isTitled = (section: Section | null): section is Granularity =>
  section === 'task' || section === 'user-story' || section === 'requirement' || section === 'phase'

function chooseForm(kind: Kind, { sort }: At, { section }: Here, row: Row | undefined): Item['form'] {
  if (sort === 'heading') return 'heading'
  if (row && !row.titled) return 'mention'
  if (section === 'criterion' && kind !== 'criterion') return 'remark'
  return row ? 'row' : 'line'
}

const below = (here: Here, item: Item): Here => ({ ...here, item, place: item.place })

function findEnd(node: Node): number {
  let last = node
  while (last.children.length > 0) last = last.children.at(-1)!
  return Math.max(node.endLine, last.endLine)
}

/** A scenario after a scenario is its sibling, not its child. */
function besideScenario(node: Node, here: Here): Here {
  const { item } = here
  if (item?.kind !== 'criterion' || !isScenario(node.text) || !item.place.parent) return here
  return { ...here, item: itemAbove(item.place), place: item.place.parent }
}
