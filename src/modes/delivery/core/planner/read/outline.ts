import MarkdownIt, { type Token } from 'markdown-it'
import { withoutComments } from './clean.ts'
import { parseField } from './fields.ts'
import { PlanRefused } from './item.ts'
import { findSection } from './sections.ts'

/** A document outline: headings contain what follows them, list items contain what is indented below them. */
export type Node = {
  readonly sort: 'root' | 'heading' | 'item' | 'text' | 'row'
  readonly parent: Node | null
  readonly children: Node[]
  /** The source text, including emphasis and backticks. */
  text: string
  readonly line: number
  endLine: number
  /** For headings 1 to 6; 7 for a bold line used as a heading; 8 for a bold line that belongs to the heading before it. */
  readonly level: number
  /** For table rows: pairs of column head and cell. */
  readonly cells: readonly (readonly [string, string])[]
}

// Only blocks are parsed: inline markup is irrelevant here and takes two thirds of the time.
const markdown = new MarkdownIt({ html: true })
markdown.core.ruler.enableOnly(['normalize', 'block'])

export function parseOutline(text: string): Node {
  refuseTooMany(text)
  const builder = new Builder()
  if (isFeatureFile(text)) {
    builder.scenarios(text, 0)
    return builder.root
  }
  for (const token of markdown.parse(withoutFrontMatter(text), {})) builder.take(token)
  return builder.root
}

const maxBlocks = 500_000

/** Protects memory: the parser holds every list item and cell, and a few megabytes of dashes would exhaust it. */
function refuseTooMany(text: string): void {
  let blocks = 0
  let leading = true
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === newline) {
      leading = true
      blocks++
    } else if (code === pipe || code === less) blocks++
    else if (leading && code !== space) {
      if (code === dash || code === star || code === plus || code === quote) blocks++
      else leading = code >= zero && code <= nine
    }
  }
  const message = `more than ${maxBlocks} lines, list items, cells and tags`
  if (blocks > maxBlocks) throw new PlanRefused({ code: 'too-big', message })
}

const [newline, space, star, plus, dash, zero, nine, less, quote, pipe] = [10, 32, 42, 43, 45, 48, 57, 60, 62, 124]

const isFeatureFile = (text: string): boolean => /^\s{0,99}(?:[@#][^\n]{0,200}\s{1,99}){0,9}Feature:/.test(text)

/** Blanks front matter, which Markdown would read as a heading. Line numbers stay the same. */
function withoutFrontMatter(text: string): string {
  if (!text.startsWith('---\n')) return text
  const end = text.indexOf('\n---\n', 3)
  return end === -1 ? text : text.slice(0, end + 5).replace(/[^\n]+/g, '') + text.slice(end + 5)
}

class Builder {
  readonly root: Node = { ...blank, sort: 'root', parent: null, children: [], line: 1, endLine: 1 }
  private at: Node = this.root
  private heading: Token | null = null
  private heads: string[] = []
  private row: { cells: string[]; line: number; inHead: boolean } | null = null

  take(token: Token): void {
    switch (token.type) {
      case 'heading_open':
        this.heading = token
        return
      case 'list_item_open':
        // The end is set from its content, because the parser includes trailing blank lines.
        this.at = this.add('item', '', [token.map![0], token.map![0] + 1])
        return
      case 'list_item_close':
        this.endItem()
        return
      case 'thead_open':
        this.heads = []
        return
      case 'tr_open':
        this.row = { cells: [], line: token.map?.[0] ?? 0, inHead: token.level === 2 && this.heads.length === 0 }
        return
      case 'tr_close':
        this.endRow()
        return
      case 'fence':
        if (token.info.trim() === 'gherkin') this.scenarios(token.content, token.map![0] + 1)
        return
      case 'html_block':
        this.html(token)
        return
      case 'inline':
        this.inline(token)
    }
  }

  private inline(token: Token): void {
    if (this.row) this.row.cells.push(token.content)
    else if (this.heading) {
      this.open(Number(this.heading.tag.slice(1)), token.content, this.heading.map!)
      this.heading = null
    } else if (this.at.sort === 'item' && this.at.text === '' && this.at.children.length === 0) {
      this.at.text = token.content
      this.at.endLine = token.map![1]
    } else if (this.at.sort !== 'item' && isHeadingLike(token.content)) {
      this.open(findLevel(token.content), token.content, token.map!)
    } else if (this.at.sort !== 'item' && isBoldOverText(token.content)) {
      const [from, to] = token.map!
      const end = token.content.indexOf('\n')
      this.open(7, token.content.slice(0, end), [from, from + 1])
      this.add('text', token.content.slice(end + 1), [from + 1, to])
    } else this.add('text', token.content, token.map!)
  }

  /** A heading closes headings of its level or deeper. Inside a list it is plain text. */
  private open(level: number, text: string, map: readonly [number, number]): void {
    if (this.at.sort === 'item') {
      this.add('text', text, map)
      return
    }
    while (this.at.sort === 'heading' && this.at.level >= level) this.at = this.at.parent!
    this.at = this.add('heading', text, map, level)
  }

  private endItem(): void {
    for (const { endLine } of this.at.children) this.at.endLine = Math.max(this.at.endLine, endLine)
    this.at = this.at.parent ?? this.root
  }

  private endRow(): void {
    const { cells, line, inHead } = this.row!
    this.row = null
    if (inHead) this.heads = cells
    else {
      const named = cells.map((cell, column) => [this.heads[column] ?? '', cell] as const)
      this.add('row', cells.join(' '), [line, line + 1], 0, named)
    }
  }

  private html({ content, map }: Token): void {
    for (const { tag, text, down } of splitHtml(content)) {
      const line = map![0] + down
      if (tag === 'td' || tag === 'th') {
        this.row?.cells.push(text)
        continue
      }
      if (this.row) this.endRow()
      if (tag === 'tr') this.row = { cells: [], line, inHead: this.heads.length === 0 }
      else if (tag === 'li') this.add('item', text, [line, line + 1])
      else this.open(Number(tag.slice(1)), text, [line, line + 1])
    }
    if (this.row) this.endRow()
    this.heads = []
  }

  /** Adds scenarios as texts: they are requirements even inside a code block. */
  scenarios(content: string, first: number): void {
    const lines = content.trimEnd().split('\n')
    const starts = lines.flatMap((line, at) => (/^\s*(?:Scenario|Example)\b/.test(line) ? [at] : []))
    starts.forEach((from, index) => {
      const to = starts[index + 1] ?? lines.length
      const text = lines.slice(from, to).map((line) => line.trim())
      this.add('text', text.filter(Boolean).join('\n'), [first + from, first + to])
    })
  }

  private add(sort: Node['sort'], text: string, map: readonly [number, number], level = 0, cells: Node['cells'] = []) {
    const node = { sort, parent: this.at, children: [], text, line: map[0] + 1, endLine: map[1], level, cells }
    this.at.children.push(node)
    return node
  }
}

const blank = { text: '', level: 0, cells: [] }

/** Bold lines that name criteria or fields belong to the bold heading before them. */
const findLevel = (text: string): number => (findSection(text) === 'criterion' || parseField(`${text}:`) ? 8 : 7)

/** `**1. Queue**` directly above a text is a heading; `**AC-1**` and `**Given**` start a text. */
const isBoldOverText = (text: string): boolean =>
  /^\*\*[^*\n]{0,20}[\p{L}]{3}[^*\n]{0,120}\*\*:?\n/u.test(text) && !parseField(text)

/** `**Functional Requirements:**` or `Tasks:` on a separate line. */
function isHeadingLike(text: string): boolean {
  if (text.length > 160 || text.includes('\n')) return false
  if (/^\*\*[^*]+\*\*:?$/.test(text)) return true
  return text.length < 60 && text.endsWith(':') && findSection(text) !== undefined
}

/** An HTML element: its tag, its text, and its line offset within the block. */
type Piece = { readonly tag: string; readonly text: string; readonly down: number }

const opening = /<(h[1-6]|li|tr|td|th)(?:\s[^<>]{0,500})?>/gi
const hidden = /^\s{0,3}<(?:script|style|pre|textarea)\b/i
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', '#39': "'" }

/** Splits HTML into headings, list items and cells, in order. Nested lists are flattened. */
function splitHtml(html: string): Piece[] {
  if (hidden.test(html)) return []
  const content = withoutComments(html, true)
  const marks = [...content.matchAll(opening)]
  let down = 0
  let counted = 0
  return marks.map((mark, index) => {
    for (; counted < mark.index; counted++) if (content[counted] === '\n') down++
    const text = content.slice(mark.index + mark[0].length, marks[index + 1]?.index)
    return { tag: mark[1]!.toLowerCase(), text: plainText(text), down }
  })
}

const plainText = (html: string): string =>
  html
    .replace(/<[^<>]{0,500}>/g, ' ')
    .replace(/&(amp|lt|gt|quot|nbsp|#39);/g, (_, name: string) => entities[name]!)
    .replace(/\s+/g, ' ')
    .trim()
