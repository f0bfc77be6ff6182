import { createSnapshots } from '../../../adapters/git/snapshots/snapshots.ts'
import { capture } from '../../../adapters/shell/capture.ts'
import { PawlError } from '../../../contract/exit.ts'
import { RepositoryBlockedError } from '../../../ports/snapshots.ts'
import { readFrozenRequest } from '../../../run/frozen-request.ts'
import type { RunEntry } from '../../../run/index-of-runs.ts'
import type { Place } from '../../../run/paths.ts'
import { readRun } from '../../../run/read-run.ts'
import type { StoryResult } from '../contract/result.ts'
import { ownRepository } from './own-repository.ts'
import { storiesOf } from './stories.ts'

export type Undone = {
  readonly story: string
  readonly title: string
  readonly undid: string
  readonly commit: string | null
}

/** Takes back what a story changed, and nothing else; refused where later work builds on it or somebody edited it since. */
export async function undoStory({ env }: Place, run: RunEntry, wanted: string | undefined): Promise<Undone> {
  const { current } = readFrozenRequest(run.dir)
  if (current.mode !== 'delivery') throw new PawlError(2, `${run.name} is no delivery: there is no story to undo`)
  if (readRun(run.dir).owner) throw new PawlError(10, `${run.name} is running`, `pawl stop ${run.name}`)
  const story = chosen(storiesOf(run.dir), wanted)
  const lease = ownRepository(run.workspace)
  try {
    const snapshots = createSnapshots({ folder: run.workspace, env, capture, ownFolders: [run.dir] })
    const { id, title, commit: undid } = story
    const options = {
      commit: current.delivery.commit,
      key: `${run.id}/${id}`,
      subject: `Undo ${id}: ${title}`.slice(0, 100),
    }
    const commit = await snapshots.undo(undid, options)
    return { story: id, title, undid, commit }
  } catch (error) {
    if (error instanceof RepositoryBlockedError) throw new PawlError(10, error.message)
    throw error
  } finally {
    lease.release()
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
