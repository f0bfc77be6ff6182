import MarkdownIt, { type Token } from 'markdown-it'
import type { Block } from './blocks.ts'
import { parseField } from './fields.ts'
import { splitHtml, withoutTags } from './html.ts'
import { PlanRefused } from './item.ts'
import { findSection } from './sections.ts'

/** A document outline: headings contain what follows them, list items contain what is indented below them. */
export type Node = {
  /** The text of `layout` (rules, table heads, tags) and `hidden` (comments) says what they are. */
  readonly sort: 'root' | 'heading' | 'item' | 'text' | 'row' | 'code' | 'layout' | 'hidden'
  readonly parent: Node | null
  readonly children: Node[]
  /** The source text, including emphasis and backticks. */
  text: string
  readonly line: number
  /** The last line of its own text, without its children. Before `line` if it has no line to itself. */
  endLine: number
  /** For headings 1 to 6; 7 for a bold line used as a heading; 8 for a bold line that belongs to the heading before it. */
  readonly level: number
  /** For table rows: pairs of column head and cell. */
  readonly cells: readonly (readonly [string, string])[]
}

type LineRange = readonly [number, number]

// Only blocks are parsed: inline markup is irrelevant here and takes two thirds of the time.
const markdown = new MarkdownIt({ html: true })
markdown.core.ruler.enableOnly(['normalize', 'block'])

/** Every line with text belongs to one node, except front matter, link definitions and lines of marks only. */
export function parseOutline(text: string): Node {
  refuseTooMany(text)
  const builder = new Builder()
  if (isFeatureFile(text)) {
    builder.scenarios(text, 0)
    return builder.root
  }
  for (const token of markdown.parse(withoutTags(withoutFrontMatter(text)), {})) builder.take(token)
  return builder.root
}

/** Returns the last line of a node, including all below it. */
export function findEnd(node: Node): number {
  let last = node
  while (last.children.length > 0) last = last.children.at(-1)!
  return Math.max(node.endLine, last.endLine)
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

const isFeatureFile = (text: string): boolean => /^\s{0,99}(?:[@#][^\n]{0,200}\n\s{0,99}){0,9}Feature:/.test(text)

/** Blanks front matter, which Markdown would read as a heading. Line numbers stay the same. */
function withoutFrontMatter(text: string): string {
  const end = findFrontMatterEnd(text)
  return text.slice(0, end).replace(/[^\n]+/g, '') + text.slice(end)
}

const frontMatter = /^\s{0,20}---[ \t]*\n(?=[\w-]{1,60}[ \t]*:)/

/** Returns where front matter ends, or 0 if there is none. */
function findFrontMatterEnd(text: string): number {
  const start = frontMatter.exec(text)
  if (!start) return 0
  const end = /\n---[ \t]*(?:\n|$)/g
  end.lastIndex = start[0].length
  return end.exec(text) ? end.lastIndex : 0
}

/** Says what a line is that has no node. */
export function describeGaps(text: string): (line: string, number: number) => Pick<Block, 'role' | 'because'> {
  const frontMatter = text.slice(0, findFrontMatterEnd(text)).split('\n').length - 1
  return (line, number) => {
    if (number <= frontMatter) return { role: 'context', because: 'front matter' }
    if (/^[>\s]*\[[^\]]+\]:/.test(line)) return { role: 'context', because: 'the target of a link' }
    if (/^[\s>*+\-=|:\d.)~`#]*$/.test(line)) return { role: 'context', because: 'marks only' }
    return { role: 'ignored', because: 'not read' }
  }
}

class Builder {
  readonly root: Node = { ...blank, sort: 'root', parent: null, children: [], line: 1, endLine: 0 }
  private at: Node = this.root
  private heading: Token | null = null
  private heads: string[] = []
  private inHead = false
  private quotes = 0
  private row: { cells: string[]; map: LineRange; inHead: boolean } | null = null

  take(token: Token): void {
    switch (token.type) {
      case 'heading_open':
        this.heading = token
        return
      case 'blockquote_open':
        this.quotes++
        return
      case 'blockquote_close':
        this.quotes--
        return
      case 'list_item_open':
        this.at = this.add('item', '', [token.map![0], token.map![0]])
        return
      case 'list_item_close':
        this.at = this.at.parent ?? this.root
        return
      case 'thead_open':
      case 'thead_close':
        this.inHead = token.type === 'thead_open'
        return
      case 'tr_open': {
        const line = token.map?.[0] ?? 0
        // The line below the head only has dashes.
        this.row = { cells: [], map: [line, line + (this.inHead ? 2 : 1)], inHead: this.inHead }
        return
      }
      case 'tr_close':
        this.endRow()
        return
      case 'hr':
        this.add('layout', 'a rule', token.map!)
        return
      case 'code_block':
      case 'fence':
        if (token.info.trim() === 'gherkin') this.fencedScenarios(token)
        else this.add('code', token.content, token.map!)
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
    } else if (isHeadingLike(token.content)) this.open(findLevel(token.content), token.content, token.map!)
    else if (this.mayOpen() && isBoldOverText(token.content)) {
      const [from, to] = token.map!
      const end = token.content.indexOf('\n')
      this.open(7, token.content.slice(0, end), [from, from + 1])
      this.add('text', token.content.slice(end + 1), [from + 1, to])
    } else this.add('text', token.content, token.map!)
  }

  /** Inside a list or a quote a heading is plain text. */
  private mayOpen(): boolean {
    return this.at.sort !== 'item' && this.quotes === 0
  }

  /** A heading closes headings of its level or deeper. */
  private open(level: number, text: string, map: LineRange): void {
    if (!this.mayOpen()) {
      this.add('text', text, map)
      return
    }
    while (this.at.sort === 'heading' && this.at.level >= level) this.at = this.at.parent!
    this.at = this.add('heading', text, map, level)
  }

  private endRow(): void {
    const { cells, map, inHead } = this.row!
    this.row = null
    if (inHead) {
      this.heads = cells
      this.add('layout', 'the head of a table', map)
    } else {
      const named = cells.map((cell, column) => [this.heads[column] ?? '', cell] as const)
      this.add('row', cells.join(' '), map, 0, named)
    }
  }

  private html({ content, map }: Token): void {
    const pieces = splitHtml(content)
    const starts = pieces.filter(({ tag }) => !isCell(tag)).map(({ down }) => map![0] + down)
    let next = 0
    this.heads = []
    for (const { tag, text } of pieces) {
      if (isCell(tag)) {
        this.row?.cells.push(text)
        continue
      }
      if (this.row) this.endRow()
      const line = starts[next++]!
      const lines = [line, Math.max(line + 1, starts[next] ?? map![1])] as const
      if (tag === 'tr') this.row = { cells: [], map: lines, inHead: this.heads.length === 0 }
      else if (tag === 'li') this.add('item', text, lines)
      else if (tag === 'text' || tag === 'layout' || tag === 'hidden') this.add(tag, text, lines)
      else this.open(Number(tag.slice(1)), text, lines)
    }
    if (this.row) this.endRow()
    this.heads = []
  }

  /** Adds scenarios as texts: they are requirements even inside a code block. */
  scenarios(content: string, first: number): number {
    const lines = content.trimEnd().split('\n')
    const starts = lines.flatMap((line, at) => (/^\s*(?:Scenario|Example)\b/.test(line) ? [at] : []))
    if (starts[0]) this.add('layout', 'describes a feature', [first, first + starts[0]])
    starts.forEach((from, index) => {
      const to = starts[index + 1] ?? lines.length
      const text = lines.slice(from, to).map((line) => line.trim())
      this.add('text', text.filter(Boolean).join('\n'), [first + from, first + to])
    })
    return starts.length === 0 ? first : first + lines.length
  }

  private fencedScenarios({ content, map }: Token): void {
    const [from, to] = map!
    const end = this.scenarios(content, from + 1)
    if (end === from + 1) this.add('code', content, [from, to])
    else {
      this.add('layout', 'a fence', [from, from + 1])
      this.add('layout', 'a fence', [end, to])
    }
  }

  private add(sort: Node['sort'], text: string, map: LineRange, level = 0, cells: Node['cells'] = []) {
    const node = { sort, parent: this.at, children: [], text, line: map[0] + 1, endLine: map[1], level, cells }
    this.at.children.push(node)
    return node
  }
}

const blank = { text: '', level: 0, cells: [] }
const isCell = (tag: string): boolean => tag === 'td' || tag === 'th'

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
