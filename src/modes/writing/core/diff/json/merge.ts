import { alignItems, type Budget, listPairs } from '../../../../../judging/text/align.ts'
import type { Value } from './values.ts'

/** A field that differs. `before` is undefined if it was added, `after` if it was removed. */
export type FieldChange = {
  /** A JSON pointer such as `/themes/2`: the place in the new text, or in the old one if the field was removed. */
  readonly path: string
  readonly before: Value | undefined
  readonly after: Value | undefined
  /** Where an empty side would be, as a position in its text. */
  readonly place: { readonly before: number; readonly after: number }
}

/** Chooses the side of a difference that the merged value gets. Differences come in a fixed order. */
export type Choose = (change: FieldChange) => 'before' | 'after'

/** Builds a value from two: what both have in common, and the chosen side of each difference. */
export const mergeValues = (before: Value, after: Value, choose: Choose): Value =>
  mergeAt('', before, after, { choose, budget: { left: mostSteps } })

/** Lists that take more steps to align are compared item by item. */
const mostSteps = 20_000_000

type Walk = { readonly choose: Choose; readonly budget: Budget }

function mergeAt(path: string, before: Value, after: Value, walk: Walk): Value {
  if (before.id === after.id) return after
  if (before.kind === 'object' && after.kind === 'object') return mergeObjects(path, before, after, walk)
  if (before.kind === 'list' && after.kind === 'list') return mergeLists(path, before, after, walk)
  const change = { path, before, after, place: { before: before.from, after: after.from } }
  return walk.choose(change) === 'before' ? before : after
}

type ObjectValue = Value & { readonly kind: 'object' }
type ListValue = Value & { readonly kind: 'list' }

/** Members keep the order of the new text. A removed one that is kept stands behind its old neighbour. */
function mergeObjects(path: string, before: ObjectValue, after: ObjectValue, walk: Walk): Value {
  const name = (key: string): string => `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
  const kept = new Map<string, Value>()
  for (const [key, value] of after.members) {
    const old = before.members.get(key)
    const chosen = old
      ? mergeAt(name(key), old, value, walk)
      : chooseAlone(name(key), undefined, value, before, after, walk)
    if (chosen) kept.set(key, chosen)
  }
  const restored = new Map<string | undefined, [string, Value][]>()
  let neighbour: string | undefined
  for (const [key, old] of before.members) {
    if (after.members.has(key)) neighbour = key
    else if (chooseAlone(name(key), old, undefined, before, after, walk))
      restored.set(neighbour, [...(restored.get(neighbour) ?? []), [key, old]])
  }
  const members = [...kept].flatMap((member) => [member, ...(restored.get(member[0]) ?? [])])
  return { ...after, members: new Map([...(restored.get(undefined) ?? []), ...members]) }
}

/** Chooses whether a value that only one side has is kept. */
function chooseAlone(
  path: string,
  one: Value | undefined,
  other: Value | undefined,
  before: Value,
  after: Value,
  { choose }: Walk,
): Value | undefined {
  const place = { before: one?.from ?? before.from, after: other?.from ?? after.from }
  return choose({ path, before: one, after: other, place }) === 'before' ? one : other
}

/** Items that are equal keep their places. Changed items between them are paired by name, or in order. */
function mergeLists(path: string, before: ListValue, after: ListValue, walk: Walk): Value {
  const items: Value[] = []
  for (const { a, b } of pairItems(before.items, after.items, walk.budget)) {
    const [old, young] = [a === undefined ? undefined : before.items[a], b === undefined ? undefined : after.items[b]]
    const name = `${path}/${b ?? a}`
    const chosen = old && young ? mergeAt(name, old, young, walk) : chooseAlone(name, old, young, before, after, walk)
    if (chosen) items.push(chosen)
  }
  return { ...after, items }
}

/** Positions of an item in the old and in the new list. */
type Pair = { readonly a: number | undefined; readonly b: number | undefined }

/** Pairs equal items first, then, between those, items of the same name, then the others in order. */
const pairItems = (before: readonly Value[], after: readonly Value[], budget: Budget): readonly Pair[] =>
  pairBetween(
    { before, after, a: 0, b: 0 },
    ({ id }) => String(id),
    budget,
    (gap) => pairBetween(gap, readName, budget, pairInOrder),
  )

/** Items that have no partner yet. `a` and `b` are the positions of the first. */
type Gap = {
  readonly before: readonly Value[]
  readonly after: readonly Value[]
  readonly a: number
  readonly b: number
}

const pairInOrder = ({ before, after, a, b }: Gap): readonly Pair[] =>
  Array.from({ length: Math.max(before.length, after.length) }, (_, index) => ({
    a: index < before.length ? a + index : undefined,
    b: index < after.length ? b + index : undefined,
  }))

/** Pairs items with the same key. `pairRest` pairs those between them. */
function pairBetween(
  gap: Gap,
  makeKey: (value: Value) => string | undefined,
  budget: Budget,
  pairRest: (gap: Gap) => readonly Pair[],
): readonly Pair[] {
  const keys = gap.before.map((value, index) => makeKey(value) ?? `old ${index}`)
  const others = gap.after.map((value, index) => makeKey(value) ?? `young ${index}`)
  const found = alignItems(keys, others, budget)
  const pairs: (readonly Pair[])[] = []
  let [a, b] = [0, 0]
  for (const next of [...(found ? listPairs(found) : []), { a: gap.before.length, b: gap.after.length }]) {
    pairs.push(
      pairRest({ before: gap.before.slice(a, next.a), after: gap.after.slice(b, next.b), a: gap.a + a, b: gap.b + b }),
    )
    if (next.a < gap.before.length) pairs.push([{ a: gap.a + next.a, b: gap.b + next.b }])
    a = next.a + 1
    b = next.b + 1
  }
  return pairs.flat()
}

/** What a person would call an item. */
function readName(value: Value): string | undefined {
  if (value.kind !== 'object') return undefined
  const member = ['id', 'name', 'title', 'key']
    .map((key) => value.members.get(key))
    .find((one) => one?.kind === 'plain')
  return member?.kind === 'plain' ? `named ${member.source}` : undefined
}
