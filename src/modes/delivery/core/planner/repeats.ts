import { sameWords } from './read/clean.ts'
import type { Item } from './read/item.ts'
import { itemAbove } from './read/known-ids.ts'

/** Of two that have one id, the later of these describes it and the other only names it. */
const forms: readonly Item['form'][] = ['mention', 'remark', 'row', 'line', 'heading']

/** An overview and what it is an overview of are one set of lines; what only the overview says is kept with them. */
export function withoutRepeats(items: readonly Item[]): readonly Item[] {
  const told = new Map<Item | null, Map<string, Item>>()
  const instead = new Map<Item, Item | null>()
  for (const item of items) {
    if (item.id === null) continue
    const scope = aboveButPhases(item)
    const own = told.get(scope) ?? new Map<string, Item>()
    const other = own.get(item.id.key)
    if (!other) told.set(scope, own.set(item.id.key, item))
    else if (isRepeat(item, other)) {
      const [kept, gone] = weight(item) > weight(other) ? [item, other] : [other, item]
      instead.set(gone, merge(kept, gone))
      own.set(item.id.key, kept)
    }
  }
  if (instead.size === 0) return items
  const left = items.flatMap((item) => (instead.has(item) ? (instead.get(item) ?? []) : [item]))
  return withoutEmptied(left, [...instead.keys()])
}

/** Numbers alone are the same everywhere: there the words have to be the same, too. */
const isRepeat = (item: Item, other: Item): boolean =>
  sameWords(item.title) === sameWords(other.title) ||
  (item.id!.prefix !== '' && (weight(item) !== weight(other) || weight(item) < forms.indexOf('row')))

/** Of two alike, the one that a phase only lists weighs less. */
const weight = ({ form, place }: Item): number => forms.indexOf(form) - (itemAbove(place)?.kind === 'phase' ? 0.5 : 0)

function merge(kept: Item, gone: Item): Item | null {
  gone.place.item = kept
  kept.needs.push(...gone.needs)
  kept.covers.push(...gone.covers)
  kept.files.push(...gone.files)
  if (gone.form === 'mention' || sameWords(`${kept.title} ${kept.text}`).includes(sameWords(gone.title))) return null
  return {
    ...gone,
    kind: 'detail',
    id: null,
    needs: [],
    place: { parent: gone.place, heading: gone.title, item: null },
  }
}

/** A phase that only listed what stands elsewhere asks for nothing itself. */
function withoutEmptied(left: readonly Item[], gone: readonly Item[]): readonly Item[] {
  const above = new Set(gone.map(({ place }) => itemAbove(place)))
  for (const { place } of left) above.delete(itemAbove(place))
  return left.filter((item) => item.kind !== 'phase' || !above.has(item))
}

/** A phase lists what is told elsewhere as well. */
function aboveButPhases({ place }: Item): Item | null {
  let above = itemAbove(place)
  while (above?.kind === 'phase') above = itemAbove(above.place)
  return above
}
