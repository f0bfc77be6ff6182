import type { Block, ChangeShown, QuestionShown } from '../../../src/contract/show.ts'

export type Change = ChangeShown
export type Passage = ChangeShown['passages'][number]
export type ChangesBlock = Extract<Block, { kind: 'changes' }>

/** The changes that a question is about, if they can be decided one by one. */
export function findChanges({ choices, about }: QuestionShown): ChangesBlock | null {
  const block = about.find((one) => one.kind === 'changes')
  const canPick = choices.some(({ choice }) => choice === 'some')
  return block && canPick && block.changes.length > 0 ? { ...block, changes: orderChanges(block.changes) } : null
}

const magnitudes: readonly string[] = ['major', 'moderate', 'minor']

/** The changes by magnitude, the largest first. */
const orderChanges = (changes: readonly Change[]): readonly Change[] =>
  changes.toSorted((a, b) => magnitudes.indexOf(a.magnitude) - magnitudes.indexOf(b.magnitude))

export type Decision = 'accepted' | 'rejected'
export type Decisions = Readonly<Record<string, Decision>>

type Graph = readonly Pick<Change, 'id' | 'depends_on'>[]

/** All changes that cannot be accepted without this one. */
export function listDependents(changes: Graph, id: string): readonly string[] {
  return follow(id, (one) => changes.filter(({ depends_on }) => depends_on.includes(one)).map((change) => change.id))
}

/** All changes that this one cannot be accepted without. */
function listNeeds(changes: Graph, id: string): readonly string[] {
  return follow(id, (one) => changes.find((change) => change.id === one)?.depends_on ?? [])
}

function follow(start: string, next: (id: string) => readonly string[]): readonly string[] {
  const found = new Set([start])
  for (const id of found) for (const other of next(id)) found.add(other)
  found.delete(start)
  return [...found]
}

/** Decides about a change. Those that go with it get the same decision; `also` names those that changed. */
export function decide(
  changes: Graph,
  decisions: Decisions,
  id: string,
  decision: Decision,
): { readonly decisions: Decisions; readonly also: readonly string[] } {
  const others = decision === 'rejected' ? listDependents(changes, id) : listNeeds(changes, id)
  const known = others.filter((other) => changes.some((change) => change.id === other))
  const next = { ...decisions, ...Object.fromEntries([id, ...known].map((one) => [one, decision])) }
  return { decisions: next, also: known.filter((other) => decisions[other] !== decision) }
}

/** What is sent: all, none, or the accepted ones. Null while something is open. */
export function toAnswer(
  changes: Graph,
  decisions: Decisions,
): { readonly choice: 'yes' | 'no' | 'some'; readonly picks?: readonly string[] } | null {
  if (changes.some(({ id }) => decisions[id] === undefined)) return null
  const picks = changes.filter(({ id }) => decisions[id] === 'accepted').map(({ id }) => id)
  if (picks.length === changes.length) return { choice: 'yes' }
  return picks.length === 0 ? { choice: 'no' } : { choice: 'some', picks }
}
