import type { Plan } from '../../contract/plan.ts'
import type { Edge } from './edges.ts'
import type { Mapped } from './map-lines.ts'
import type { Block } from './read/blocks.ts'
import { asksForMore } from './read/demands.ts'
import type { Item } from './read/item.ts'
import type { KnownIds } from './read/known-ids.ts'

/** The role of one block of the PRD, and the reason for it. Every line that is not blank belongs to a block. */
export type Explained = {
  readonly line: number
  readonly end_line: number
  /** The PRD's own id. */
  readonly id: string | null
  readonly title: string
  /** Null if it belongs to no story. */
  readonly story: string | null
  readonly role: 'story' | 'criterion' | 'context' | 'excluded' | 'ignored'
  /** For a story the reason for its position, for a criterion the reason for its story, else the reason for its role. */
  readonly because: string
}

/** Counts the lines of a PRD that its plan ignores. */
export const countIgnored = ({ ignored = [] }: Pick<Plan, 'ignored'>): number =>
  new Set(ignored.flatMap(({ line, end_line }) => Array.from({ length: end_line - line + 1 }, (_, at) => line + at)))
    .size

type Made = {
  readonly order: readonly Item[]
  readonly edges: ReadonlyMap<Item, readonly Edge[]>
  readonly mapped: readonly Mapped[]
  readonly instead: ReadonlyMap<Item, Item | null>
  readonly known: KnownIds
}
type Fate = Pick<Explained, 'story' | 'role' | 'because'>

/** Explains every block, in PRD order. */
export function explainBlocks(blocks: readonly Block[], made: Made): readonly Explained[] {
  const { order, edges, mapped, instead } = made
  const names = new Map(order.map((item, index) => [item, `S${index + 1}`]))
  const landed = new Map(mapped.map((one) => [one.item, one]))
  const lost = findLostNeeds(blocks, made)

  const explainItem = (item: Item): Fate => {
    const other = instead.get(item)
    if (other) return explainItem(other)
    if (other === null) return { story: null, role: 'context', because: 'mentions what is defined elsewhere' }
    const name = names.get(item)
    if (name !== undefined) {
      const after = edges
        .get(item)!
        .map(({ on, need }) => `after ${names.get(on)!} because of "${need.wording}" (line ${need.line})`)
      return { story: name, role: 'story', because: after.join('; ') || 'no dependencies' }
    }
    const found = landed.get(item)
    if (!found && item.kind === 'prose' && asksForMore(item.text, false))
      return { story: null, role: 'ignored', because: 'a paragraph without an id' }
    if (!found) return { story: null, role: 'context', because: 'groups or describes stories' }
    const { story, by } = found
    if (story) return { story: names.get(story)!, role: 'criterion', because: by }
    const isForAll = item.kind === 'aside'
    return { story: null, role: isForAll ? 'context' : 'ignored', because: isForAll ? 'concerns every story' : by }
  }

  return blocks.map(({ line, endLine, text, role, because, item }): Explained => {
    const unknown = lost.get(line)
    const fate: Fate = item
      ? explainItem(item)
      : unknown !== undefined && role === 'context'
        ? { story: null, role: 'ignored', because: unknown }
        : { story: null, role: role === 'item' ? 'ignored' : role, because }
    return { line, end_line: endLine, id: item?.id?.shown ?? null, title: item?.title ?? text, ...fate }
  })
}

/** Finds dependencies in words that name no item: by line, with the reason. */
function findLostNeeds(blocks: readonly Block[], { known }: Made): ReadonlyMap<number, string> {
  const found = new Map<number, string>()
  const named = new Set<number>()
  const items = new Set(blocks.flatMap(({ item }) => item ?? []))
  for (const { needs } of items)
    for (const { on, line, wording } of needs) {
      if (typeof on === 'string' && known.titled(on) === undefined)
        found.set(line, `no item has the title in "${wording}"`)
      else named.add(line)
    }
  for (const line of named) found.delete(line)
  return found
}
