import type { Chosen } from './granularity.ts'
import { sameWords } from './read/clean.ts'
import { findIds, type Id } from './read/ids.ts'
import type { Item, Place } from './read/item.ts'
import { itemAbove, type KnownIds } from './read/known-ids.ts'

/** The story a line belongs to, and why. */
export type Mapped = { readonly item: Item; readonly story: Item | null; readonly by: string }
type Landed = Omit<Mapped, 'item'>

/** Assigns each line that is not a story to one story or to none. */
export function mapLines(items: readonly Item[], chosen: ChosenInOrder, known: KnownIds): readonly Mapped[] {
  const mapper = new Mapper(items, chosen, known)
  return items.flatMap((item) => (mapper.isLine(item) ? [{ item, ...mapper.land(item) }] : []))
}

type ChosenInOrder = Chosen & { readonly order: readonly Item[] }

/** Returns the lines directly below a story, which need no search. */
export function linesBelow(items: readonly Item[], { stories }: Chosen): readonly Mapped[] {
  const known = new Set(stories)
  return items.flatMap((item) => {
    const above = known.has(item) ? null : itemAbove(item.place)
    return above && known.has(above) ? [{ item, story: above, by: 'listed below it' }] : []
  })
}

const maxHops = 50
const nowhere: Landed = { story: null, by: 'no story refers to it' }

/** If a line fits several stories, the last one gets it: the line can only hold once all of them are done. */
class Mapper {
  private readonly chosen: Chosen
  private readonly known: KnownIds
  private readonly rank: ReadonlyMap<Item, number>
  private readonly parents: ReadonlySet<Item>
  private readonly holders: ReadonlyMap<Place, Item>
  private readonly namers: ReadonlyMap<Item, Item>
  private readonly byTitle: ReadonlyMap<string, Item>
  private readonly sharing: ReturnType<typeof sharedNames<Item>>
  private readonly landed = new Map<Item, Landed>()
  private hops = 0

  constructor(items: readonly Item[], chosen: ChosenInOrder, known: KnownIds) {
    this.chosen = chosen
    this.known = known
    this.rank = new Map(chosen.order.map((story, index) => [story, index]))
    this.parents = new Set(items.flatMap(({ place }) => itemAbove(place) ?? []))
    this.holders = this.storiesIn()
    this.namers = this.linesNamed()
    this.byTitle = new Map(chosen.stories.map((story) => [sameWords(story.title), story]))
    this.sharing = sharedNames(chosen.stories, ({ text }) => text)
  }

  /** Phases that contain other lines, and paragraphs about them, give structure and are not work. */
  isLine(item: Item): boolean {
    if (this.rank.has(item)) return false
    if (item.kind === 'phase') return !this.holders.has(item.place) && !this.parents.has(item)
    if (item.kind !== 'prose') return true
    const above = itemAbove(item.place)
    return above !== null && (above.kind !== 'phase' || this.rank.has(above))
  }

  land(item: Item): Landed {
    const known = this.landed.get(item)
    if (known) return known
    if (this.hops > maxHops) return nowhere
    // Set before the search, so that lines naming each other do not recurse forever.
    this.landed.set(item, nowhere)
    this.hops++
    const landed = this.decide(item)
    this.hops--
    this.landed.set(item, landed)
    return landed
  }

  private decide(item: Item): Landed {
    const above = itemAbove(item.place)
    if (above && this.rank.has(above)) return { story: above, by: 'listed below it' }
    const holding = this.byHolding(item)
    if (holding) return holding
    const namer = this.namers.get(item)
    if (namer) return { story: namer, by: `named by ${formatName(namer)}` }
    const isDetail = item.kind === 'detail' || item.kind === 'prose'
    return (
      (isDetail ? undefined : this.byName(item)) ??
      this.byParent(above) ??
      (isDetail ? this.byName(item) : undefined) ??
      this.byHeading(item) ??
      this.bySharing(item, above) ??
      this.asOnly()
    )
  }

  /** The line names a story, or another line that belongs to one. */
  private byName(item: Item): Landed | undefined {
    for (const id of [...item.covers, ...item.mentions]) {
      const other = this.known.find(id, item.place)
      const story = other && other !== item ? this.storyOf(other) : null
      if (other && story) return { story, by: `names ${formatName(other)}` }
    }
    return undefined
  }

  private byHolding(item: Item): Landed | undefined {
    const story = this.last(this.chosen.groups.get(item) ?? []) ?? this.holders.get(item.place)
    return story && { story, by: 'contains it and earlier stories' }
  }

  private byParent(above: Item | null): Landed | undefined {
    const story = above ? this.storyOf(above) : null
    return above && story ? { story, by: `belongs to line ${above.line}` } : undefined
  }

  private byHeading(item: Item): Landed | undefined {
    for (let place = item.place.parent; place !== null; place = place.parent) {
      const story = this.byTitle.get(sameWords(place.heading)) ?? this.namedIn(place) ?? this.holders.get(place)
      if (story) return { story, by: `under the heading "${place.heading}"` }
    }
    return undefined
  }

  private namedIn(place: Place): Item | undefined {
    return this.last(findIds(place.heading).flatMap(({ id }) => this.leaves(this.known.find(id, place))))
  }

  /** Constraints on everything, and details of an unassigned line, belong to no single story. */
  private bySharing({ kind, text }: Item, above: Item | null): Landed | undefined {
    if (kind === 'aside' || (above && above.kind !== 'phase')) return undefined
    const shared = this.sharing(text)
    return shared && { story: shared.thing, by: `shares the name ${shared.word} with it` }
  }

  private asOnly(): Landed {
    const [only, second] = this.chosen.stories
    return only && !second ? { story: only, by: 'the only story' } : nowhere
  }

  private storyOf(item: Item): Item | null {
    return this.last(this.leaves(item)) ?? this.land(item).story
  }

  private leaves(item: Item | undefined): readonly Item[] {
    if (!item) return []
    return this.chosen.groups.get(item) ?? (this.rank.has(item) ? [item] : [])
  }

  private last(some: readonly Item[]): Item | undefined {
    return some.reduce<Item | undefined>((best, one) => (best ? this.later(best, one) : one), undefined)
  }

  private later(a: Item, b: Item): Item {
    return this.rank.get(b)! > this.rank.get(a)! ? b : a
  }

  /** Maps each place to its last story. A heading above all stories is ignored. */
  private storiesIn(): Map<Place, Item> {
    const counts = new Map<Place, number>()
    const found = new Map<Place, Item>()
    for (const story of this.chosen.stories) {
      for (let place = story.place.parent; place !== null; place = place.parent) {
        counts.set(place, (counts.get(place) ?? 0) + 1)
        found.set(place, this.later(found.get(place) ?? story, story))
      }
    }
    const all = this.chosen.stories.length
    for (const [place, count] of counts) if (count === all && place.item === null) found.delete(place)
    return found
  }

  /** Maps each line named by stories to the last of these stories. */
  private linesNamed(): Map<Item, Item> {
    const found = new Map<Item, Item>()
    for (const story of this.chosen.stories) {
      for (const id of listNames(story)) {
        const line = this.known.find(id, story.place)
        if (line && line !== story) found.set(line, this.later(found.get(line) ?? story, story))
      }
    }
    return found
  }
}

const listNames = ({ covers, mentions }: Item): readonly Id[] => [...covers, ...mentions]
const formatName = ({ id, line }: Item): string => id?.shown ?? `line ${line}`

const marked = /`([^`\n]{1,200})`/g
const inWords = /(?<![A-Za-z0-9_])[A-Za-z][A-Za-z0-9]{0,40}(?:_[A-Za-z0-9]{1,40}){1,8}(?![A-Za-z0-9_])/g
const camel = /(?<![A-Za-z0-9_])[A-Za-z][a-z0-9]{1,40}(?:[A-Z][a-z0-9]{1,40}){1,6}(?![A-Za-z0-9_])/g
const part = /[A-Za-z][A-Za-z0-9_-]{2,60}/g

/** Returns names that look like code: words in backticks, snake_case, camelCase. */
function codeWords(text: string): ReadonlySet<string> {
  const found = new Set<string>()
  for (const [, code] of text.matchAll(marked)) for (const [word] of code!.matchAll(part)) found.add(word)
  if (text.includes('_')) for (const [word] of text.matchAll(inWords)) found.add(word)
  for (const [word] of text.matchAll(camel)) found.add(word)
  return found
}

/** Finds the only thing that shares a code name with a text. Undefined if several do. */
function sharedNames<T>(things: readonly T[], textOf: (thing: T) => string) {
  const owners = new Map<string, Set<T>>()
  for (const thing of things) {
    for (const word of codeWords(textOf(thing))) {
      const all = owners.get(word) ?? new Set<T>()
      // Two owners already make the name ambiguous.
      if (all.size < 2) owners.set(word, all.add(thing))
    }
  }
  return (text: string): { readonly thing: T; readonly word: string } | undefined => {
    const candidates = new Map<T, string>()
    for (const word of codeWords(text)) for (const thing of owners.get(word) ?? []) candidates.set(thing, word)
    const [first] = candidates
    return first && candidates.size === 1 ? { thing: first[0], word: first[1] } : undefined
  }
}
