import MarkdownIt, { type Token } from 'markdown-it'
import { parseChapterHeading } from '../core/draft/chapter-heading.ts'
import { findFrontMatterEnd } from '../core/draft/headings.ts'

/** A piece of text in one style. `\n` is a line break. */
export type Run = { readonly text: string } & Emphasis
type Emphasis = {
  readonly bold?: boolean
  readonly italic?: boolean
  readonly strike?: boolean
  readonly code?: boolean
}

/** Where a block stands: in how many quotations and lists. */
type Place = { readonly quotes: number; readonly lists: number }

export type Block =
  | { readonly kind: 'heading'; readonly depth: number; readonly runs: readonly Run[] }
  | ({ readonly kind: 'paragraph'; readonly runs: readonly Run[] } & Place)
  /** The first paragraph of a list item. Items of one list have the same `list`. */
  | ({ readonly kind: 'item'; readonly runs: readonly Run[]; readonly list: List } & Place)
  | { readonly kind: 'scene-break' }
  | ({ readonly kind: 'code'; readonly text: string } & Place)
  /** The first row is the head. */
  | { readonly kind: 'table'; readonly rows: readonly (readonly (readonly Run[])[])[] }

/** `start` is null for a list with bullets. */
export type List = { readonly id: number; readonly start: number | null }

const markdown = new MarkdownIt({ html: true })

/** Turns Markdown into blocks. Front matter and comments are left out; they are for the author. */
export function parseBlocks(text: string): readonly Block[] {
  const clean = text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')
  const source = clean.slice(findFrontMatterEnd(clean))
  const builder = new Builder(source.split('\n'))
  for (const token of markdown.parse(source, {})) builder.take(token)
  return builder.blocks
}

class Builder {
  readonly blocks: Block[] = []
  private readonly lines: readonly string[]
  private readonly lists: List[] = []
  private quotes = 0
  private listCount = 0
  /** True until an item has its first paragraph. */
  private isNewItem = false
  private heading: Token | null = null
  private rows: (readonly Run[])[][] | null = null

  constructor(lines: readonly string[]) {
    this.lines = lines
  }

  take(token: Token): void {
    switch (token.type) {
      case 'heading_open':
        this.heading = token
        return
      case 'heading_close':
        this.heading = null
        return
      case 'inline':
        this.addText(token)
        return
      case 'hr':
        this.blocks.push({ kind: 'scene-break' })
        return
      case 'fence':
      case 'code_block':
        this.blocks.push({ kind: 'code', text: token.content.replace(/\n$/, ''), ...this.place() })
        return
      case 'html_block':
        this.addParagraph(toRuns(readHtml(token.content)))
        return
      default:
        this.enter(token)
    }
  }

  private enter({ type, attrs }: Token): void {
    if (type === 'blockquote_open') this.quotes++
    else if (type === 'blockquote_close') this.quotes--
    else if (type === 'bullet_list_open') this.lists.push({ id: ++this.listCount, start: null })
    else if (type === 'ordered_list_open') {
      const start = attrs?.find(([name]) => name === 'start')?.[1]
      this.lists.push({ id: ++this.listCount, start: start === undefined ? 1 : Number(start) })
    } else if (type === 'bullet_list_close' || type === 'ordered_list_close') this.lists.pop()
    else if (type === 'list_item_open') this.isNewItem = true
    else if (type === 'list_item_close') this.isNewItem = false
    else if (type === 'table_open') this.rows = []
    else if (type === 'tr_open') this.rows?.push([])
    else if (type === 'table_close' && this.rows) {
      this.blocks.push({ kind: 'table', rows: this.rows })
      this.rows = null
    }
  }

  private addText(token: Token): void {
    const runs = readRuns(token.children ?? [])
    if (this.rows) this.rows.at(-1)?.push(runs)
    else if (this.heading) this.addHeading(this.heading, token.content, runs)
    else this.addParagraph(runs)
  }

  /** `#` alone and three dashes below a sentence are breaks between scenes, although Markdown sees headings. */
  private addHeading({ tag, markup, map }: Token, text: string, runs: readonly Run[]): void {
    const underline = markup === '-' ? this.lines[(map?.[1] ?? 0) - 1]?.trim() : undefined
    const isSentence = underline === '---' && parseChapterHeading(text) === undefined
    if (isSentence) this.addParagraph(runs)
    if (isSentence || !/[\p{L}\p{N}]/u.test(text)) this.blocks.push({ kind: 'scene-break' })
    else this.blocks.push({ kind: 'heading', depth: Number(tag.slice(1)), runs })
  }

  private addParagraph(runs: readonly Run[]): void {
    if (runs.every(({ text }) => text.trim() === '')) return
    const list = this.lists.at(-1)
    if (list && this.isNewItem) this.blocks.push({ kind: 'item', runs, list, ...this.place() })
    else this.blocks.push({ kind: 'paragraph', runs, ...this.place() })
    this.isNewItem = false
  }

  private place(): Place {
    return { quotes: this.quotes, lists: this.lists.length }
  }
}

const styles: Readonly<Record<string, Emphasis>> = {
  strong: { bold: true },
  em: { italic: true },
  s: { strike: true },
}

function readRuns(tokens: readonly Token[]): readonly Run[] {
  const runs: Run[] = []
  const open: Emphasis[] = []
  let target = ''
  let linkText = ''
  const add = (text: string, style: Emphasis = {}): void => {
    linkText += text
    if (text !== '') runs.push({ text, ...Object.assign({}, ...open), ...style })
  }
  for (const token of tokens) {
    const { type, content, attrs } = token
    const style = styles[type.replace(/_(?:open|close)$/, '')]
    if (style && type.endsWith('_open')) open.push(style)
    else if (style) open.pop()
    else if (type === 'text' || type === 'text_special') add(content)
    else if (type === 'code_inline') add(content, { code: true })
    else if (type === 'softbreak') add(' ')
    else if (type === 'hardbreak') add('\n')
    else if (type === 'html_inline') add(readHtml(content))
    else if (type === 'image') add(content === '' ? '' : `[${content}]`)
    else if (type === 'link_open') {
      target = String(attrs?.find(([name]) => name === 'href')?.[1] ?? '')
      linkText = ''
    } else if (type === 'link_close' && target !== '' && !isSameAddress(target, linkText)) add(` (${target})`)
  }
  return joinRuns(runs)
}

/** Addresses are printed beside their text: a model may have written the text, and a reader should see where a link leads. */
const isSameAddress = (target: string, text: string): boolean =>
  [text, `mailto:${text}`, `${text}/`].some((one) => one === target || encodeURI(one) === target)

/** Joins neighbours of one style, so that a paragraph is not cut at every line. */
function joinRuns(runs: readonly Run[]): readonly Run[] {
  const joined: Run[] = []
  for (const run of runs) {
    const before = joined.at(-1)
    const isSame = before && (['bold', 'italic', 'strike', 'code'] as const).every((key) => before[key] === run[key])
    if (isSame) joined[joined.length - 1] = { ...before, text: before.text + run.text }
    else joined.push(run)
  }
  return joined
}

const toRuns = (text: string): readonly Run[] => (text.trim() === '' ? [] : [{ text: text.trim() }])

/** Keeps the text between tags. `<br>` is a line break. */
const readHtml = (html: string): string =>
  html
    .replace(/<!--[\s\S]*?(?:-->|$)/g, '')
    .replace(/<br\s*\/?>/gi, '\n')
    .replace(/<\/?[a-z][^<>]*>/gi, '')
