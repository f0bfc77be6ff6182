import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { Outcome } from '../../src/contract/event.ts'
import type { Work } from '../../src/kernel/run.ts'
import { fakeClock, memoryJournal } from '../../src/testing/memory.ts'
import { go } from './harness.ts'
import { limited, once, passing, stopped, watched } from './helpers.ts'
import { call, procedure, scriptedWork, writing } from './policies.ts'

describe('what is written', () => {
  test('the first event holds what the run was started with; a resume is recorded', async () => {
    const { journal } = await go(once, passing, { start: { pins: { request: 'a' } }, stop: stopped('soft') })
    expect(journal.events[0]).toMatchObject({ type: 'run-started', pins: { request: 'a' } })
    expect((await go(once, passing, { journal })).events.map(({ type }) => type)).toContain('run-resumed')
  })

  test('each event says where it stands', async () => {
    const tried = { ...once, pick: () => ({ id: 'T', kind: 'work', tried: 4 }) as const }
    const { events } = await go({ ...tried, caps: { tasks: 1 } }, scriptedWork({ tokens: 1 }))
    expect(events.map(({ type, task, attempt }) => `${type} ${task} ${attempt}`)).toEqual([
      'run-started null null',
      'task-picked T 4',
      'attempt-started T 5',
      'call-ended T 5',
      'attempt-ended T 5',
      'verdict-reached T 5',
      'decision-made T 5',
      'decision-made null null',
      'run-ended null null',
    ])
    const chores = { ...once, pick: () => ({ id: 'C', kind: 'chore' }) as const }
    expect((await go(chores, passing)).events[1]).toMatchObject({ task: 'C', chore: true })
  })

  test('an attempt begins when its start is saved; an interruption, a wait and a question are saved before we leave', async () => {
    const { order, journal } = watched()
    const attempt = async (): Promise<Outcome> => ({ status: order.push('attempt') ? 'ok' : 'failed' })
    await go(once, { ...passing, attempt }, { journal })
    expect(order.join(' ')).toContain('attempt-started synced attempt')
    const cut = watched()
    await go(once, passing, { journal: cut.journal, stop: stopped('soft') })
    expect(cut.order.slice(-2)).toEqual(['run-interrupted', 'synced'])
    const waiting = watched()
    await go(once, limited(5000), { journal: waiting.journal, holdMs: 1 })
    expect(waiting.order.slice(-2)).toEqual(['decision-made', 'synced'])
    const asking = watched()
    await go(
      writing({ attemptsPerTask: 1 }),
      { ...passing, evaluate: async () => ({ status: 'failed' }) },
      { journal: asking.journal },
    )
    expect(asking.order.slice(-2)).toEqual(['decision-made', 'synced'])
  })

  test('onSaved tells what is safe, after it is; onEvent shows the state after the event', async () => {
    const { order, journal } = watched()
    const seen: number[] = []
    await go(once, passing, {
      journal,
      onSaved: (seq) => order.push(`saved ${seq}`),
      onEvent: (e, { state }) => void seen.push(e.seq - state.seq),
    })
    expect(order.join(' ')).toContain('attempt-started synced saved 3')
    expect(new Set(seen)).toEqual(new Set([0]))
  })

  test('a snapshot is kept every 100 events and when the run leaves, under the name of kernel, policy and version', async () => {
    const journal = memoryJournal()
    const [keys, kept]: [string[], number[]] = [[], []]
    const { load } = journal
    journal.load = async (key) => {
      keys.push(key)
      return load(key)
    }
    journal.keep = async (_key, seq) => void kept.push(seq)
    await go(procedure({ tasks: 50 }), passing, { journal })
    expect(keys).toEqual(['6/procedure@1'])
    expect(kept).toEqual([103, 203, 253])
    const resumed = memoryJournal(journal.events.slice(0, 190))
    const again: number[] = []
    resumed.keep = async (_key, seq) => void again.push(seq)
    await go(procedure({ tasks: 50 }), passing, { journal: resumed })
    expect(again[0]).toBeLessThan(195)
  })

  test('recording at once from several places keeps the order', async () => {
    const work: Work<null> = {
      ...passing,
      attempt: async (a) => {
        await Promise.all(['a', 'b', 'c'].map((key) => a.record(call(key, 1))))
        return { status: 'ok' }
      },
    }
    const { journal } = watched()
    const { append } = journal
    journal.append = async (draft) => {
      await turn()
      return append(draft)
    }
    expect((await go(once, work, { journal })).state.tokens).toBe(3)
  })

  test('time is counted in whole milliseconds without losing fractions, never backwards, and not while nobody ran', async () => {
    let elapsed = 0
    const steps = (by: number) => ({
      ...fakeClock(),
      elapsed: () => {
        elapsed += by
        return elapsed
      },
    })
    const fractions = memoryJournal()
    const { append } = fractions
    fractions.append = async (draft) => {
      elapsed += 0.4
      return append(draft)
    }
    const slow = await go(procedure({ tasks: 20 }), passing, { journal: fractions, clock: steps(0) })
    expect(slow.events.reduce((sum, { ms }) => sum + ms, 0)).toBe(Math.floor(0.4 * (slow.events.length - 1)))
    const back = await go(procedure({ tasks: 2 }), passing, { clock: steps(-3) })
    expect(back.events.every(({ ms }) => ms === 0)).toBe(true)
    const clock = fakeClock()
    const journal = memoryJournal((await go(once, passing, { stop: stopped('soft') })).events)
    const load = journal.load
    journal.load = async (key) => {
      clock.pass(700)
      return load(key)
    }
    expect((await go(once, passing, { journal, clock })).state.activeMs).toBe(0)
  })

  test('after a crash, the time that the earlier process is known to have worked counts', async () => {
    const crashed = memoryJournal()
    const { append } = crashed
    crashed.append = async (draft) => {
      if (draft.type === 'attempt-ended') throw new Error('killed')
      return append(draft)
    }
    await go(once, passing, { journal: crashed })
    const journal = memoryJournal(crashed.events)
    const { load } = journal
    journal.load = async (key) => ({ ...(await load(key)), lostMs: () => 25_000 })
    const { state, events } = await go(procedure({ tasks: 3, activeMs: 6000 }), passing, { journal })
    expect(events.find(({ type }) => type === 'run-resumed')).toMatchObject({ ms: 25_000 })
    expect(state.activeMs).toBe(25_000)
  })
})
