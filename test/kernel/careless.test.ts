import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { Work } from '../../src/kernel/run.ts'
import { NotSavedError } from '../../src/ports/journal.ts'
import { memoryInbox, memoryJournal } from '../../src/testing/memory.ts'
import { go } from './harness.ts'
import { aborted, once, outcomeOf, passing } from './helpers.ts'
import { call, procedure, refinement } from './policies.ts'

describe('what holds although somebody else is careless', () => {
  test('what was stored is what counts', async () => {
    const journal = memoryJournal()
    const { append } = journal
    journal.append = async (draft) => append(draft.type === 'attempt-started' ? { ...draft, via: 'masked' } : draft)
    expect((await go(once, passing, { journal })).state.via).toBe('masked')
  })

  test('an inbox that shows old notes again is asked for new ones only, and none is recorded twice', async () => {
    const inbox = memoryInbox()
    await inbox.post({ by: 'ann', say: 'skip-wait' })
    const asked: number[] = []
    inbox.take = async (after) => {
      asked.push(after)
      return inbox.notes
    }
    const attempt: Work<null>['attempt'] = async () => {
      await inbox.post({ by: 'ann', say: 'skip-wait' })
      return { status: 'ok' }
    }
    const run = await go(once, { ...passing, attempt }, { inbox })
    expect(asked).toEqual([0, 1])
    expect(run.events.filter(({ type }) => type === 'note-received')).toHaveLength(2)
  })

  test('work that throws while notes are taken, or does not wait for its record, leaves nothing unhandled', async () => {
    const inbox = memoryInbox()
    const { take } = inbox
    inbox.take = async (after) => {
      await turn()
      return take(after)
    }
    const throwing: Work<null>['attempt'] = async () => {
      void inbox.post({ by: 'ann', say: 'skip-wait' })
      throw new Error('boom')
    }
    expect((await outcomeOf(throwing, {}, { inbox }))?.detail).toBe('boom')
    const journal = memoryJournal()
    const { append } = journal
    journal.append = async (draft) => {
      if (draft.type === 'call-ended') throw new NotSavedError('full')
      return append(draft)
    }
    const careless: Work<null>['attempt'] = async (a) => {
      void a.record(call('k', 1))
      await turn()
      return { status: 'ok' }
    }
    expect(await go(once, { ...passing, attempt: careless }, { journal })).toMatchObject({ status: 'unsaved' })
  })

  test('an attempt that takes its time to end is waited for, even when nothing can be kept any more', async () => {
    const [journal, inbox] = [memoryJournal(), memoryInbox()]
    const { append } = journal
    journal.append = async (draft) => {
      if (draft.type === 'note-received') throw new NotSavedError('full')
      return append(draft)
    }
    let ended = false
    const attempt: Work<null>['attempt'] = async (_a, _v, signal) => {
      await inbox.post({ by: 'ann', say: 'pause' })
      await aborted(signal)
      await turn()
      ended = true
      return { status: 'ok' }
    }
    await go(once, { ...passing, attempt }, { journal, inbox })
    expect(ended).toBe(true)
  })

  test('a run that goes on from a fresh snapshot keeps the next one in its turn', async () => {
    const journal = memoryJournal()
    await go(procedure({ tasks: 25 }), passing, { journal })
    const kept: number[] = []
    journal.keep = async (_key, seq) => void kept.push(seq)
    await go(procedure({ tasks: 25 }), passing, { journal, reopen: () => ({ by: 'ann', caps: { tasks: 40 } }) })
    expect(kept).toEqual([journal.events.length])
  })

  test('in its grace an attempt may spend what it needs', async () => {
    const left: number[] = []
    const attempt: Work<unknown>['attempt'] = async (a) => {
      left.push(a.left().tokens)
      if (a.task.kind === 'chore') return { status: 'ok', data: ['outline'] }
      await a.record(call(`k${a.attempt}`, 60))
      return { status: 'ok' }
    }
    const evaluate = async () => ({ status: 'failed', score: 75 }) as const
    await go(refinement({ tokens: 100, escalations: 1 }), { attempt, evaluate }, {})
    expect(left).toEqual([100, 100, 40, Infinity])
  })
})
