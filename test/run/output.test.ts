import { expect, test } from 'vitest'
import type { LoopEvent } from '../../src/contract/event.ts'
import type { StoredRun } from '../../src/ports/run-store.ts'
import { checkedEvents } from '../../src/run/reports/output.ts'

const door = { data: {}, reasons: {} } as unknown as Parameters<typeof checkedEvents>[0]

test('following goes on past an interruption that happens to be the last event of a page', async () => {
  const events = (['run-interrupted', 'run-resumed', 'run-interrupted'] as const).map(
    (type, index) => ({ type, seq: index + 1, at: 0 }) as LoopEvent,
  )
  async function* pages() {
    yield events.slice(0, 1)
    yield events.slice(1)
  }
  const stored = { follow: pages, read: async () => ({ events: pages() }) } as unknown as StoredRun
  const seen: number[] = []
  for await (const { seq } of checkedEvents(door, stored, true)) seen.push(seq)
  expect(seen).toEqual([1, 2, 3])
})
