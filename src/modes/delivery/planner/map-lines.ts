import type { Chosen } from './choose.ts'
import { sharedNames } from './code-words.ts'
import { type Id, idsIn } from './ids.ts'
import type { Item, Place } from './item.ts'
import { itemAbove, type KnownIds } from './known-ids.ts'

export type Mapped = { readonly item: Item; readonly story: Item | null; readonly by: string }

/**
 * Puts every other line into one story. Where several would do it is the last of them: what several stories work for
 * can hold only once the last of them is done.
 */
export function mapLines(items: readonly Item[], chosen: Chosen, known: KnownIds): readonly Mapped[] {
  const rank = new Map(chosen.stories.map((story, index) => [story, index]))
  const last = (some: Iterable<Item>): Item | undefined => {
    let best: Item | undefined
    for (const item of some) if (best === undefined || rank.get(item)! > rank.get(best)!) best = item
    return best
  }
  const holders = holdersOf(chosen, last)
  const namedBy = linesNamedBy(chosen, known, last)
  const byTitle = new Map(chosen.stories.map((story) => [normal(story.title), story]))
  const byNumber = storiesByNumber(chosen.stories)
  const sharing = sharedNames(chosen.stories, ({ text }) => text)
  const only = chosen.stories.length === 1 ? chosen.stories[0] : undefined
  const landed = new Map<Item, Item | null>()

  const storyNamedIn = (ids: readonly Id[], from: Place): Item | undefined =>
    last(ids.flatMap((id) => leavesOf(known.find(id, from), chosen, rank)))

  const decide = (item: Item): Omit<Mapped, 'item'> => {
    const above = itemAbove(item.place)
    if (above && rank.has(above)) return { story: above, by: 'stands below it' }
    const namer = namedBy.get(item)
    if (namer) return { story: namer, by: `is named by ${namer.id?.shown ?? `line ${namer.line}`}` }
    const named = item.kind === 'detail' ? undefined : storyNamedIn([...item.covers, ...item.mentions], item.place)
    if (named) return { story: named, by: `names ${named.id?.shown ?? `line ${named.line}`}` }
    const holding = holders.get(item.place)
    if (holding) return { story: holding, by: 'is made of it and what comes before it' }
    const follows = above ? landed.get(above) : undefined
    if (follows) return { story: follows, by: `belongs to line ${above!.line}` }
    const kin = item.id && item.id.numbers.length > 1 ? byNumber.get(item.id.numbers[0]!) : undefined
    if (kin) return { story: kin, by: `has the number of ${kin.id!.shown}` }
    const heading = underHeading(item, holders, byTitle, storyNamedIn)
    if (heading) return heading
    // What is asked of everything, and what says more about a line that nothing names, belongs to no single story.
    const shared = item.kind === 'aside' || (above && above.kind !== 'phase') ? undefined : sharing(item.text)
    if (shared) return { story: shared.thing, by: `names ${shared.word}, as it does` }
    return only ? { story: only, by: 'is all there is' } : { story: null, by: 'nothing names it' }
  }

  const lines = items.filter((item) => !rank.has(item) && isLine(item, chosen, items, holders))
  return lines.map((item) => {
    const { story, by } = decide(item)
    landed.set(item, story)
    return { item, story, by }
  })
}

/** Groups, phases that hold other lines, and paragraphs about them are order, not work. */
function isLine(
  item: Item,
  { kind, groups }: Chosen,
  items: readonly Item[],
  holders: ReadonlyMap<Place, Item>,
): boolean {
  if (groups.has(item)) return false
  const above = itemAbove(item.place)
  if (item.kind === 'prose') return above !== null && (above.kind !== 'phase' || kind === 'phase')
  if (item.kind !== 'phase') return true
  return !holders.has(item.place) && !childrenOf(items).has(item)
}

const children = new WeakMap<readonly Item[], ReadonlySet<Item>>()

function childrenOf(items: readonly Item[]): ReadonlySet<Item> {
  const known = children.get(items) ?? new Set(items.flatMap(({ place }) => itemAbove(place) ?? []))
  children.set(items, known)
  return known
}

type Last = (some: Iterable<Item>) => Item | undefined

/** Which place holds which story, unless it holds all of them: then it says nothing. */
function holdersOf({ stories }: Chosen, last: Last): Map<Place, Item> {
  const counts = new Map<Place, number>()
  const found = new Map<Place, Item>()
  for (const story of stories) {
    for (let place = story.place.parent; place !== null; place = place.parent) {
      counts.set(place, (counts.get(place) ?? 0) + 1)
      const before = found.get(place)
      found.set(place, before ? last([before, story])! : story)
    }
  }
  for (const [place, count] of counts) if (count === stories.length && place.item === null) found.delete(place)
  return found
}

/** For each line that stories name, the last of them. */
function linesNamedBy({ stories }: Chosen, known: KnownIds, last: Last): Map<Item, Item> {
  const found = new Map<Item, Item>()
  for (const story of stories) {
    for (const id of [...story.covers, ...story.mentions]) {
      const line = known.find(id, story.place)
      if (!line || line === story) continue
      const before = found.get(line)
      found.set(line, before ? last([before, story])! : story)
    }
  }
  return found
}

function leavesOf(item: Item | undefined, { groups }: Chosen, rank: ReadonlyMap<Item, number>): readonly Item[] {
  if (!item) return []
  return groups.get(item) ?? (rank.has(item) ? [item] : [])
}

function storiesByNumber(stories: readonly Item[]): ReadonlyMap<number, Item> {
  const found = new Map<number, Item>()
  for (const story of stories) if (story.id?.numbers.length === 1) found.set(story.id.numbers[0]!, story)
  return found
}

function underHeading(
  item: Item,
  holders: ReadonlyMap<Place, Item>,
  byTitle: ReadonlyMap<string, Item>,
  named: (ids: readonly Id[], from: Place) => Item | undefined,
): Omit<Mapped, 'item'> | undefined {
  for (let place = item.place.parent; place !== null; place = place.parent) {
    const story =
      byTitle.get(normal(place.heading)) ??
      named(
        idsIn(place.heading).map(({ id }) => id),
        place,
      ) ??
      holders.get(place)
    if (story) return { story, by: `stands under the heading "${place.heading}"` }
  }
  return undefined
}

const normal = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
