import { sameWords } from './read/clean.ts'
import type { Item } from './read/item.ts'
import { itemAbove } from './read/known-ids.ts'

/** If two items have the same id, the one whose form comes later here is the definition, the other a reference. */
const forms: readonly Item['form'][] = ['map', 'mention', 'remark', 'row', 'line', 'heading']

/** The items that are left, and what became of the others: part of another item, or nothing. */
export type Merged = { readonly items: readonly Item[]; readonly instead: ReadonlyMap<Item, Item | null> }

/** Merges an overview with the details it summarizes. Text found only in the overview becomes a detail. */
export function withoutRepeats(items: readonly Item[]): Merged {
  const seen = new Map<Item | null, Map<string, Item>>()
  const instead = new Map<Item, Item | null>()
  for (const item of items) {
    if (item.id === null) continue
    const scope = aboveButPhases(item)
    const own = seen.get(scope) ?? new Map<string, Item>()
    const other = own.get(item.id.key)
    if (!other) seen.set(scope, own.set(item.id.key, item))
    else if (isRepeat(item, other)) {
      const [kept, gone] = weight(item) > weight(other) ? [item, other] : [other, item]
      instead.set(gone, merge(kept, gone))
      own.set(item.id.key, kept)
    }
  }
  for (const item of items) if (item.form === 'map' && !instead.has(item)) instead.set(item, null)
  if (instead.size === 0) return { items, instead }
  const left = items.flatMap((item) => (instead.has(item) ? (instead.get(item) ?? []) : [item]))
  return { items: withoutEmptied(left, [...instead.keys()]), instead }
}

/** Bare numbers repeat in every list, so for those the titles must match, too. */
const isRepeat = (item: Item, other: Item): boolean =>
  sameWords(item.title) === sameWords(other.title) ||
  (item.id!.prefix !== '' && (weight(item) !== weight(other) || weight(item) < forms.indexOf('row')))

/** An item listed in a phase weighs less than the same form elsewhere. */
const weight = ({ form, place }: Item): number => forms.indexOf(form) - (itemAbove(place)?.kind === 'phase' ? 0.5 : 0)

function merge(kept: Item, gone: Item): Item | null {
  gone.place.item = kept
  kept.needs.push(...gone.needs)
  kept.covers.push(...gone.covers)
  kept.files.push(...gone.files)
  if (
    gone.form === 'mention' ||
    gone.form === 'map' ||
    sameWords(`${kept.title} ${kept.text}`).includes(sameWords(gone.title))
  )
    return null
  return {
    ...gone,
    kind: 'detail',
    id: null,
    needs: [],
    place: { parent: gone.place, heading: gone.title, item: null },
  }
}

/** Drops phases that only listed items defined elsewhere. */
function withoutEmptied(left: readonly Item[], gone: readonly Item[]): readonly Item[] {
  const above = new Set(gone.map(({ place }) => itemAbove(place)))
  for (const { place } of left) above.delete(itemAbove(place))
  return left.filter((item) => item.kind !== 'phase' || !above.has(item))
}

/** Skips phases, because they list items that are defined elsewhere. */
function aboveButPhases({ place }: Item): Item | null {
  let above = itemAbove(place)
  while (above?.kind === 'phase') above = itemAbove(above.place)
  return above
}
