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
  readonly label: string
  /** Markdown. */
  readonly text: string
}
