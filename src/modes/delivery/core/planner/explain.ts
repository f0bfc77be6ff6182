import type { Edge } from './edges.ts'
import type { Mapped } from './map-lines.ts'
import type { Item } from './read/item.ts'

/** The story that a line of the PRD became part of, and why. */
export type Explained = {
  readonly line: number
  /** The PRD's own id. */
  readonly id: string | null
  readonly title: string
  /** Null if it belongs to no story. */
  readonly story: string | null
  readonly role: 'story' | 'criterion' | 'unmapped'
  /** For a story the reason for its position, for any other line the reason for its story. */
  readonly because: string
}

/** Explains every line, in PRD order. */
export function explain(
  order: readonly Item[],
  edges: ReadonlyMap<Item, readonly Edge[]>,
  mapped: readonly Mapped[],
): readonly Explained[] {
  const names = new Map(order.map((item, index) => [item, `S${index + 1}`]))
  const stories = order.map((item): Explained => {
    const after = edges
      .get(item)!
      .map(({ on, need }) => `after ${names.get(on)!} because of "${need.wording}" (line ${need.line})`)
    return { ...shown(item), story: names.get(item)!, role: 'story', because: after.join('; ') || 'no dependencies' }
  })
  const lines = mapped.map(({ item, story, by }): Explained => {
    const name = story ? names.get(story)! : null
    return { ...shown(item), story: name, role: name ? 'criterion' : 'unmapped', because: by }
  })
  return [...stories, ...lines].sort((a, b) => a.line - b.line)
}

const shown = ({ line, id, title }: Item) => ({ line, id: id?.shown ?? null, title })
