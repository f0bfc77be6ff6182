import { PawlError } from '../../../contract/exit.ts'
import type { LoopState } from '../../../kernel/state.ts'
import type { StoredRun } from '../../../ports/run-store.ts'
import { RepositoryBlockedError } from '../../../ports/snapshots.ts'
import { executeRun } from '../../../run/execution/execute.ts'
import { machineAt } from '../../../run/machine.ts'
import type { Program } from '../../../run/mode.ts'
import { currentPerson, formatRequest } from '../../../run/new-run.ts'
import { openRun } from '../../../run/open-run.ts'
import type { Frozen } from '../../../run/run.ts'
import type { DeliveryRequest } from '../contract/request.ts'
import type { StoryResult } from '../contract/result.ts'
import { type Amendment, attemptData } from '../core/event-data.ts'
import { buildStoryKey } from '../core/memo.ts'
import { freshCaps } from './call-again.ts'
import { openDelivery, readDelivery } from './open-delivery.ts'
import { lockRepository } from './repository/own-repository.ts'

export type Undone = {
  readonly story: string
  readonly title: string
  readonly undid: string
  readonly commit: string | null
}

/**
 * Reverts the changes of one story and records that in the journal. Throws if later work builds on them or the files were
 * edited since.
 */
export async function undoStory(program: Program, stored: StoredRun, wanted: string | undefined): Promise<Undone> {
  const { machine } = program
  const { id: run, name, workspace, address } = stored.entry
  const delivery = await openDelivery(machine, stored)
  if (!delivery) throw new PawlError(2, `${name} is not a delivery: it has no stories to undo`)
  if (await stored.owner()) throw new PawlError(10, `${name} is running`, (pawl) => `${pawl} stop ${name}`)
  const { result, view } = await readDelivery(delivery)
  const { stories } = result
  const { id, title, commit: undid } = findUndoable(stories, wanted ?? (await findNewest(stored, stories)))
  const lock = await lockRepository(machine, { workspace, name })
  try {
    const snapshots = await machine.git.openSnapshots(workspace, [address])
    const { commit: commits } = delivery.current.request
    const subject = `Undo ${id}: ${title}`.slice(0, 100)
    const commit = await snapshots.undo(undid, { commit: commits, key: buildStoryKey(run, id, view.memo), subject })
    await recordUndo(program, stored, delivery.current, view.state, id)
    return { story: id, title, undid, commit }
  } catch (error) {
    if (error instanceof RepositoryBlockedError) throw new PawlError(10, error.message)
    throw error
  } finally {
    await lock.release()
  }
}

/** A run that has ended is reopened for the record and ends again. An unfinished run records it when it continues. */
async function recordUndo(
  program: Program,
  stored: StoredRun,
  { envelope, request }: Frozen<DeliveryRequest>,
  state: LoopState,
  story: string,
): Promise<void> {
  const ref = await stored.amend(formatRequest(envelope))
  await program.machine.store.trust(stored.entry, ref.sha256)
  const terms: Amendment = { undone: story, ...(state.ended && { leave: true }) }
  await stored.post({ by: currentPerson(), say: 'amend', request: ref, terms })
  if (!state.ended) return
  const never = new AbortController().signal
  const machine = machineAt(program.machine, stored.entry.workspace)
  await executeRun(await openRun({ ...program, machine }, stored), {
    machine,
    stop: { soft: never, hard: never, now: never },
    attended: false,
    endsOnly: true,
    reopen: { caps: freshCaps(request.input, state, true) },
    mayShowWords: false,
    surface: { notice: () => {} },
  })
}

/** Returns the story that was committed last. Undefined if none was. */
async function findNewest(stored: StoredRun, stories: readonly StoryResult[]): Promise<string | undefined> {
  const byCommit = new Map(stories.filter(isCommitted).map(({ id, commit }) => [commit, id]))
  let newest: string | undefined
  for await (const page of (await stored.read()).events)
    for (const event of page)
      if (event.type === 'attempt-ended') newest = byCommit.get(attemptData(event.outcome).commit ?? '') ?? newest
  return newest
}

/** A story that changed nothing has a commit of its own, but not in the branch. */
const isCommitted = (story: StoryResult): story is StoryResult & { commit: string } =>
  story.commit !== null && story.evidence !== 'unproven'

function findUndoable(stories: readonly StoryResult[], wanted: string | undefined): StoryResult & { commit: string } {
  const committed = stories.filter(isCommitted)
  const found = committed.find(({ id }) => id === wanted?.toUpperCase())
  if (found) return found
  const list = committed.map(({ id, title }) => `${id} ${title}`).join(', ')
  throw new PawlError(
    2,
    wanted ? `no story ${wanted} to undo` : 'no story to undo',
    list ? `Stories that can be undone: ${list}` : 'No story is committed yet.',
  )
}
