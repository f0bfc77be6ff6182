import { PawlError } from '../../../contract/exit.ts'
import type { StoredRun } from '../../../ports/run-store.ts'
import { RepositoryBlockedError } from '../../../ports/snapshots.ts'
import type { Machine } from '../../../run/machine.ts'
import type { StoryResult } from '../contract/result.ts'
import { openDelivery, readDelivery } from './open-delivery.ts'
import { lockRepository } from './repository/own-repository.ts'

export type Undone = {
  readonly story: string
  readonly title: string
  readonly undid: string
  readonly commit: string | null
}

/** Reverts the changes of one story. Throws if later work builds on them or the files were edited since. */
export async function undoStory(machine: Machine, stored: StoredRun, wanted: string | undefined): Promise<Undone> {
  const { id: run, name, workspace, address } = stored.entry
  const delivery = await openDelivery(machine, stored)
  if (!delivery) throw new PawlError(2, `${name} is not a delivery: it has no stories to undo`)
  if (await stored.owner()) throw new PawlError(10, `${name} is running`, `pawl stop ${name}`)
  const { stories } = await readDelivery(delivery)
  const { id, title, commit: undid } = findUndoable(stories, wanted)
  const lock = await lockRepository(machine, workspace)
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

function findUndoable(stories: readonly StoryResult[], wanted: string | undefined): StoryResult & { commit: string } {
  const committed = stories.filter((story): story is StoryResult & { commit: string } => story.commit !== null)
  const found = wanted === undefined ? committed.at(-1) : committed.find(({ id }) => id === wanted.toUpperCase())
  if (found) return found
  const list = committed.map(({ id, title }) => `${id} ${title}`).join(', ')
  throw new PawlError(
    2,
    wanted ? `no story ${wanted} to undo` : 'no story to undo',
    list ? `Stories that can be undone: ${list}` : 'No story is committed yet.',
  )
}
