import type { Chosen } from './granularity.ts'
import type { Mapped } from './map-lines.ts'
import { type Id, parseId } from './read/ids.ts'
import type { Item, Need } from './read/item.ts'
import { PlanRefused } from './read/item.ts'
import { itemAbove, type KnownIds } from './read/known-ids.ts'

export type Edge = { readonly on: Item; readonly need: Need }

const maxEdges = 1_000_000

/** Returns each story's dependencies with their wording in the PRD. A story inherits the dependencies of its lines. */
export function findEdges(
  chosen: Chosen,
  mapped: readonly Mapped[],
  known: KnownIds,
): ReadonlyMap<Item, readonly Edge[]> {
  const { stories } = chosen
  const members = listMembers(chosen)
  const home = new Map<Item, Item | null>(mapped.map(({ item, story }) => [item, story]))
  for (const story of stories) home.set(story, story)
  const edges = new Map<Item, Map<Item, Edge>>(stories.map((story) => [story, new Map()]))
  let count = 0
  const add = (story: Item, need: Need, from: Item): void => {
    const target = findTarget(need, from, known)
    if (!target) return
    const own = edges.get(story)!
    for (const on of members.get(target) ?? [home.get(target) ?? null]) {
      if (on === null || on === story || own.has(on)) continue
      if (++count > maxEdges) throw new PlanRefused({ code: 'too-big', message: `more than ${maxEdges} dependencies` })
      own.set(on, { on, need })
    }
  }
  for (const [holder, held] of members)
    for (const need of holder.needs) for (const story of held) add(story, need, holder)
  for (const [item, story] of home)
    if (story && !members.has(item)) for (const need of item.needs) add(story, need, item)
  return new Map([...edges].map(([story, all]) => [story, [...all.values()]]))
}

/** Maps each group to its stories. They all inherit its dependencies, and depending on it means depending on all of them. */
function listMembers({ stories, groups }: Chosen): ReadonlyMap<Item, readonly Item[]> {
  const found = new Map<Item, Item[]>()
  for (const story of stories) {
    for (let above = itemAbove(story.place); above !== null; above = itemAbove(above.place)) {
      const held = found.get(above)
      if (held) held.push(story)
      else found.set(above, [story])
    }
  }
  return new Map<Item, readonly Item[]>([...found, ...groups])
}

/** An unknown id is an error if it is clearly meant as a dependency, and plain text otherwise. */
function findTarget(need: Need, from: Item, known: KnownIds): Item | undefined {
  const { on } = need
  if (typeof on === 'string') return known.titled(on)
  const target = known.find(on, from.place) ?? (on.numbers.length === 0 ? known.titled(on.shown) : undefined)
  const meant = need.certainty === 'field' || (need.certainty === 'words' && known.hasPrefix(on))
  if (target || !meant) return target
  throw new PlanRefused({
    code: 'unknown-dependency',
    message: `line ${need.line}: depends on ${on.shown}, but ${on.shown} does not exist`,
    hint: describeKnown(on, known.shown),
    line: need.line,
  })
}

const maxShown = 20

function describeKnown(id: Id, known: readonly string[]): string {
  if (known.length === 0) return 'The document has no ids. Name the title of the item.'
  const more = known.length > maxShown ? ` and ${known.length - maxShown} more` : ''
  return `Did you mean ${nearestId(id, known)}? Known ids: ${known.slice(0, maxShown).join(', ')}${more}.`
}

/** Returns the known id with the same prefix and the closest number. */
function nearestId(id: Id, known: readonly string[]): string {
  let best: { readonly shown: string; readonly far: number } | undefined
  for (const shown of known) {
    const other = parseId(shown)
    if (!other || other.prefix !== id.prefix) continue
    const far = distance(id.numbers, other.numbers)
    if (!best || far < best.far) best = { shown, far }
  }
  return best?.shown ?? known[0]!
}

/** Earlier numbers weigh more: 1.9 is closer to 1.2 than to 2.9. */
function distance(a: readonly number[], b: readonly number[]): number {
  let far = 0
  for (let i = 0; i < Math.max(a.length, b.length); i++)
    far = far * 1000 + Math.min(999, Math.abs((a[i] ?? 0) - (b[i] ?? 0)))
  return far
}
