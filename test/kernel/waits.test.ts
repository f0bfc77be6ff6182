import { describe, expect, test } from 'vitest'
import type { NewNote } from '../../src/contract/event.ts'
import type { Work } from '../../src/kernel/run.ts'
import { fakeClock, memoryInbox, memoryJournal } from '../../src/testing/memory.ts'
import { go } from './harness.ts'
import { limited, once, passing, stoppable } from './helpers.ts'
import { writing } from './policies.ts'

describe('waits', () => {
  const day = 86_400_000
  const during = async (happens: NewNote | 'soft') => {
    const [inbox, { soft, stop }] = [memoryInbox(), stoppable()]
    const clock = fakeClock()
    const { sleep } = clock
    clock.sleep = (ms, signal) => {
      setImmediate(() => (happens === 'soft' ? soft.abort('SIGINT') : void inbox.post(happens)))
      return sleep(ms, signal)
    }
    return go(once, limited(day), { inbox, stop, clock })
  }

  test('cancel, pause, skip and a soft stop end a wait at once', async () => {
    expect((await during({ by: 'ann', say: 'cancel' })).state.ended?.ending).toBe('cancelled')
    const paused = await during({ by: 'ann', say: 'pause' })
    expect([paused.status, paused.state.wait?.until]).toEqual(['waiting', day])
    expect(paused.events.some((e) => e.type === 'wait-ended')).toBe(false)
    const skipped = await during({ by: 'ann', say: 'skip-wait' })
    expect(skipped.events.find((e) => e.type === 'wait-ended')).toMatchObject({ skipped: true })
    expect((await during('soft')).status).toBe('interrupted')
  })

  test('what is left of a wait is slept: less when time has passed, never more than was asked, never less than nothing', async () => {
    for (const [moved, slept, holdMs] of [
      [0, 5000, 5000],
      [3000, 2000, 5000],
      [9000, 0, 5000],
      [-60_000, 5000, 5000],
    ] as const) {
      const journal = memoryJournal()
      const work = limited(5000)
      const first = await go(once, work, { journal, holdMs: 4999 })
      expect(first).toMatchObject({ status: 'waiting', until: 5000 })
      const clock = fakeClock()
      let offset = 0
      const shifted = { ...clock, now: () => clock.now() + offset }
      offset = moved
      if (moved < 0)
        expect(
          await go(once, work, { journal: memoryJournal([...journal.events]), clock: shifted, holdMs: 1 }),
        ).toMatchObject({ until: moved + 5000 })
      await go(once, work, { journal, clock: shifted, holdMs })
      expect(clock.slept).toEqual([slept])
    }
  })

  test('a wait ends when its moment has passed by the wall clock, as after a suspend', async () => {
    const [clock, asked] = [fakeClock(), [] as number[]]
    let ahead = 0
    const suspended = {
      ...clock,
      now: () => clock.now() + ahead,
      sleep: async (ms: number) => {
        asked.push(ms)
        clock.pass(ms)
        if (asked.length === 2) ahead = day
      },
    }
    const { events } = await go(once, limited(day), { clock: suspended })
    expect(asked).toEqual([15_000, 15_000])
    expect(events.find(({ type }) => type === 'wait-ended')).toMatchObject({ skipped: false, ms: 30_000 })
  })

  test('after the clock is set back, a wait lasts no longer than it was meant to', async () => {
    const [clock, asked] = [fakeClock(), [] as number[]]
    let behind = 0
    const reset = {
      ...clock,
      now: () => clock.now() - behind,
      sleep: async (ms: number) => {
        asked.push(ms)
        clock.pass(ms)
        behind = day
      },
    }
    await go(once, limited(40_000), { clock: reset })
    expect(asked).toEqual([15_000, 15_000, 10_000])
  })

  test('a soft stop ends an open question; a clock that fails is not taken for a sleep', async () => {
    const { soft, stop } = stoppable()
    setImmediate(() => soft.abort('SIGINT'))
    const asking = writing({ attemptsPerTask: 1 })
    const failing: Work<null> = { ...passing, evaluate: async () => ({ status: 'failed' }) }
    expect((await go(asking, failing, { attended: true, stop })).status).toBe('interrupted')
    const clock = { ...fakeClock(), sleep: () => Promise.reject(new Error('no timer')) }
    expect(await go(asking, failing, { attended: true, clock })).toMatchObject({ status: 'unsaved' })
    expect(await go(once, limited(5000), { clock })).toMatchObject({
      status: 'unsaved',
      error: { message: 'no timer' },
    })
  })
})
