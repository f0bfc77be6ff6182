/** An HTML element, the text before it, or something without text. Lines are counted from the start of the HTML. */
export type Piece = { readonly tag: string; readonly text: string; readonly down: number }

const opening = /<(h[1-6]|li|tr|td|th)(?:\s[^<>]{0,500})?>/gi
const unread = /^\s{0,3}<(?:script|style|pre|textarea)\b/i
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', '#39': "'" }

/** Splits HTML into headings, list items and cells, in order. Nested lists are flattened. */
export function splitHtml(html: string): Piece[] {
  if (html.trimEnd().endsWith(tagMark)) return [{ tag: 'layout', text: 'a tag', down: 0 }]
  if (unread.test(html)) return [{ tag: 'hidden', text: 'HTML that is not read', down: 0 }]
  const content = withoutComments(html)
  const marks = [...content.matchAll(opening)]
  const lead = plainText(content.slice(0, marks[0]?.index))
  const isComment = content.trim() === ''
  const first = lead
    ? { tag: 'text', text: lead, down: 0 }
    : { tag: isComment ? 'hidden' : 'layout', text: isComment ? 'a comment' : 'HTML tags', down: 0 }
  let down = 0
  let counted = 0
  const pieces = marks.map((mark, index) => {
    for (; counted < mark.index; counted++) if (content[counted] === '\n') down++
    const text = content.slice(mark.index + mark[0].length, marks[index + 1]?.index)
    return { tag: mark[1]!.toLowerCase(), text: plainText(text), down }
  })
  return lead || pieces.length === 0 || pieces[0]!.down > 0 ? [first, ...pieces] : pieces
}

/** Keeps the line breaks in comments. */
function withoutComments(html: string): string {
  let kept = ''
  let at = 0
  for (let from = html.indexOf('<!--'); from !== -1; from = html.indexOf('<!--', at)) {
    kept += html.slice(at, from)
    const end = html.indexOf('-->', from + 4)
    if (end === -1) return kept
    at = end + 3
    kept += html.slice(from, at).replace(/[^\n]+/g, '')
  }
  return kept + html.slice(at)
}

const plainText = (html: string): string =>
  html
    .replace(/<[^<>]{0,500}>/g, ' ')
    .replace(/&(amp|lt|gt|quot|nbsp|#39);/g, (_, name: string) => entities[name]!)
    .replace(/\s+/g, ' ')
    .trim()

const tagMark = '<!--tag-->'
const tagLine = /^([ \t]{0,40})(<\/?[A-Za-z][^\n]{0,2000})$/gm
const openTag = /^<\/?([A-Za-z][\w.:-]{0,60})(?:\s[^<>]{0,500})?\/?>\s{0,9}/
const closeTag = /<\/([A-Za-z][\w.:-]{0,60})\s{0,9}>\s{0,9}$/
const read = /^(?:h[1-6]|li|ul|ol|tr|td|th|table|thead|tbody|tfoot|script|style|pre|textarea)$/i
const box = /^(?:details|summary|div|p|section|article|center|main|header|footer|aside|figure)$/i

/**
 * Takes tags such as `<context>` or `<details>` off the start and end of a line. Markdown would not read what stands between
 * them. A line of tags only becomes a comment.
 */
export const withoutTags = (text: string): string =>
  text.replace(tagLine, (line: string, indent: string, tags: string) => {
    let inner = tags
    let isBox = false
    for (let tag = openTag.exec(inner); tag && !read.test(tag[1]!); tag = openTag.exec(inner)) {
      isBox ||= box.test(tag[1]!)
      inner = inner.slice(tag[0].length)
    }
    if (inner === tags) return line
    const isClosed = closeTag.test(inner)
    for (let tag = closeTag.exec(inner); tag && !read.test(tag[1]!); tag = closeTag.exec(inner))
      inner = inner.slice(0, tag.index)
    if (inner.trim() === '') return indent + tagMark
    return isBox || isClosed ? indent + inner : line
  })
