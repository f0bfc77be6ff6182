import { PawlError } from '../../../contract/exit.ts'
import type { StoredRun } from '../../../ports/run-store.ts'
import { RepositoryBlockedError } from '../../../ports/snapshots.ts'
import type { Machine } from '../../../run/machine.ts'
import type { StoryResult } from '../contract/result.ts'
import { openDelivery, readDelivery } from './open-delivery.ts'
import { ownRepository } from './repository/own-repository.ts'

export type Undone = {
  readonly story: string
  readonly title: string
  readonly undid: string
  readonly commit: string | null
}

/** Takes back what a story changed, and nothing else; refused where later work builds on it or somebody edited it since. */
export async function undoStory(machine: Machine, stored: StoredRun, wanted: string | undefined): Promise<Undone> {
  const { id: run, name, workspace, address } = stored.entry
  const delivery = await openDelivery(machine, stored)
  if (!delivery) throw new PawlError(2, `${name} is no delivery: there is no story to undo`)
  if (await stored.owner()) throw new PawlError(10, `${name} is running`, `pawl stop ${name}`)
  const { stories } = await readDelivery(delivery)
  const { id, title, commit: undid } = chosen(stories, wanted)
  const lock = await ownRepository(machine, workspace)
  try {
    const snapshots = await machine.git.openSnapshots(workspace, [address])
    const { commit: commits } = delivery.current.request
    const subject = `Undo ${id}: ${title}`.slice(0, 100)
    const commit = await snapshots.undo(undid, { commit: commits, key: `${run}/${id}`, subject })
    return { story: id, title, undid, commit }
  } catch (error) {
    if (error instanceof RepositoryBlockedError) throw new PawlError(10, error.message)
    throw error
  } finally {
    await lock.release()
  }
}

function chosen(stories: readonly StoryResult[], wanted: string | undefined): StoryResult & { commit: string } {
  const kept = stories.filter((story): story is StoryResult & { commit: string } => story.commit !== null)
  const found = wanted === undefined ? kept.at(-1) : kept.find(({ id }) => id === wanted.toUpperCase())
  if (found) return found
  const list = kept.map(({ id, title }) => `${id} ${title}`).join(', ')
  throw new PawlError(
    2,
    wanted ? `no story ${wanted} to undo` : 'no story to undo',
    list ? `Kept are: ${list}` : 'Nothing is kept yet.',
  )
}
