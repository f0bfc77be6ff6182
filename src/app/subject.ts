import { plansOf } from './delivery/plans.ts'
import { readFrozenRequest } from './frozen-request.ts'

/** What a run is about, for whoever tells of it: its name and, where it works through stories, what these are called. */
export type Subject = { readonly name: string; readonly titles?: ReadonlyMap<string, string> | undefined }

export function subjectOf({ name, dir }: { readonly name: string; readonly dir: string }): Subject {
  const { current } = readFrozenRequest(dir)
  if (current.mode !== 'delivery') return { name }
  const plan = plansOf(dir).get(current.delivery.plan.sha256)
  return { name, titles: new Map(plan?.stories.map(({ id, title }) => [id, title])) }
}
