import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { Outcome } from '../../src/contract/event.ts'
import { runLoop, type Work } from '../../src/kernel/run.ts'
import { NotSavedError } from '../../src/ports/journal.ts'
import { fakeClock, memoryInbox, memoryJournal } from '../../src/testing/memory.ts'
import { defaults, go } from './harness.ts'
import { aborted, once, outcomeOf, passing, stoppable } from './helpers.ts'
import { call, procedure, writing } from './policies.ts'

describe('effects', () => {
  test('a note that comes while an attempt runs is heard at once', async () => {
    const inbox = memoryInbox()
    const attempt: Work<null>['attempt'] = async (_a, _v, signal) => {
      setImmediate(() => void inbox.post({ by: 'ann', say: 'cancel' }))
      await aborted(signal)
      return { status: 'failed' }
    }
    const run = await go(once, { ...passing, attempt }, { inbox })
    expect(run.state.ended?.ending).toBe('cancelled')
    expect(run.state.outcome?.status).toBe('interrupted')
  })

  test('a note that rings while notes are being taken is taken too', async () => {
    const inbox = memoryInbox()
    const { take } = inbox
    let late = true
    inbox.take = async (after) => {
      const notes = await take(after)
      if (late) await inbox.post({ by: 'ann', say: 'pause' })
      late = false
      return notes
    }
    expect((await go(once, passing, { inbox })).status).toBe('waiting')
  })

  test('nobody listens any more when the run has left', async () => {
    let listeners = 0
    const inbox = {
      ...memoryInbox(),
      onRing: () => {
        listeners++
        return () => void listeners--
      },
    }
    await go(once, passing, { inbox })
    expect(listeners).toBe(0)
  })

  test('what was whole when the time was up counts; what was not keeps what it says beside its status', async () => {
    const finish =
      (outcome: Outcome): Work<null>['attempt'] =>
      (_a, _v, signal) =>
        aborted(signal).then(() => outcome)
    expect(await outcomeOf(finish({ status: 'ok' }), { attemptMs: 9 })).toEqual({ status: 'ok' })
    const partly = await outcomeOf(finish({ status: 'failed', data: 7 }), { attemptMs: 9 })
    expect(partly).toEqual({ status: 'timed-out', data: 7, detail: 'timed-out' })
    const boom = async () => Promise.reject(new Error('x'.repeat(999)))
    expect(await outcomeOf(boom)).toEqual({ status: 'failed', detail: 'x'.repeat(500) })
  })

  test('a verdict that was reached in spite of a stop counts; a judge that throws has none', async () => {
    const { hard, stop } = stoppable()
    const evaluate: Work<null>['evaluate'] = async () => {
      hard.abort('SIGTERM')
      return { status: 'passed' }
    }
    const cut = await go(once, { ...passing, evaluate }, { stop })
    expect(cut.state.verdict).toEqual({ status: 'passed' })
    const broken: Work<null>['evaluate'] = async () => Promise.reject(new Error('no judge'))
    const { events } = await go(once, { ...passing, evaluate: broken })
    expect(events.find((e) => e.type === 'verdict-reached')).toMatchObject({
      verdict: { status: 'unavailable', detail: 'no judge' },
    })
  })

  test('a judge that runs out of time has no verdict unless it says one, and the run goes on', async () => {
    const verdictOf = async (evaluate: Work<null>['evaluate']) => {
      const run = await go(procedure({ tasks: 1, attemptMs: 9 }), { ...passing, evaluate })
      return run.events.find((e) => e.type === 'verdict-reached')
    }
    const gives = (_a: unknown, _v: unknown, signal: AbortSignal) => aborted(signal).then(() => Promise.reject('cut'))
    expect(await verdictOf(gives)).toMatchObject({ verdict: { status: 'unavailable' } })
    const says: Work<null>['evaluate'] = (_a, _v, signal) => aborted(signal).then(() => ({ status: 'failed' }))
    expect(await verdictOf(says)).toMatchObject({ verdict: { status: 'failed' } })
  })

  test('the time was up first, even if a stop follows while the work ends', async () => {
    const { hard, stop } = stoppable()
    const attempt: Work<null>['attempt'] = async (_a, _v, signal) => {
      await aborted(signal)
      hard.abort('SIGTERM')
      return { status: 'failed' }
    }
    expect((await outcomeOf(attempt, { attemptMs: 9 }, { stop }))?.status).toBe('timed-out')
  })

  test('an effect is over before the run leaves, and its timer with it', async () => {
    let ended = false
    const { hard, stop } = stoppable()
    const attempt: Work<null>['attempt'] = async (_a, _v, signal) => {
      setImmediate(() => hard.abort('SIGTERM'))
      await aborted(signal)
      await turn()
      ended = true
      return { status: 'failed' }
    }
    const signals: AbortSignal[] = []
    const clock = fakeClock(0)
    const { sleep } = clock
    clock.sleep = (ms, signal) => {
      signals.push(signal)
      return sleep(ms, signal)
    }
    await go(procedure({ tasks: 1, attemptMs: 50 }), { ...passing, attempt }, { stop, clock })
    expect(ended).toBe(true)
    expect(signals.map(({ aborted: over }) => over)).toEqual([true])
  })

  test('what is left of tokens, money and time', async () => {
    const clock = fakeClock()
    clock.pass(1000)
    const left: unknown[] = []
    const attempt: Work<null>['attempt'] = async (a) => {
      left.push(a.left())
      clock.pass(10)
      await a.record({ ...call('k', 3), usage: { tokens: 3, costUsd: 0.25 } })
      clock.pass(5)
      left.push(a.left())
      return { status: 'ok' }
    }
    const bounds = { tokens: 10, costUsd: 1, attemptMs: 20_050, taskMs: 20_040, activeMs: 20_030 }
    for (const caps of [bounds, { ...bounds, activeMs: 90_000 }, { ...bounds, activeMs: 90_000, taskMs: 90_000 }]) {
      await go(procedure({ tasks: 1, ...caps }), { ...passing, attempt }, { clock })
    }
    expect(left).toEqual(
      [20_030, 20_040, 20_050].flatMap((ms) => [
        { tokens: 10, overheadTokens: Infinity, costUsd: 1, ms },
        { tokens: 7, overheadTokens: Infinity, costUsd: 0.75, ms: ms - 15 },
      ]),
    )
  })

  test('an effect is named by run and task, the same in every attempt', async () => {
    const keys: string[] = []
    const attempt: Work<null>['attempt'] = async (a) => ({ status: keys.push(a.effectKey) > 1 ? 'ok' : 'interrupted' })
    await go(writing({}), { ...passing, attempt }, { run: 'r7' })
    expect(keys).toEqual(['r7/revise-1', 'r7/revise-1'])
  })

  test('a recovery that fails leaves the attempt interrupted; one that cannot keep leaves the run unsaved', async () => {
    const { events } = await go(once, passing)
    const cut = events.slice(0, 3)
    const recovering = (error: Error) => ({ ...passing, recover: async () => Promise.reject(error) })
    const lost = await go(once, recovering(new Error('no log')), { journal: memoryJournal([...cut]) })
    expect(lost.events.find((e) => e.type === 'attempt-ended')).toMatchObject({
      outcome: { status: 'interrupted', detail: 'no log' },
    })
    const left = await runLoop({
      ...defaults(once, recovering(new NotSavedError('full'))),
      journal: memoryJournal([...cut]),
    })
    expect(left).toMatchObject({ status: 'unsaved', error: { message: 'full' } })
  })

  test('the harder stop is the one that is told', async () => {
    const { soft, hard, stop } = stoppable()
    soft.abort('SIGINT')
    hard.abort('SIGTERM')
    expect((await go(once, passing, { stop })).events.at(-1)).toMatchObject({ by: 'SIGTERM' })
  })
})
