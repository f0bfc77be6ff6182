import type { Snapshots } from '../../../ports/snapshots.ts'
import type { Story } from '../contract/plan.ts'
import { buildStoryKey, type DeliveryMemo, findStoryMemo } from '../core/memo.ts'

type Delivered = { readonly run: string; readonly memo: DeliveryMemo; readonly stories: readonly Story[] }

/** Returns the ids of finished stories that the branch no longer contains, because they were reverted or reset away. */
export async function findRemoved(
  { findLost }: Pick<Snapshots, 'findLost'>,
  { run, memo, stories }: Delivered,
): Promise<readonly string[]> {
  const done = stories.flatMap(({ id }) => {
    const { status, kept, base, tree } = findStoryMemo(memo, id)
    return status === 'done' && kept && base && tree
      ? [{ id, key: buildStoryKey(run, id, memo), from: base, to: tree }]
      : []
  })
  if (done.length === 0) return []
  const lost = await findLost(done)
  return done.filter(({ key }) => lost.includes(key)).map(({ id }) => id)
}
