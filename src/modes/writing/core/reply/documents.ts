/** A text in a prompt. */
export type Document = { readonly name: string; readonly text: string }

export type Fitted = { readonly documents: readonly Document[]; readonly isShortened: boolean }

/**
 * Returns the documents in full if they fit. Otherwise shortens those that are not in `keep` to their headings and beginnings, and if
 * that is still too much, to their headings alone.
 */
export function fitDocuments(
  documents: readonly Document[],
  { tokens, estimateTokens, keep = new Set() }: FitOptions,
): Fitted {
  const size = (all: readonly Document[]): number =>
    all.reduce((sum, { name, text }) => sum + estimateTokens(name) + estimateTokens(text) + 8, 0)
  if (size(documents) <= tokens) return { documents, isShortened: false }
  for (const letters of [600, 240, 80, 0]) {
    const shorter = documents.map((document) => (keep.has(document.name) ? document : outline(document, letters)))
    if (size(shorter) <= tokens || letters === 0) return { documents: shorter, isShortened: true }
  }
  return { documents, isShortened: false }
}

export type FitOptions = {
  readonly tokens: number
  readonly estimateTokens: (text: string) => number
  /** Names of documents that are never shortened. */
  readonly keep?: ReadonlySet<string>
}

const maxHeadings = 12

function outline({ name, text }: Document, letters: number): Document {
  if (text.length <= letters) return { name, text }
  const headings = text.match(/^#{1,6}\s.*$/gm)?.slice(0, maxHeadings) ?? []
  const body = text.replace(/^#{1,6}\s.*$/gm, '').trim()
  const beginning = letters === 0 ? '' : `${body.slice(0, letters).replace(/\s+\S*$/, '')} …`
  return { name, text: [...headings, beginning].filter((line) => line !== '').join('\n') }
}
