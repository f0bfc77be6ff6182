import { expect, test } from 'vitest'
import type { Waiting } from '../../../src/ports/queue.ts'
import { countQueue } from '../../../src/run/queue/standing.ts'

const now = 100_000
const owner = { host: 'a', pid: 1, since: '2026-01-01T00:00:00.000Z', epoch: 1 } as Waiting['owner']
const waiting = (changes: Partial<Waiting>): Waiting => ({
  run: 'r',
  mode: 'procedure',
  name: 'build',
  priority: 0,
  since: 0,
  due: now,
  owner: undefined,
  problem: undefined,
  ...changes,
})

test('each run of the queue stands in one place, and the oldest is the one that is ready longest', () => {
  const given = [
    waiting({}),
    waiting({ due: now - 7000 }),
    waiting({ due: now - 60_000, owner }),
    waiting({ due: now + 1 }),
    waiting({ due: undefined }),
    waiting({ due: undefined, owner, problem: 'its workers died' }),
  ]
  const { rows, counts, oldestMs } = countQueue(given, now)
  expect(rows.map(({ standing }) => standing)).toEqual(['ready', 'ready', 'running', 'later', 'asleep', 'failed'])
  expect(counts).toEqual({ ready: 2, running: 1, later: 1, asleep: 1, failed: 1 })
  expect(oldestMs).toBe(7000)
})

test('an empty queue has no age', () => {
  expect(countQueue([], now)).toEqual({
    rows: [],
    counts: { ready: 0, running: 0, later: 0, asleep: 0, failed: 0 },
    oldestMs: 0,
  })
})
