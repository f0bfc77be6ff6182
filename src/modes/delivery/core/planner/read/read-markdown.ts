import { type Block, coverLines, createBlock, type Found, type Topical } from './blocks.ts'
import { cleanText, cutText } from './clean.ts'
import { asksForMore, isDemand } from './demands.ts'
import { findFieldNeeds, findNeeds, isOnlyNeeds } from './depends.ts'
import { type FieldLine, parseField, type Row, rowAsLine } from './fields.ts'
import { findFieldFiles, startsWithPath } from './files.ts'
import { findIds, parseId } from './ids.ts'
import type { Item } from './item.ts'
import {
  type At,
  below,
  besideScenario,
  type Here,
  isTitled,
  kindOfHeading,
  kindOfLine,
  kindOfRow,
  kindOfText,
} from './kinds.ts'
import {
  findPassingRole,
  goesOn,
  holdsFields,
  isMention,
  isNumberedLines,
  leadsWithOwnId,
  opensScenario,
  withoutBox,
} from './line-predicates.ts'
import { type Created, createItem } from './markdown-item.ts'
import { describeGaps, findEnd, type Node, parseOutline } from './outline.ts'
import { findRules, type Rules, relaxRules } from './rules.ts'
import { findNamedSection, findSection, findTopic, type Section } from './sections.ts'

/** Gives every block of a Markdown document a role, and returns the items among them, in document order. */
export function readMarkdown(text: string): Found {
  const root = parseOutline(text)
  const reader = readByRules(root, findRules(text, root))
  const lines = text.split('\n')
  return {
    format: reader.format(),
    items: reader.items,
    blocks: coverLines(lines, reader.blocks, describeGaps(text)),
    topics: reader.topics.map((one) => ({ ...one, text: quoteLines(lines, one.line, one.endLine) })),
    quote: ({ line }, endLine) => quoteLines(lines, line, endLine),
  }
}

function quoteLines(lines: readonly string[], from: number, to: number): string {
  const text = lines.slice(from - 1, to).join('\n')
  return text.trimEnd()
}

/** If nothing is found, reads again: for sentences that ask for something, then for a title that does. */
function readByRules(root: Node, rules: Rules): Reader {
  const reader = readOutline(root, rules)
  const more = reader.items.length > 0 ? undefined : relaxRules(rules, root)
  return more ? readByRules(root, more) : reader
}

function readOutline(root: Node, rules: Rules): Reader {
  const first = root.children.find(({ sort }) => sort === 'heading')
  const reader = new Reader(rules, first)
  const place = { parent: null, heading: '', item: null }
  reader.walk(root, { section: null, name: '', place, item: null, fielded: false })
  return reader
}

class Reader {
  readonly items: Item[] = []
  readonly blocks: Block[] = []
  readonly topics: Omit<Topical, 'text'>[] = []
  private readonly rules: Rules
  private readonly first: Node | undefined
  private readonly title: Node | undefined
  private tagged = 0
  /** Counts items and known sections. A heading without any of them is ignored. */
  private known = 0
  constructor(rules: Rules, first: Node | undefined) {
    this.rules = rules
    this.first = first
    this.title = first?.level === 1 && findNamedSection(first.text) === undefined ? first : undefined
  }

  format(): string {
    if (this.tagged > 0) return 'spec-kit'
    return this.rules.numbered && this.items.some(({ kind, id }) => kind === 'task' && id?.prefix === '')
      ? 'kiro'
      : 'markdown'
  }

  walk(node: Node, above: Here): void {
    const here = { ...above, fielded: isTitled(above.section) && holdsFields(node) }
    const within = node === this.title && !here.item ? { ...here, section: null, fielded: false } : here
    this.walkAll(node.children, here, within)
  }

  private walkAll(nodes: readonly Node[], here: Here, within = here): void {
    let last: Item | null = null
    for (const child of nodes) {
      if (child.sort === 'heading') {
        last = null
        this.heading(child, within)
      } else if (child.sort === 'text') last = this.text(child, besideScenario(child, here))
      else if (child.sort === 'layout') this.note(child, 'context', child.text)
      else if (child.sort === 'hidden') this.note(child, 'ignored', child.text)
      else if (child.sort === 'code') {
        here.item?.code.push(child.text)
        this.leave(child, here, 'code outside of a story')
      } else if (last && goesOn(child, last, this.rules.demands)) this.line(child, below(here, last))
      else last = this.line(child, here)
    }
  }

  private note(at: At, role: Block['role'], because: string, item: Item | null = null): void {
    this.blocks.push(createBlock({ ...at, text: cutText(cleanText(at.text), 200) }, role, because, item))
  }

  /** Gives a role to a block that is no item. */
  private leave(node: At, here: Here, otherwise: string): void {
    const { section, name, item } = here
    const isText = node.sort === 'text'
    const { box, text } = withoutBox(node.text)
    const passing = isText || node.sort === 'item' ? findPassingRole(text, box) : undefined
    if (section === 'excluded') this.note(node, 'excluded', `under "${name}"`)
    else if (passing) this.note(node, ...passing)
    else if (item) this.note(node, 'context', `part of line ${item.line}`)
    else if (section === 'context' || section === 'map' || section === 'aside')
      this.note(node, 'context', `under "${name}"`)
    else if (isText && (section === null ? name === '' : !isDemand(text)) && !asksForMore(text, this.rules.orders))
      this.note(node, 'context', 'an introduction')
    else if (section === null && name !== '')
      this.note(node, 'ignored', `${otherwise} under the unknown heading "${name}"`)
    else this.note(node, 'ignored', otherwise)
  }

  private heading(node: Node, here: Here): void {
    const field = here.item && node.level > 6 ? parseField(node.text) : undefined
    if (here.item && (field?.field === 'depends' || field?.field === 'files')) {
      this.note(node, 'context', `part of line ${here.item.line}`)
      this.listed(field, node, here.item, here)
      return
    }
    const kind = kindOfHeading(node, here, this.rules)
    if (kind) {
      const item = this.add(kind, node, here, node.text)
      this.walk(node, below({ ...here, section: kind === 'phase' ? 'phase' : null }, item))
      return
    }
    const section = this.sectionBelow(node, here)
    if (node !== this.title) this.topic(node, here, node.text)
    const known = this.known
    if (section !== null) this.known++
    const name = node === this.title ? '' : cleanText(node.text)
    const place = { parent: here.place, heading: cleanText(node.text), item: null }
    this.walk(node, { ...here, section, name, place })
    const isUsed = node === this.first || this.known > known
    if (section === 'excluded' || here.item) this.leave(node, { ...here, section, name }, '')
    else this.note(node, isUsed ? 'context' : 'ignored', isUsed ? 'a heading' : 'an unknown heading')
  }

  /** Takes a section or a paragraph such as `**Goal:** …` that concerns every story. */
  private topic(node: Node, here: Here, label: string): void {
    const topic = here.item || here.section === 'excluded' ? undefined : findTopic(label)
    if (topic && node.line > (this.topics.at(-1)?.endLine ?? 0))
      this.topics.push({ topic, line: node.line, endLine: findEnd(node) })
  }

  /** The document title applies to the lines directly below it, not to its sections. */
  private sectionBelow(node: Node, here: Here): Section | null {
    const section = findSection(node.text, here.section)
    if (node === this.title) return section === 'task' || section === 'check' ? section : null
    return here.section === 'excluded' ? 'excluded' : (section ?? here.section)
  }

  private line(node: Node, here: Here): Item | null {
    const { box, text: unboxed } = withoutBox(node.text)
    const field = here.item && !box && node.sort === 'item' ? parseField(unboxed) : undefined
    if (field && field.field !== 'said' && here.item) {
      this.field(field, node, here.item, here)
      if (field.field === 'depends' || field.field === 'files') this.listed(field, node, here.item, here)
      else this.walk(node, here)
      return null
    }
    const row = node.sort === 'row' ? rowAsLine(node.cells) : undefined
    const text = row?.text ?? unboxed
    const kind = node.sort === 'row' ? kindOfRow(row, here, this.rules) : kindOfLine(text, box, here, this.rules)
    if (kind === null || (kind === 'detail' && this.takeNeeds(text, node.line, here.item!))) {
      this.leave(node, here, node.sort === 'row' ? 'a row without an id or a title' : 'no id or checkbox')
      this.walk(node, here)
      return null
    }
    const item = this.add(kind, node, here, text, row)
    for (const extra of row?.fields ?? [])
      if (row?.form !== 'map' || extra.field !== 'more')
        this.field(extra, { ...node, endLine: 0 }, item, below(here, item))
    this.walk(node, below(here, item))
    return opensScenario(text) ? item : null
  }

  private usesNumbers({ id }: Item): boolean {
    return this.rules.numbered || id?.prefix === ''
  }

  /** Takes a line that only states dependencies, which is not a criterion. */
  private takeNeeds(text: string, line: number, item: Item): boolean {
    const needs = findNeeds(text, line, this.usesNumbers(item))
    if (!isOnlyNeeds(text, needs)) return false
    item.needs.push(...needs)
    return true
  }

  /** Reads a paragraph: fields and prose of the item above it, or an item of its own. */
  private text(node: Node, here: Here): Item | null {
    const isOpen = isTitled(here.section) && (!here.item || here.item.kind === 'phase')
    if (isOpen && isNumberedLines(node.text)) {
      node.text.split('\n').forEach((text, index) => {
        const line = node.line + index
        this.line({ ...node, sort: 'item', children: [], text, line, endLine: line }, here)
      })
      return null
    }
    if (!here.item || leadsWithOwnId(node.text)) {
      const kind = kindOfText(node.text, here, this.rules)
      if (kind) return this.add(kind, node, here, node.text)
      this.topic(node, here, /^\*\*([^*\n]{1,40})\*\*/.exec(node.text)?.[1] ?? '')
      this.leave(node, here, 'a paragraph without an id')
      return null
    }
    if (here.section === 'context' || here.section === 'map' || here.section === 'excluded') this.leave(node, here, '')
    else this.prose(node, here, here.item)
    return null
  }

  private prose(node: Node, here: Here, item: Item): void {
    const said: string[] = []
    const own: At[] = []
    node.text.split('\n').forEach((text, index) => {
      const at = { text, line: node.line + index, endLine: node.line + index }
      const field = parseField(text)
      if (field && field.field !== 'said') this.field(field, at, item, here)
      else {
        said.push(text)
        own.push(at)
      }
    })
    const rest = said.join('\n')
    const isPart = cleanText(rest) === '' || isMention(rest) || this.takeNeeds(rest, node.line, item)
    const added = isPart ? null : this.create('prose', node, here, rest)
    for (const at of own) {
      if (added) this.note(at, 'item', '', added)
      else this.note(at, 'context', `part of line ${item.line}`)
    }
  }

  private field({ field, label, value }: FieldLine, at: At, item: Item, here: Here): void {
    if (field === 'more' && cleanText(value) !== '') {
      const added = this.create('detail', { ...at, endLine: Math.max(at.line, at.endLine) }, here, value)
      this.note(at, 'item', '', added)
      return
    }
    if (field === 'depends') item.needs.push(...findFieldNeeds(value, label, at.line, this.usesNumbers(item)))
    else if (field === 'files') item.files.push(...findFieldFiles(value))
    else if (field === 'covers') item.covers.push(...findIds(value, true).map(({ id }) => id))
    else if (field === 'id') item.id ??= parseId(cleanText(value).replace(/`/g, '')) ?? null
    this.note(at, 'context', `part of line ${item.line}`)
  }

  /** Reads the values of `Depends:` and `Files:` from the list below them. The list ends at a label or a step. */
  private listed({ field, label }: FieldLine, node: Node, item: Item, here: Here): void {
    const isValue = ({ sort, text }: Node): boolean =>
      (sort === 'item' || sort === 'text') &&
      !withoutBox(text).box &&
      (field === 'files' ? startsWithPath(text) : !/^\*\*[^*]+:?\*\*/.test(text))
    const end = node.children.findIndex((child) => !isValue(child))
    const values = end === -1 ? node.children : node.children.slice(0, end)
    for (const child of values) {
      if (field === 'files') item.files.push(...findFieldFiles(child.text))
      else item.needs.push(...findFieldNeeds(child.text, label, child.line, this.usesNumbers(item)))
      this.note(child, 'context', `part of line ${item.line}`)
      this.walk(child, here)
    }
    this.walkAll(node.children.slice(values.length), here)
  }

  private add(...created: Parameters<Reader['create']>): Item {
    const item = this.create(...created)
    this.note(created[1], 'item', '', item)
    return item
  }

  private create(kind: Created['kind'], at: At, here: Here, said: string, row?: Row): Item {
    const { item, isTagged } = createItem({ kind, at, here, said, row }, this.rules)
    if (isTagged) this.tagged++
    this.known++
    this.items.push(item)
    return item
  }
}
