import type { Chosen } from './choose.ts'
import type { Mapped } from './map-lines.ts'
import { nearestId } from './nearest-id.ts'
import type { Item, Need } from './read/item.ts'
import { itemAbove, type KnownIds } from './read/known-ids.ts'
import { PlanRefused } from './read/problem.ts'

export type Edge = { readonly on: Item; readonly need: Need }

const mostEdges = 1_000_000

/** For each story the stories that come before it, each with the words that say so. What its lines need, it needs. */
export function edgesOf(
  chosen: Chosen,
  mapped: readonly Mapped[],
  known: KnownIds,
): ReadonlyMap<Item, readonly Edge[]> {
  const { stories } = chosen
  const members = membersOf(chosen)
  const home = new Map<Item, Item | null>(mapped.map(({ item, story }) => [item, story]))
  for (const story of stories) home.set(story, story)
  const edges = new Map<Item, Map<Item, Edge>>(stories.map((story) => [story, new Map()]))
  let count = 0
  const add = (story: Item, need: Need, from: Item): void => {
    const target = targetOf(need, from, known)
    if (!target) return
    const own = edges.get(story)!
    for (const on of members.get(target) ?? [home.get(target) ?? null]) {
      if (on === null || on === story || own.has(on)) continue
      if (++count > mostEdges)
        throw new PlanRefused({ code: 'too-big', message: `it has more than ${mostEdges} dependencies` })
      own.set(on, { on, need })
    }
  }
  for (const [holder, held] of members)
    for (const need of holder.needs) for (const story of held) add(story, need, holder)
  for (const [item, story] of home)
    if (story && !members.has(item)) for (const need of item.needs) add(story, need, item)
  return new Map([...edges].map(([story, all]) => [story, [...all.values()]]))
}

/** What holds stories: what it needs, all of them need, and to wait for it is to wait for all of them. */
function membersOf({ stories, groups }: Chosen): ReadonlyMap<Item, readonly Item[]> {
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

/** An id that nobody knows is a mistake where it is named as a dependency, and a word like any other elsewhere. */
function targetOf(need: Need, from: Item, known: KnownIds): Item | undefined {
  const { on } = need
  if (typeof on === 'string') return known.titled(on)
  const target = known.find(on, from.place)
  const meant = need.told === 'field' || (need.told === 'words' && known.hasPrefix(on))
  if (target || !meant) return target
  const near = nearestId(on, known.shown)
  throw new PlanRefused({
    code: 'unknown-dependency',
    message: `line ${need.line}: it depends on ${on.shown}, and there is no ${on.shown}`,
    ...(near !== undefined && { hint: `The nearest is ${near}.` }),
    line: need.line,
  })
}
