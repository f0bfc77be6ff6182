import { expect, test } from 'vitest'
import type { LoopEvent } from '../../../src/contract/event.ts'
import type { StoredRun } from '../../../src/ports/run-store.ts'
import { checkRun } from '../../../src/run/reports/fsck.ts'
import { programAt, runAt } from '../../support/runs.ts'
import { newWorkspace } from '../../surfaces/cli/pawl.ts'

test('a journal of 150,000 events, all with unexpected data, is checked without a stack overflow', async () => {
  const pawl = newWorkspace()
  expect((await pawl.run('run', 'build', '-n', '1', '--trust')).code).toBe(0)
  const program = programAt(pawl.workspace)
  const stored = await runAt(pawl.dirOf(), program)
  const count = 150_000
  const verdict = { status: 'passed', data: { gates: 'many' } } as const
  const events = Array.from({ length: count }, (_, index): LoopEvent => {
    return { type: 'verdict-reached', verdict, seq: index + 1, at: 1, ms: 0, task: 'iteration-1', attempt: 1, epoch: 1 }
  })
  async function* pages() {
    yield events
  }
  let places = 0
  const long: StoredRun = {
    ...stored,
    read: async (options) =>
      options?.upTo ? stored.read(options) : { snapshot: undefined, last: undefined, events: pages() },
    place: async (seq) => {
      places++
      return `line ${seq}`
    },
    check: async () => events.map(({ seq }) => ({ seq, says: `event ${seq} refers to nothing` })),
  }
  const { ok, events: checked, problems } = await checkRun(program, long)
  expect([ok, checked, problems.length]).toEqual([false, count, count + 21])
  expect(problems.at(-1)).toBe(`${count - 20} more events hold unexpected data`)
  expect(places).toBe(20)
})
