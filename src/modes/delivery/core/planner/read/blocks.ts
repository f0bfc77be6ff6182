import type { ContextTopic } from '../../../contract/plan.ts'
import { cutText } from './clean.ts'
import type { Item } from './item.ts'

/**
 * One block of a document with its role: a heading, a paragraph, a list item, a row, a code block and so on. The
 * blocks together cover every line that is not blank. Whether an item is a story or a criterion is decided later.
 */
export type Block = {
  readonly line: number
  readonly endLine: number
  readonly text: string
  readonly role: 'item' | 'context' | 'excluded' | 'ignored'
  readonly because: string
  readonly item: Item | null
}

/** A section that every story has to know about. */
export type Topical = {
  readonly topic: ContextTopic
  readonly line: number
  readonly endLine: number
  readonly text: string
}

/** The result of reading a document. */
export type Found = {
  readonly format: string
  readonly items: readonly Item[]
  readonly blocks: readonly Block[]
  readonly topics: readonly Topical[]
  /** Returns the text of an item as it stands in the document, to the end of `endLine`. */
  readonly quote: (item: Item, endLine: number) => string
}

export const createBlock = (
  { line, endLine, text }: Pick<Block, 'line' | 'endLine' | 'text'>,
  role: Block['role'],
  because: string,
  item: Item | null = null,
): Block => ({ line, endLine, text, role, because, item })

const maxText = 200

/** Adds a block for each line that has none, and sorts all by line. `classify` decides on such a line. */
export function coverLines(
  lines: readonly string[],
  blocks: readonly Block[],
  classify: (text: string, line: number) => Pick<Block, 'role' | 'because'>,
): readonly Block[] {
  const isCovered = new Uint8Array(lines.length + 2)
  for (const { line, endLine } of blocks) isCovered.fill(1, line, endLine + 1)
  const added = lines.flatMap((raw, index) => {
    const text = raw.trim()
    if (text === '' || isCovered[index + 1]) return []
    const { role, because } = classify(text, index + 1)
    return [createBlock({ line: index + 1, endLine: index + 1, text: cutText(text, maxText) }, role, because)]
  })
  const own = blocks.filter(({ line, endLine }) => endLine >= line)
  return [...own, ...added].sort((a, b) => a.line - b.line)
}
