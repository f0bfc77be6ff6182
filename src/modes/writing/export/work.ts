import { findFrontMatterEnd } from '../core/draft/headings.ts'

/** A work as it is exported. */
export type ExportedWork = {
  readonly title: string
  readonly author?: string | undefined
  /** `book`: indented paragraphs and page numbers. `document`: paragraphs with space between. */
  readonly layout: 'book' | 'document'
  /** In reading order. */
  readonly parts: readonly ExportedPart[]
}

export type ExportedPart = {
  /** Becomes the heading if the text does not begin with one: "Chapter 3". */
  readonly label?: string
  /** Markdown. */
  readonly text: string
}

/** Exports one file. Its first heading is the title, and `title` is used if it has none. */
export function toDocument(title: string, author: string | undefined, text: string): ExportedWork {
  const body = text.slice(findFrontMatterEnd(text))
  const [line, heading] = /^\s*#[^\S\n]+(\S[^\n]*)/.exec(body) ?? ['', title]
  return { title: heading, author, layout: 'document', parts: [{ text: body.slice(line.length) }] }
}
