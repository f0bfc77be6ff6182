import type { Block } from './read/blocks.ts'
import { compareIds, compareText, ladder } from './read/ids.ts'
import { type Item, PlanRefused } from './read/item.ts'
import { itemAbove } from './read/known-ids.ts'

export type Chosen = {
  readonly kind: (typeof ladder)[number]
  /** The items that become stories, in the order used when there are no dependencies. */
  readonly stories: readonly Item[]
  /** Tasks that contain tasks. Depending on one means depending on all tasks inside. */
  readonly groups: ReadonlyMap<Item, readonly Item[]>
}

/** Chooses the highest kind in the PRD. For nested tasks, the innermost become stories. */
export function chooseStories(items: readonly Item[], blocks: readonly Block[]): Chosen {
  const kind = ladder.find((one) => items.some((item) => item.kind === one))
  if (kind === undefined) throw new PlanRefused({ ...nothingFound, hint: nothingFound.hint + describeIgnored(blocks) })
  const all = items.filter((item) => item.kind === kind)
  const groups = groupItems(all)
  const stories = all.filter((item) => !groups.has(item)).sort(compareItems)
  return { kind, stories, groups }
}

/** Groups by nesting and by number: 2 contains 2.1 and 2.2 wherever they appear. */
function groupItems(all: readonly Item[]): Map<Item, Item[]> {
  const inside = new Map<Item, Item[]>()
  const byKey = new Map(all.flatMap((item) => (item.id?.prefix === '' ? [[item.id.key, item] as const] : [])))
  for (const item of all) {
    const parent = sameKindAbove(item) ?? numberAbove(item, byKey)
    if (!parent) continue
    const all = inside.get(parent)
    if (all) all.push(item)
    else inside.set(parent, [item])
  }
  const leaves = (item: Item): Item[] => inside.get(item)?.flatMap(leaves) ?? [item]
  return new Map([...inside.keys()].map((group) => [group, leaves(group)]))
}

function sameKindAbove(item: Item): Item | null {
  let above = itemAbove(item.place)
  while (above !== null && above.kind !== item.kind) above = itemAbove(above.place)
  return above
}

function numberAbove({ id }: Item, byKey: ReadonlyMap<string, Item>): Item | undefined {
  if (id?.prefix !== '' || id.numbers.length < 2) return undefined
  return byKey.get(`:${id.numbers.slice(0, -1).join('.')}`)
}

/** Sorts items with numbered ids first, by id, then the others in document order. */
function compareItems(a: Item, b: Item): number {
  if (a.priority !== b.priority) return a.priority - b.priority
  const [numberedA, numberedB] = [isNumbered(a), isNumbered(b)]
  if (numberedA && numberedB) return compareIds(a.id!, b.id!) || compareText(a.title, b.title) || a.line - b.line
  if (numberedA || numberedB) return numberedA ? -1 : 1
  return a.line - b.line
}

const isNumbered = ({ id }: Item): boolean => id !== null && id.numbers.length > 0

function describeIgnored(blocks: readonly Block[]): string {
  const ignored = blocks.filter(({ role }) => role === 'ignored')
  const first = ignored.slice(0, 3).map(({ line, because }) => `line ${line} (${because})`)
  return ignored.length > 0 ? ` Ignored: ${first.join(', ')}${ignored.length > 3 ? ' and others' : ''}.` : ''
}

const nothingFound = {
  code: 'nothing-found',
  message: 'no requirements found',
  hint:
    'Looked for: tasks (T-1, "- [ ] ...", a section Tasks), user stories (US-1, "As a ... I want ..."), functional requirements ' +
    '(FR-1, a section Requirements), acceptance criteria (AC-1, a section Acceptance Criteria), phases (Phase 1).',
} as const
