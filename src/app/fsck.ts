import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openArtifacts } from '../adapters/files/artifacts.ts'
import type { LoopEvent } from '../contract/event.ts'
import { RunRequest } from '../contract/request.ts'
import type { Ref } from '../contract/values.ts'
import { firstDivergence } from '../kernel/step.ts'
import type { RunEntry } from './index-of-runs.ts'
import { policyOf } from './modes.ts'
import { eventsOf } from './read-run.ts'

export type Check = { readonly ok: boolean; readonly events: number; readonly problems: readonly string[] }

/** Reads everything a run has kept and says what does not fit. Changes nothing. */
export function checkRun(run: RunEntry): Check {
  const problems: string[] = []
  const events: LoopEvent[] = []
  try {
    for (const event of eventsOf(run.dir)) events.push(event)
  } catch (error) {
    problems.push((error as Error).message)
  }
  const artifacts = openArtifacts(run.dir)
  for (const event of events) {
    for (const ref of refsIn(event)) {
      if (!artifacts.has(ref)) problems.push(`event ${event.seq} names ${ref.path}, which is missing or different`)
    }
  }
  problems.push(...divergence(run, events))
  return { ok: problems.length === 0, events: events.length, problems }
}

function divergence(run: RunEntry, events: readonly LoopEvent[]): string[] {
  try {
    const request = RunRequest.parse(JSON.parse(readFileSync(join(run.dir, 'request.json'), 'utf8')))
    const first = firstDivergence(events, policyOf(request))
    return first ? [`event ${first.seq}: this version would decide otherwise`] : []
  } catch (error) {
    return [`request.json cannot be read: ${(error as Error).message}`]
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
