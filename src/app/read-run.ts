import { closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { realDisk } from '../adapters/files/disk.ts'
import { journalName, newScan } from '../adapters/files/journal.ts'
import { livingOwner } from '../adapters/files/lease.ts'
import { readEvents } from '../adapters/files/reader.ts'
import type { LoopEvent } from '../contract/event.ts'
import { emptyState, type LoopState, reduce } from '../kernel/state.ts'
import type { Owner } from '../ports/lease.ts'

export { emptyState, type LoopState, reduce }

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
  const fd = openSync(path, 'r')
  try {
    for (const { event } of readEvents(realDisk, fd, path, newScan())) yield event
  } finally {
    closeSync(fd)
  }
}

/** What the journal alone says about a run. `onEvent` sees each event with the state before it. */
export function readRun(dir: string, onEvent?: (event: LoopEvent, before: LoopState) => void): ReadRun {
  const owner = livingOwner(dir)
  let state = emptyState
  let events = 0
  let startedAt: number | undefined
  let lastAt: number | undefined
  let leftBy: string | undefined
  for (const event of eventsOf(dir)) {
    onEvent?.(event, state)
    state = reduce(state, event)
    startedAt ??= event.at
    lastAt = event.at
    leftBy = event.type === 'run-interrupted' ? event.by : undefined
    events++
  }
  return { standing: standingOf(state, owner, leftBy !== undefined), state, owner, leftBy, events, startedAt, lastAt }
}

function standingOf(state: LoopState, owner: Owner | undefined, left: boolean): Standing {
  if (state.ended) return state.ended.ending
  if (owner) return 'running'
  if (state.question || state.wait) return 'waiting'
  return left ? 'interrupted' : 'crashed'
}
