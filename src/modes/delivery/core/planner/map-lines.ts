import type { Chosen } from './granularity.ts'
import { sameWords } from './read/clean.ts'
import { findIds, type Id, type Kind } from './read/ids.ts'
import type { Item, Place } from './read/item.ts'
import { itemAbove, type KnownIds } from './read/known-ids.ts'

/** Where a line belongs, and why. */
export type Mapped = { readonly item: Item; readonly story: Item | null; readonly by: string }
type Landed = Omit<Mapped, 'item'>

/** Puts every other line into one story, or into none. */
export function mapLines(items: readonly Item[], chosen: ChosenInOrder, known: KnownIds): readonly Mapped[] {
  const mapper = new Mapper(items, chosen, known)
  return items.flatMap((item) => (mapper.isLine(item) ? [{ item, ...mapper.land(item) }] : []))
}

type ChosenInOrder = Chosen & { readonly order: readonly Item[] }

/** The lines that need no search: those below a story. */
export function linesBelow(items: readonly Item[], { stories }: Chosen): readonly Mapped[] {
  const known = new Set(stories)
  return items.flatMap((item) => {
    const above = known.has(item) ? null : itemAbove(item.place)
    return above && known.has(above) ? [{ item, story: above, by: 'stands below it' }] : []
  })
}

const mostHops = 50
const nowhere: Landed = { story: null, by: 'nothing names it' }

/**
 * Where several stories would do it is the last of them: what several stories work for can hold only once the last of
 * them is done.
 */
class Mapper {
  private readonly chosen: Chosen
  private readonly known: KnownIds
  private readonly rank: ReadonlyMap<Item, number>
  private readonly parents: ReadonlySet<Item>
  private readonly holders: ReadonlyMap<Place, Item>
  private readonly namers: ReadonlyMap<Item, Item>
  private readonly byTitle: ReadonlyMap<string, Item>
  private readonly byNumber: ReadonlyMap<string, Item>
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
    this.byNumber = new Map(items.flatMap((item) => (item.id?.numbers.length === 1 ? [[kinKey(item), item]] : [])))
    this.sharing = sharedNames(chosen.stories, ({ text }) => text)
  }

  /** Phases that hold other lines, and paragraphs about them, are order and not work. */
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
    if (this.hops > mostHops) return nowhere
    // Two lines that name each other would ask for ever.
    this.landed.set(item, nowhere)
    this.hops++
    const landed = this.decide(item)
    this.hops--
    this.landed.set(item, landed)
    return landed
  }

  private decide(item: Item): Landed {
    const above = itemAbove(item.place)
    if (above && this.rank.has(above)) return { story: above, by: 'stands below it' }
    const holding = this.byHolding(item)
    if (holding) return holding
    const namer = this.namers.get(item)
    if (namer) return { story: namer, by: `is named by ${formatName(namer)}` }
    const isDetail = item.kind === 'detail' || item.kind === 'prose'
    return (
      (isDetail ? undefined : this.byName(item)) ??
      this.byParent(above) ??
      (isDetail ? this.byName(item) : this.byKin(item)) ??
      this.byHeading(item) ??
      this.bySharing(item, above) ??
      this.asOnly()
    )
  }

  /** It names a story, or another line that has found one. */
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
    return story && { story, by: 'is made of it and what comes before it' }
  }

  private byParent(above: Item | null): Landed | undefined {
    const story = above ? this.storyOf(above) : null
    return above && story ? { story, by: `belongs to line ${above.line}` } : undefined
  }

  /** AC-2.1 goes with FR-2, US-2 or T-2. */
  private byKin({ id }: Item): Landed | undefined {
    if (!id || id.numbers.length < 2) return undefined
    for (const kind of ['requirement', 'user-story', 'task'] as const) {
      const kin = this.byNumber.get(`${kind} ${id.numbers[0]!}`)
      const story = kin ? this.storyOf(kin) : null
      if (kin && story) return { story, by: `has the number of ${formatName(kin)}` }
    }
    return undefined
  }

  private byHeading(item: Item): Landed | undefined {
    for (let place = item.place.parent; place !== null; place = place.parent) {
      const story = this.byTitle.get(sameWords(place.heading)) ?? this.namedIn(place) ?? this.holders.get(place)
      if (story) return { story, by: `stands under the heading "${place.heading}"` }
    }
    return undefined
  }

  private namedIn(place: Place): Item | undefined {
    return this.last(findIds(place.heading).flatMap(({ id }) => this.leaves(this.known.find(id, place))))
  }

  /** What is asked of everything, and what says more about a line that nothing names, belongs to no single story. */
  private bySharing({ kind, text }: Item, above: Item | null): Landed | undefined {
    if (kind === 'aside' || (above && above.kind !== 'phase')) return undefined
    const shared = this.sharing(text)
    return shared && { story: shared.thing, by: `has ${shared.word} in common with it` }
  }

  private asOnly(): Landed {
    const [only, second] = this.chosen.stories
    return only && !second ? { story: only, by: 'is all there is' } : nowhere
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

  /** Which place holds which story. A heading over all of them says nothing. */
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

  /** For each line that stories name, the last of them. */
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
const kinKey = ({ kind, id }: { readonly kind: Kind; readonly id: Id | null }): string => `${kind} ${id!.numbers[0]!}`

const marked = /`([^`\n]{1,200})`/g
const inWords = /(?<![A-Za-z0-9_])[A-Za-z][A-Za-z0-9]{0,40}(?:_[A-Za-z0-9]{1,40}){1,8}(?![A-Za-z0-9_])/g
const camel = /(?<![A-Za-z0-9_])[A-Za-z][a-z0-9]{1,40}(?:[A-Z][a-z0-9]{1,40}){1,6}(?![A-Za-z0-9_])/g
const part = /[A-Za-z][A-Za-z0-9_-]{2,60}/g

/** Names that only a program has: what stands in code marks, snake_case, camelCase. */
function codeWords(text: string): ReadonlySet<string> {
  const found = new Set<string>()
  for (const [, code] of text.matchAll(marked)) for (const [word] of code!.matchAll(part)) found.add(word)
  if (text.includes('_')) for (const [word] of text.matchAll(inWords)) found.add(word)
  for (const [word] of text.matchAll(camel)) found.add(word)
  return found
}

/** Finds the one thing that shares names with a text; nothing where several do. */
function sharedNames<T>(things: readonly T[], textOf: (thing: T) => string) {
  const owners = new Map<string, Set<T>>()
  for (const thing of things) {
    for (const word of codeWords(textOf(thing))) {
      const all = owners.get(word) ?? new Set<T>()
      // Two owners are as good as many: the name tells nothing apart.
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
