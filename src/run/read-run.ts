import { closeSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { openPlain, realDisk } from '../adapters/stores/files/disk.ts'
import { journalName, newScan } from '../adapters/stores/files/journal.ts'
import { livingOwner } from '../adapters/stores/files/lease.ts'
import { readEvents } from '../adapters/stores/files/reader.ts'
import { readSnapshot } from '../adapters/stores/files/snapshot.ts'
import type { LoopEvent } from '../contract/event.ts'
import type { Line } from '../contract/line.ts'
import type { Left } from '../kernel/policy.ts'
import { emptyState, type LoopState, reduce } from '../kernel/state.ts'
import { fromThisKernel } from '../kernel/step.ts'
import type { Owner } from '../ports/lease.ts'

export type { Left, LoopState }

export type Standing =
  | 'running'
  | 'crashed'
  | 'waiting'
  | 'interrupted'
  | 'completed'
  | 'failed'
  | 'blocked'
  | 'cancelled'

export type ReadRun = {
  readonly standing: Standing
  readonly state: LoopState
  readonly owner: Owner | undefined
  /** What interrupted it, if that was the last thing to happen. */
  readonly leftBy: string | undefined
  readonly events: number
  readonly startedAt: number | undefined
  readonly lastAt: number | undefined
}

/** Events of a run as they lie on disk, whoever writes them. Changes nothing. */
export function* eventsOf(dir: string): Generator<LoopEvent> {
  const path = join(dir, journalName)
  if (!existsSync(path)) return
  const fd = openPlain(realDisk, path)
  try {
    for (const { event } of readEvents(realDisk, fd, path, newScan())) yield event
  } finally {
    closeSync(fd)
  }
}

/** What the journal alone says about a run. `onEvent` sees every event; without it a snapshot saves most of the way. */
export function readRun(dir: string, onEvent?: (event: LoopEvent, before: LoopState) => void): ReadRun {
  const owner = livingOwner(dir)
  const path = join(dir, journalName)
  const empty = {
    standing: standingOf(emptyState, owner, false),
    state: emptyState,
    owner,
    leftBy: undefined,
    events: 0,
  }
  if (!existsSync(path)) return { ...empty, startedAt: undefined, lastAt: undefined }
  const fd = openPlain(realDisk, path)
  try {
    const kept = onEvent ? undefined : readSnapshot(realDisk, dir, fd, fromThisKernel)
    let state = kept ? (kept.view as { state: LoopState }).state : emptyState
    let startedAt: number | undefined
    let lastAt = kept && Date.parse(kept.last.timestamp)
    let leftBy = kept && interruptedBy(kept.last)
    for (const { event } of readEvents(realDisk, fd, path, { ...newScan(), ...kept?.scan })) {
      onEvent?.(event, state)
      state = reduce(state, event)
      startedAt ??= event.at
      lastAt = event.at
      leftBy = event.type === 'run-interrupted' ? event.by : undefined
    }
    const standing = standingOf(state, owner, leftBy !== undefined)
    return { standing, state, owner, leftBy, events: state.seq, startedAt, lastAt }
  } finally {
    closeSync(fd)
  }
}

const interruptedBy = ({ phase, status, context }: Line): string | undefined =>
  phase === 'run' && status === 'interrupted' ? String(context.by) : undefined

function standingOf(state: LoopState, owner: Owner | undefined, left: boolean): Standing {
  if (state.ended) return state.ended.ending
  if (state.question || (state.wait && owner)) return 'waiting'
  if (owner) return 'running'
  return left ? 'interrupted' : 'crashed'
}
