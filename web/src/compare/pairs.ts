import type { Timeline, TimelineTask } from '../../../src/contract/web.ts'
import { listRows } from '../timeline/look.ts'

/** The same task in both runs; null where a run does not have it. */
export type Pair = { readonly id: string; readonly a: TimelineTask | null; readonly b: TimelineTask | null }

/** Pairs tasks by their id, in the order of A. Those that only B has come last. */
export function pairTasks(a: Timeline, b: Timeline): readonly Pair[] {
  const [left, right] = [listRows(a), listRows(b)]
  const others = new Map(right.map((task) => [task.id, task]))
  const known = new Set(left.map(({ id }) => id))
  return [
    ...left.map((task) => ({ id: task.id, a: task, b: others.get(task.id) ?? null })),
    ...right.filter(({ id }) => !known.has(id)).map((task) => ({ id: task.id, a: null, b: task })),
  ]
}
