import { sameWords } from './clean.ts'
import { type Id, keysLike } from './ids.ts'
import type { Item, Place } from './item.ts'
import { PlanRefused } from './item.ts'

/** Looks up lines by the PRD's own ids and titles. */
export type KnownIds = {
  /** `from` decides if the same id exists below several lines. */
  find(id: Id, from: Place): Item | undefined
  titled(title: string): Item | undefined
  readonly shown: readonly string[]
  hasPrefix(id: Id): boolean
}

/** Scopes ids to the line above them, because numbering may restart below each story. */
export function indexIds(items: readonly Item[]): KnownIds {
  const scoped = new Map<Item | null, Map<string, Item>>()
  const first = new Map<string, Item>()
  const prefixes = new Set<string>()
  let titles: ReadonlyMap<string, Item> | undefined
  for (const item of items) {
    if (item.id === null) continue
    const scope = itemAbove(item.place)
    const own = scoped.get(scope) ?? new Map<string, Item>()
    const other = own.get(item.id.key)
    if (other && isOnlyNumber(item, other)) {
      item.id = null
      continue
    }
    if (other && item.kind !== 'phase' && item.kind !== 'aside') refuseDuplicate(item, other)
    scoped.set(scope, own.set(item.id.key, item))
    if (!first.has(item.id.key)) first.set(item.id.key, item)
    prefixes.add(item.id.prefix)
  }
  return {
    find: (id, from) => {
      for (let scope = itemAbove(from); scope !== null; scope = itemAbove(scope.place)) {
        const near = scoped.get(scope)?.get(id.key)
        if (near) return near
      }
      const exact = first.get(id.key)
      if (exact) return exact
      const key = keysLike(id).find((one) => first.has(one))
      return key === undefined ? undefined : first.get(key)
    },
    titled: (title) => {
      titles ??= indexTitles(items)
      return titles.get(sameWords(title))
    },
    shown: items.flatMap(({ id }) => (id ? [id.shown] : [])),
    hasPrefix: ({ prefix }) => prefixes.has(prefix),
  }
}

/** The first item with a title wins. */
const indexTitles = (items: readonly Item[]): ReadonlyMap<string, Item> =>
  new Map(
    items
      .flatMap((item) =>
        item.kind === 'detail' || item.kind === 'prose' ? [] : [[sameWords(item.title), item] as const],
      )
      .reverse(),
  )

/** Returns the closest line above a place, or null. */
export function itemAbove(place: Place): Item | null {
  let above = place.parent
  while (above !== null && above.item === null) above = above.parent
  return above?.item ?? null
}

/** A bare number that repeats under another heading is list numbering, not an id. */
const isOnlyNumber = (item: Item, other: Item): boolean =>
  item.id?.prefix === '' && item.place.parent !== other.place.parent

function refuseDuplicate(item: Item, other: Item): never {
  const same = item.id!.shown === other.id!.shown ? '' : ` (written ${other.id!.shown})`
  throw new PlanRefused({
    code: 'duplicate-id',
    message: `line ${item.line}: ${item.id!.shown} is already the id of line ${other.line}${same}`,
    hint: 'Give one of them another id.',
    line: item.line,
  })
}
