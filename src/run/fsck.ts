import { closeSync, fstatSync } from 'node:fs'
import { join } from 'node:path'
import { openArtifacts } from '../adapters/stores/files/artifacts.ts'
import { openPlain, realDisk } from '../adapters/stores/files/disk.ts'
import { journalName, newScan } from '../adapters/stores/files/journal.ts'
import { readEvents } from '../adapters/stores/files/reader.ts'
import type { LoopEvent } from '../contract/event.ts'
import type { Ref } from '../contract/values.ts'
import { firstDivergence } from '../kernel/step.ts'
import { readFrozenRequest } from './frozen-request.ts'
import type { RunEntry } from './index-of-runs.ts'
import { bindMode } from './modes.ts'

export type Check = { readonly ok: boolean; readonly events: number; readonly problems: readonly string[] }

/** Reads everything a run has kept and says what does not fit. Changes nothing. */
export function checkRun(run: RunEntry): Check {
  const problems: string[] = []
  const events: LoopEvent[] = []
  try {
    const read = readWhole(run.dir)
    events.push(...read.events)
    problems.push(...read.problems)
  } catch (error) {
    problems.push((error as Error).message)
  }
  const artifacts = openArtifacts(run.dir)
  for (const event of events) {
    for (const ref of refsIn(event)) {
      if (!artifacts.has(ref)) problems.push(`event ${event.seq} names ${ref.path}, which is missing or different`)
    }
  }
  problems.push(...behindTheEnd(events), ...divergence(run, events))
  return { ok: problems.length === 0, events: events.length, problems }
}

/** Also what a reader passes over: bytes behind the last good line, events of an earlier owner or of a newer version. */
function readWhole(dir: string): { events: LoopEvent[]; problems: string[] } {
  const path = join(dir, journalName)
  const fd = openPlain(realDisk, path)
  try {
    const scan = newScan()
    const events = [...readEvents(realDisk, fd, path, scan)].map(({ event }) => event)
    const torn = fstatSync(fd).size - scan.end
    const problems = [
      torn > 0 && `${torn} bytes behind event ${scan.seq} do not count; the next resume cuts them off and keeps them`,
      scan.stale > 0 && `${scan.stale} events of an earlier owner do not count`,
      scan.unknown > 0 && `${scan.unknown} events are not known to this version`,
    ]
    return { events, problems: problems.filter((problem) => problem !== false) }
  } finally {
    closeSync(fd)
  }
}

/** A run that has ended stays so, whatever follows; only a person reopens it. */
function behindTheEnd(events: readonly LoopEvent[]): string[] {
  const end = events.findIndex(
    ({ type }, index) => type === 'run-ended' && (events[index + 1]?.type ?? 'run-reopened') !== 'run-reopened',
  )
  return end < 0 ? [] : [`event ${events[end + 1]!.seq} stands behind the end of the run`]
}

function divergence(run: RunEntry, events: readonly LoopEvent[]): string[] {
  try {
    const first = bindMode(readFrozenRequest(run.dir).original).use((mode, request) =>
      firstDivergence(events, mode.policy(request, run.dir)),
    )
    return first ? [`event ${first.seq}: this version would decide otherwise`] : []
  } catch (error) {
    return [(error as Error).message]
  }
}

/** Refs may stand anywhere in an event's data. */
function refsIn(value: unknown): Ref[] {
  if (value === null || typeof value !== 'object') return []
  const { path, sha256, bytes } = value as Partial<Ref>
  if (typeof path === 'string' && typeof sha256 === 'string' && typeof bytes === 'number')
    return [{ path, sha256, bytes }]
  return Object.values(value).flatMap(refsIn)
}
