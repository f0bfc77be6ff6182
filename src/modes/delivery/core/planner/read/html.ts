import { withoutComments } from './clean.ts'

/** A piece of HTML that says something: its tag, its text, how many lines below the first it begins. */
export type Piece = { readonly tag: string; readonly text: string; readonly down: number }

const opening = /<(h[1-6]|li|tr|td|th)(?:\s[^<>]{0,500})?>/gi
const hidden = /^\s{0,3}<(?:script|style|pre|textarea)\b/i
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', '#39': "'" }

/** Headings, items and cells of a block of HTML, in order. Lists in lists become one. */
export function piecesOf(html: string): Piece[] {
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
