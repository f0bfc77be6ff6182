import { describe, expect, test } from 'vitest'
import type { Verdict } from '../../src/contract/event.ts'
import type { Attempt, Work } from '../../src/kernel/run.ts'
import { NotSavedError } from '../../src/ports/journal.ts'
import { fakeClock, memoryInbox, memoryJournal } from '../../src/testing/memory.ts'
import { go, neverStop } from './harness.ts'
import { call, delivery, procedure, refinement, score, scriptedWork, writing } from './policies.ts'

const phases = ['outline', 'draft']
const refined = (scores: Record<string, number[]>, tokens = 10, judgeTokens = 5) =>
  scriptedWork({
    tokens,
    judgeTokens,
    attempt: (a) => (a.task.kind === 'chore' ? { status: 'ok', data: phases } : { status: 'ok' }),
    verdict: (a, burned) =>
      a.task.kind === 'chore' ? { status: 'passed' } : score(scores[a.task.id]?.[burned - 1] ?? 90),
  })
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, no) => signal.addEventListener('abort', () => no(signal.reason)))
const stoppable = () => {
  const soft = new AbortController()
  const hard = new AbortController()
  return { soft, hard, stop: { soft: soft.signal, hard: hard.signal } }
}

describe('caps', () => {
  test('phases from a model: judge tokens count, chores burn no attempts', async () => {
    const run = await go(refinement({ attemptsPerRun: 2, tokens: 1000 }), refined({}))
    expect(run.state.ended?.ending).toBe('completed')
    expect(run.state.tokens).toBe(3 * 15)
    expect(run.state.attempts).toBe(2)
  })

  test('60 escalates, 75 retries after 150 then 300 ms, 85 passes', async () => {
    const clock = fakeClock()
    const run = await go(refinement({ attemptsPerRun: 7, escalations: 1 }), refined({ outline: [60, 75, 75, 85] }), {
      clock,
    })
    expect(clock.slept).toEqual([150, 300])
    expect(run.state.ended?.ending).toBe('completed')
    expect(run.state.waitMs).toBe(450)
  })

  test('spent tokens give one grace attempt, then the run ends by that cap', async () => {
    const run = await go(refinement({ tokens: 1030, escalations: 1 }), refined({ outline: [75, 75, 75] }, 520, 0))
    expect(run.state.ended?.reason).toEqual({ code: 'cap_spent', cap: 'tokens' })
    expect(run.state.graced).toEqual(['tokens'])
    expect(run.events.filter((e) => e.type === 'attempt-started').map((e) => e.via)).toEqual([
      'ollama',
      'ollama',
      'grok',
    ])
    expect(run.events.find((e) => e.type === 'decision-made' && e.decision.do === 'escalate')).toMatchObject({
      by: 'tokens',
    })
  })

  test('a second escalation asks the policy by that cap', async () => {
    const run = await go(refinement({ escalations: 1 }), refined({ outline: [60, 60] }))
    expect(run.state.ended?.reason).toEqual({ code: 'cap_spent', cap: 'escalations' })
    expect(run.state.escalations).toBe(1)
  })

  test('a policy cannot argue a spent cap away', async () => {
    const stubborn = { ...delivery({ attemptsPerRun: 1 }), whenSpent: () => ({ do: 'retry' }) as const }
    const run = await go(stubborn, scriptedWork({ verdict: () => ({ status: 'failed' }) }))
    expect(run.state.ended).toEqual({ ending: 'failed', reason: { code: 'cap_spent', cap: 'attemptsPerRun' } })
    const eager = { ...delivery({ tokens: 1 }), whenSpent: () => ({ do: 'raise', caps: { tokens: 99 } }) as const }
    expect((await go(eager, scriptedWork({ tokens: 5 }))).state.ended?.reason).toEqual({
      code: 'cap_spent',
      cap: 'tokens',
    })
  })

  test('failures in a row are counted over tasks and reset by a pass', async () => {
    const verdicts = ['failed', 'failed', 'passed', 'failed', 'failed', 'failed'] as const
    const work = scriptedWork({ verdict: (a) => ({ status: verdicts[Number(a.task.id.slice(10)) - 1]! }) })
    const run = await go(procedure({ tasks: 9, failuresInARow: 3 }), work)
    expect(run.state.ended?.reason).toEqual({ code: 'cap_spent', cap: 'failuresInARow' })
    expect(run.state.tasks).toBe(6)
  })

  test('a failed story skips its dependants, independent ones go on', async () => {
    const work = scriptedWork({ verdict: (a) => ({ status: a.task.id === 'S1' ? 'failed' : 'passed' }) })
    const run = await go(delivery({ attemptsPerTask: 2, attemptsPerRun: 20 }), work)
    expect(run.memo).toEqual({ baseline: 'done', S1: 'failed', S3: 'done' })
    expect(run.state.attempts).toBe(3)
  })

  test('attemptMs times out an attempt, whatever the work calls it; a timeout burns', async () => {
    const work: Work<null> = {
      attempt: (_a, _v, signal) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve({ status: 'interrupted' }))),
      evaluate: async () => ({ status: 'failed' }),
    }
    const run = await go(procedure({ tasks: 1, attemptMs: 50 }), work)
    const ended = run.events.find((e) => e.type === 'attempt-ended')
    expect(ended).toMatchObject({ outcome: { status: 'timed-out' } })
    expect(run.state.attempts).toBe(1)
  })

  test('a policy that only ever does chores is ended by the kernel', async () => {
    const run = await go(refinement({}), scriptedWork({ attempt: () => ({ status: 'failed' }) }))
    expect(run.state.ended).toEqual({ ending: 'failed', reason: { code: 'too_many_chores', count: 200 } })
  })

  test('a provider that is never available is bounded, without a wait and without a sleep', async () => {
    const work = scriptedWork({ attempt: () => ({ status: 'unavailable', retryAt: 0 }) })
    const run = await go(procedure({ tasks: 5, interruptionsInARow: 4 }), work)
    expect(run.state.ended?.reason).toEqual({ code: 'cap_spent', cap: 'interruptionsInARow' })
    expect(work.ran).toHaveLength(4)
    expect(run.state.attempts).toBe(0)
  })

  test('a judge that is never available is bounded', async () => {
    const verdict = (a: { task: { kind: string } }): Verdict =>
      a.task.kind === 'chore' ? { status: 'passed' } : { status: 'unavailable', retryAt: 0 }
    const work = scriptedWork({ attempt: () => ({ status: 'ok', data: phases }), verdict })
    const run = await go(refinement({ interruptionsInARow: 3 }), work)
    expect(run.state.ended?.reason).toEqual({ code: 'cap_spent', cap: 'interruptionsInARow' })
    expect(work.ran).toEqual(['decompose', 'outline'])
  })
})

describe('waiting', () => {
  const limited = (retryAt: number) => {
    let tries = 0
    return scriptedWork({
      attempt: () => (tries++ === 0 ? { status: 'unavailable', retryAt } : { status: 'ok' }),
    })
  }

  test('a limit is waited out: no attempt, no failure, no active time', async () => {
    const run = await go(procedure({ tasks: 1, activeMs: 20_000 }), limited(5000))
    expect(run.state.ended?.ending).toBe('completed')
    expect([run.state.waitMs, run.state.activeMs, run.state.attempts]).toEqual([5000, 0, 1])
  })

  test('a wait that does not fit its bound is not begun', async () => {
    const clock = fakeClock()
    const run = await go(procedure({ tasks: 1, waitMs: 4000 }), limited(5000), { clock })
    expect(run.state.ended?.reason).toEqual({ code: 'cap_spent', cap: 'waitMs' })
    expect(clock.slept).toEqual([])
  })

  test('a long wait frees the process, and the run goes on where it was', async () => {
    const journal = memoryJournal()
    const work = limited(5000)
    const first = await go(procedure({ tasks: 1 }), work, { journal, holdMs: 100 })
    expect(first).toMatchObject({ status: 'waiting', until: 5000 })
    expect((await go(procedure({ tasks: 1 }), work, { journal })).state.ended?.ending).toBe('completed')
  })

  test('a wait can be skipped, also by a note that arrived while nobody ran', async () => {
    const journal = memoryJournal()
    const inbox = memoryInbox()
    const work = limited(50_000)
    await go(procedure({ tasks: 1 }), work, { journal, inbox, holdMs: 100 })
    await inbox.post({ by: 'ann', say: 'skip-wait' })
    const run = await go(procedure({ tasks: 1 }), work, { journal, inbox })
    expect(run.state.ended?.ending).toBe('completed')
    expect(run.state.waitMs).toBe(0)
  })
})

describe('notes', () => {
  test('pause during an attempt asks at the next boundary; the answer goes on with nothing doubled', async () => {
    const inbox = memoryInbox()
    const journal = memoryJournal()
    const work = refined({ outline: [60, 90] })
    const pausing: Work<unknown> = {
      ...work,
      attempt: async (a, view, signal) => {
        if (a.task.id === 'outline' && a.attempt === 1) await inbox.post({ by: 'ann', say: 'pause' })
        return work.attempt(a, view, signal)
      },
    }
    const first = await go(refinement({ escalations: 1 }), pausing, { journal, inbox })
    expect(first.status).toBe('waiting')
    await inbox.post({ by: 'ann', say: 'answer', questionId: first.state.question!.id })
    const run = await go(refinement({ escalations: 1 }), refined({ outline: [60, 90] }), { journal, inbox })
    expect(run.state.ended?.ending).toBe('completed')
    expect(run.state.escalations).toBe(1)
    expect(work.ran).toEqual(['decompose', 'outline'])
  })

  test('cancel ends a running evaluation and the run', async () => {
    const inbox = memoryInbox()
    const run = await go(
      procedure({ tasks: 3 }),
      {
        attempt: async () => ({ status: 'ok' }),
        evaluate: async (_a, _v, signal) => {
          await inbox.post({ by: 'ann', say: 'cancel' })
          return untilAborted(signal)
        },
      },
      { inbox },
    )
    expect(run.state.ended).toEqual({ ending: 'cancelled', reason: { code: 'cancelled', by: 'ann' } })
  })

  test('a wrong answer is recorded and changes nothing; the right one raises the bound', async () => {
    const inbox = memoryInbox()
    const journal = memoryJournal()
    const work = scriptedWork({ verdict: (_a, burned) => ({ status: burned > 3 ? 'passed' : 'failed' }) })
    const again = () => go(writing({ attemptsPerTask: 2 }), work, { journal, inbox })
    expect((await again()).state.question).toMatchObject({ id: 'more-2', choices: ['yes', 'no'] })
    await inbox.post({ by: 'ann', say: 'answer', questionId: 'more-2', choice: 'maybe' })
    expect((await again()).status).toBe('waiting')
    await inbox.post({ by: 'ann', say: 'answer', questionId: 'more-2', choice: 'yes' })
    const run = await again()
    expect(run.state.ended?.ending).toBe('completed')
    expect(run.state.attempts).toBe(4)
    expect(run.events.filter((e) => e.type === 'note-received')).toHaveLength(2)
  })

  test('with a person present the question waits in place', async () => {
    const inbox = memoryInbox()
    const work = scriptedWork({ verdict: (_a, burned) => ({ status: burned > 2 ? 'passed' : 'failed' }) })
    const run = await go(writing({ attemptsPerTask: 2 }), work, {
      inbox,
      attended: true,
      onEvent: (event) => {
        if (event.type !== 'decision-made' || event.decision.do !== 'pause') return
        void inbox.post({ by: 'ann', say: 'answer', questionId: event.decision.question.id, choice: 'yes' })
      },
    })
    expect(run.state.ended?.ending).toBe('completed')
  })
})

describe('stopping and going on', () => {
  test('a hard stop cuts attempt and evaluation: not judged, not burned, resumable', async () => {
    for (const where of ['attempt', 'evaluate'] as const) {
      const { hard, stop } = stoppable()
      const journal = memoryJournal()
      const cut: Work<unknown> = {
        attempt: async () => ({ status: 'ok' }),
        evaluate: async () => ({ status: 'passed' }),
        [where]: async (_a: unknown, _v: unknown, signal: AbortSignal) => {
          queueMicrotask(() => hard.abort('SIGTERM'))
          return untilAborted(signal)
        },
      }
      const first = await go(delivery({ attemptsPerTask: 1 }), cut, { journal, stop })
      expect(first.status).toBe('interrupted')
      expect(journal.events.at(-1)).toMatchObject({ type: 'run-interrupted', by: 'SIGTERM' })
      const run = await go(delivery({ attemptsPerTask: 1 }), scriptedWork({}), { journal })
      expect(run.state.ended?.ending).toBe('completed')
    }
  })

  test('what a killed process says of itself after a stop does not count', async () => {
    const { hard, stop } = stoppable()
    const run = await go(
      procedure({ tasks: 2 }),
      {
        attempt: async () => ({ status: 'ok' }),
        evaluate: async () => {
          hard.abort('SIGTERM')
          return { status: 'failed' }
        },
      },
      { stop },
    )
    expect(run.events.some((e) => e.type === 'verdict-reached')).toBe(false)
  })

  test('a soft stop lets the attempt finish and keeps it', async () => {
    const { soft, stop } = stoppable()
    const journal = memoryJournal()
    const work = scriptedWork({})
    const attempt: typeof work.attempt = (a, view, signal) => {
      if (a.task.id === 'S1') soft.abort('SIGINT')
      return work.attempt(a, view, signal)
    }
    const first = await go(delivery({}), { ...work, attempt }, { journal, stop })
    expect([first.status, first.state.outcome?.status]).toEqual(['interrupted', 'ok'])
    await go(delivery({}), work, { journal })
    expect(work.ran).toEqual(['baseline', 'S1', 'S2', 'S3', 'run-check'])
  })

  test('reopening raises caps by what was spent and lowers no counter; finished stories stay done', async () => {
    const journal = memoryJournal()
    let mended = false
    const verdict = (a: { task: { id: string } }): Verdict => ({
      status: a.task.id === 'S3' && !mended ? 'failed' : 'passed',
    })
    const policy = delivery({ attemptsPerTask: 2, attemptsPerRun: 4 })
    const failed = await go(policy, scriptedWork({ verdict }), { journal })
    expect(failed.state.ended?.ending).toBe('failed')
    mended = true
    const work = scriptedWork({ verdict })
    const run = await go(policy, work, { journal, reopen: () => ({ by: 'ann', caps: { attemptsPerRun: 4 + 4 } }) })
    expect(run.state.ended?.ending).toBe('completed')
    expect(work.ran).toEqual(['S3', 'run-check'])
    expect(run.state.attempts).toBe(5)
  })

  test('reopening judges what was done and not decided on, instead of doing it again', async () => {
    const journal = memoryJournal()
    const inbox = memoryInbox()
    const cancelling: Work<null> = {
      attempt: async () => ({ status: 'ok' }),
      evaluate: async (_a, _v, signal) => {
        await inbox.post({ by: 'ann', say: 'cancel' })
        return untilAborted(signal)
      },
    }
    expect((await go(procedure({ tasks: 1 }), cancelling, { journal, inbox })).state.ended?.ending).toBe('cancelled')
    const work = scriptedWork({})
    const run = await go(procedure({ tasks: 1 }), work, { journal, inbox, reopen: () => ({ by: 'ann' }) })
    expect([run.state.ended?.ending, work.ran]).toEqual(['completed', []])
  })

  test('reopening makes an attempt again over which the policy had stopped', async () => {
    const journal = memoryJournal()
    const usual = procedure({ tasks: 1 })
    const policy: typeof usual = {
      ...usual,
      decide: (view) =>
        view.state.outcome?.status === 'unavailable'
          ? { do: 'stop', ending: 'blocked', reason: { code: 'not_logged_in' } }
          : usual.decide(view),
    }
    const loggedOut = scriptedWork({ attempt: () => ({ status: 'unavailable' }) })
    expect((await go(policy, loggedOut, { journal })).state.ended?.ending).toBe('blocked')
    const work = scriptedWork({})
    const run = await go(policy, work, { journal, reopen: () => ({ by: 'ann' }) })
    expect([run.state.ended?.ending, work.ran]).toEqual(['completed', loggedOut.ran])
  })

  test('an ended run is left alone', async () => {
    const journal = memoryJournal()
    await go(procedure({ tasks: 1 }), scriptedWork({}), { journal })
    const before = journal.events.length
    expect((await go(procedure({ tasks: 1 }), scriptedWork({}), { journal })).status).toBe('ended')
    expect(journal.events).toHaveLength(before)
  })

  test('a call that is recorded is not made again, not even when the attempt was cut by a crash', async () => {
    const journal = memoryJournal()
    const { hard, stop } = stoppable()
    const first: Work<null> = {
      attempt: async (a, _v, signal) => {
        await a.record(call('generate', 7))
        queueMicrotask(() => hard.abort('kill'))
        return untilAborted(signal)
      },
      evaluate: async () => ({ status: 'passed' }),
    }
    await go(writing({}), first, { journal, stop })
    const work = scriptedWork({ tokens: 7, judgeTokens: 3 })
    const run = await go(writing({}), work, { journal })
    expect(work.calls).toEqual(['revise-1/2/judge'])
    expect(run.state.tokens).toBe(10)
  })

  test('after an outage the answered calls of the attempt are kept, and only the unanswered one is made again', async () => {
    const made: string[] = []
    let isDown = true
    const ask = async (a: Attempt, key: string, answers: boolean): Promise<boolean> => {
      if (a.recorded(key)?.status === 'ok') return true
      made.push(key)
      await a.record({ ...call(key, 5), status: answers ? 'ok' : 'unavailable' })
      return answers
    }
    const attempt: Work<null>['attempt'] = async (a) => {
      await ask(a, 'chapter-1', true)
      if (await ask(a, 'chapter-2', !isDown)) return { status: 'ok' }
      isDown = false
      return { status: 'unavailable', retryAt: 5 }
    }
    const run = await go(procedure({ tasks: 1 }), { attempt, evaluate: async () => ({ status: 'passed' }) })
    expect([made, run.state.attempts]).toEqual([['chapter-1', 'chapter-2', 'chapter-2'], 1])
  })

  test('recover may prove the outcome of an attempt that a crash cut', async () => {
    const whole = await go(procedure({ tasks: 1 }), scriptedWork({}))
    const cut = whole.events.findIndex((e) => e.type === 'attempt-started') + 1
    const work = { ...scriptedWork({}), recover: async () => ({ status: 'ok', detail: 'found' }) as const }
    const run = await go(procedure({ tasks: 1 }), work, { journal: memoryJournal(whole.events.slice(0, cut)) })
    expect(work.ran).toEqual([])
    expect(run.events.find((e) => e.type === 'attempt-ended')).toMatchObject({ outcome: { detail: 'found' } })
  })

  test('a snapshot makes resume independent of length, and another policy version discards it', async () => {
    const journal = memoryJournal()
    await go(procedure({ tasks: 300 }), scriptedWork({}), { journal })
    const { load } = journal
    let replayed = 0
    journal.load = async (key) => {
      const { snapshot, events } = await load(key)
      return {
        snapshot,
        events: (async function* () {
          for await (const event of events) {
            replayed++
            yield event
          }
        })(),
      }
    }
    await go(procedure({ tasks: 300 }), scriptedWork({}), { journal })
    expect(replayed).toBeLessThan(1000)
    replayed = 0
    await go({ ...procedure({ tasks: 300 }), version: 2 }, scriptedWork({}), { journal })
    expect(replayed).toBe(journal.events.length)
  })

  test('an attempt starts only after everything before it is saved', async () => {
    const order: string[] = []
    const journal = memoryJournal()
    const { append, sync } = journal
    journal.append = async (draft) => {
      order.push(draft.type)
      return append(draft)
    }
    journal.sync = async () => {
      order.push('sync')
      return sync.call(journal)
    }
    const work = scriptedWork({})
    await go(
      procedure({ tasks: 2 }),
      { ...work, attempt: async () => ({ status: order.push('attempt') ? 'ok' : 'failed' }) },
      { journal },
    )
    expect(order.join(' ')).toMatch(/attempt-started sync attempt attempt-ended/)
    expect(order.slice(-2)).toEqual(['run-ended', 'sync'])
    expect(order.filter((what) => what === 'sync')).toHaveLength(3)
  })
})

describe('what cannot be kept', () => {
  test('a refused append leaves as unsaved and ends the attempt that runs', async () => {
    const journal = memoryJournal()
    const inbox = memoryInbox()
    const { append } = journal
    let ended = false
    journal.append = async (draft) => {
      if (draft.type === 'note-received') throw new NotSavedError('disk full')
      return append(draft)
    }
    const left = await go(
      procedure({}),
      {
        attempt: async (_a, _v, signal) => {
          await inbox.post({ by: 'ann', say: 'pause' })
          return untilAborted(signal).finally(() => {
            ended = true
          })
        },
        evaluate: async () => ({ status: 'passed' }),
      },
      { journal, inbox, stop: neverStop() },
    )
    expect(left).toMatchObject({ status: 'unsaved', error: { message: 'disk full' } })
    expect(ended).toBe(true)
  })

  test('content that cannot be kept is not a failed attempt', async () => {
    const work = scriptedWork({})
    const attempt = async () => {
      throw new NotSavedError('no space for the prompt')
    }
    const left = await go(procedure({}), { ...work, attempt })
    expect(left).toMatchObject({ status: 'unsaved', error: { message: 'no space for the prompt' } })
    expect(left.state.attempts).toBe(0)
  })

  test('a listener that throws does not stop the run', async () => {
    const onEvent = () => {
      throw new Error('EPIPE')
    }
    const run = await go(procedure({ tasks: 2 }), scriptedWork({}), { onEvent, onSaved: onEvent })
    expect(run.state.ended?.ending).toBe('completed')
  })
})
