import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Fact, LoopEvent } from '../../../src/contract/event.ts'
import type { Caps } from '../../../src/contract/values.ts'
import { type OutDirName, writeOutDir } from '../../../src/testing/out-dirs.ts'
import { projected } from '../../contract/out-dirs/check.ts'

/** The detail of a recorded run, had these things followed. */
async function detailOf(name: OutDirName, ...facts: Fact[]): Promise<string | null> {
  const dir = fs.mkdtempSync(join(tmpdir(), 'pawl-detail-'))
  onTestFinished(() => fs.rmSync(dir, { recursive: true, force: true }))
  writeOutDir(name, dir)
  const more = facts.map(
    (fact, index): LoopEvent => ({ ...fact, seq: 1000 + index, epoch: 1, at: 0, ms: 0, task: null, attempt: null }),
  )
  return (await projected(dir, undefined, ...more)).detail
}

const ended = (code: string): Fact => ({ type: 'run-ended', ending: 'failed', reason: { code } })
const bounded = (caps: Caps): Fact => ({ type: 'note-received', note: { id: 99, by: 'scarlet', say: 'raise', caps } })

test.each([
  ['agent-exit-nonzero', 'S1: the agent failed in every attempt, last with: exit 1; I give up'],
  ['agent-timeout', 'S1: the time for this story or for the whole run is up'],
  ['agent-blocked', 'S2: the agent says that it is blocked: Nobody told me which language.'],
  ['run-timeout', 'run_timeout_minutes is used up'],
  ['wait-exhausted', 'the wait would exceed wait_minutes'],
  ['interrupted', 'interrupted in S2, attempt 1'],
  ['cancelled', 'cancelled by scarlet in S2, attempt 1'],
] as const)('%s: the detail names the cause of the ending', async (name, detail) => {
  expect(await detailOf(name)).toBe(detail)
})

test.each([
  [{ attemptsPerRun: 1 }, 'run_max_attempts is used up'],
  [{ tokens: 0 }, 'the token limit is used up'],
  [{ costUsd: 0 }, 'the cost limit is used up'],
])('if no story failed, the detail names the limit that is used up: %j', async (caps, detail) => {
  expect(await detailOf('interrupted', bounded(caps), ended('attempt_budget_exhausted'))).toBe(detail)
})
