import { sameWords } from './clean.ts'
import { type Id, keysLike } from './ids.ts'
import type { Item, Place } from './item.ts'
import { PlanRefused } from './item.ts'

/** Finds lines by the PRD's own ids. */
export type KnownIds = {
  /** `from` decides where the same id is used below several lines. */
  find(id: Id, from: Place): Item | undefined
  titled(title: string): Item | undefined
  readonly shown: readonly string[]
  hasPrefix(id: Id): boolean
}

/** Numbering may begin anew below each story, so an id counts for the line that it stands below. */
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
    if (other && item.kind !== 'phase' && item.kind !== 'aside') refuseTwice(item, other)
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

/** The first of those that have the same title counts. */
const indexTitles = (items: readonly Item[]): ReadonlyMap<string, Item> =>
  new Map(
    items
      .flatMap((item) =>
        item.kind === 'detail' || item.kind === 'prose' ? [] : [[sameWords(item.title), item] as const],
      )
      .reverse(),
  )

/** The line that a line stands below, if any. */
export function itemAbove(place: Place): Item | null {
  let above = place.parent
  while (above !== null && above.item === null) above = above.parent
  return above?.item ?? null
}

/** Lists that are numbered from 1 below each heading have numbers, not ids. */
const isOnlyNumber = (item: Item, other: Item): boolean =>
  item.id?.prefix === '' && item.place.parent !== other.place.parent

function refuseTwice(item: Item, other: Item): never {
  const same = item.id!.shown === other.id!.shown ? '' : ` (there as ${other.id!.shown})`
  throw new PlanRefused({
    code: 'duplicate-id',
    message: `line ${item.line}: ${item.id!.shown} is the id of line ${other.line} already${same}`,
    hint: 'Give one of the two another id.',
    line: item.line,
  })
}
