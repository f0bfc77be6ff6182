import { existsSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { openInbox } from '../adapters/stores/files/inbox.ts'
import { PawlError } from '../contract/exit.ts'
import type { Caps } from '../contract/values.ts'
import type { LoopState } from '../kernel/state.ts'
import { reopenedCaps } from '../show/spend.ts'
import type { RunEntry } from './index-of-runs.ts'
import { type ReadRun, readRun } from './read-run.ts'
import { resultSeq } from './result.ts'

export const person = (): string => {
  try {
    return userInfo().username
  } catch {
    return 'somebody'
  }
}

/** There from the start, and removed when the journal is lost: a full disk lets files go, though it takes none. */
export const wholeMark = 'whole'

/** A best-effort run may have gone on after its journal was lost; what it did then is known to nobody. */
export function refuseIfJournalLost(run: RunEntry): void {
  const lost = resultSeq(run.dir) > readRun(run.dir).state.seq || !existsSync(join(run.dir, wholeMark))
  if (!lost) return
  const what = `${run.name} went on after its journal could not be written`
  throw new PawlError(10, what, `Look at its work, then: pawl run ${run.name} --fresh`)
}

/** How an ended run goes on: reopened; a completed one only with new bounds. `started` are the bounds of its start. */
export const reopening =
  (given: Caps, started: Caps) =>
  (state: LoopState): { by: string; caps: Caps } | undefined =>
    state.ended?.ending === 'completed' && Object.keys(given).length === 0
      ? undefined
      : { by: person(), caps: { ...reopenedCaps(state, started), ...given } }

/** What is given on going on with an open run reaches it as notes, so that the journal knows who changed what. */
export async function sendBefore(run: RunEntry, change: { caps: Caps; skipWait: boolean }): Promise<void> {
  const { post } = openInbox(run.dir)
  const by = person()
  const { ended } = readRun(run.dir).state
  if (!ended && Object.keys(change.caps).length) await post({ by, say: 'raise', caps: change.caps })
  if (change.skipWait) await post({ by, say: 'skip-wait' })
}

/** The command that goes on with a run as it stands, if any does. */
export function continueWith(
  run: Pick<RunEntry, 'id'>,
  { standing, state }: Pick<ReadRun, 'standing' | 'state'>,
): string | undefined {
  switch (standing) {
    case 'running':
      return `pawl logs -f ${run.id}`
    case 'waiting':
      return state.question
        ? `pawl answer ${run.id}${choiceHint(state.question.choices)}`
        : `pawl resume ${run.id} --now`
    case 'completed':
      return undefined
    case 'crashed':
    case 'interrupted':
    case 'failed':
    case 'blocked':
    case 'cancelled':
      return `pawl resume ${run.id}`
  }
}

const choiceHint = (choices: readonly string[] | undefined): string => (choices ? ` ${choices.join('|')}` : '')
