import { describe, expect, test } from 'vitest'
import { exitCodes } from '../../src/contract/exit.ts'
import { splitCommand } from '../../src/contract/split-command.ts'
import type { Left } from '../../src/kernel/policy.ts'
import { emptyState, type LoopState } from '../../src/kernel/state.ts'
import { procedure } from '../../src/modes/procedure/mode.ts'
import { NotSavedError, StaleWriterError } from '../../src/ports/journal.ts'
import { bestEffort, bestEffortContent } from '../../src/run/best-effort.ts'
import { exitOf } from '../../src/run/exit-of.ts'
import { reopenedCaps, spendOf } from '../../src/show/spend.ts'
import { memoryJournal } from '../../src/testing/memory.ts'

describe('a command is split as a shell would', () => {
  test.each([
    ['agent --headless', ['agent', '--headless']],
    ['  agent\t-p  "two words" ', ['agent', '-p', 'two words']],
    [`agent 'it is "quoted"' ""`, ['agent', 'it is "quoted"', '']],
    ['agent a\\ b "c\\"d" \'e\\f\'', ['agent', 'a b', 'c"d', 'e\\f']],
    ['agent "a\\b" $HOME | tee *', ['agent', 'a\\b', '$HOME', '|', 'tee', '*']],
    ['agent pre"mid"\'post\'', ['agent', 'premidpost']],
  ])('%s', (text, words) => expect(splitCommand(text)).toEqual(words))

  test('an open quote and an empty command are refused', () => {
    expect(() => splitCommand('agent "open')).toThrow('unclosed')
    expect(() => splitCommand('  ')).toThrow('empty')
  })
})

const ended = (ending: string, reason: string, more: Partial<LoopState> = {}): Left<unknown> => ({
  status: 'ended',
  view: { state: { ...emptyState, ended: { ending, reason } as never, ...more }, memo: null },
})

describe('how a run left becomes one exit code of the table', () => {
  const by = (who: string): Partial<LoopState> => ({ verdict: { status: 'failed', data: { by: who } } })
  const open = { state: emptyState, memo: null }
  const asking = { state: { ...emptyState, question: { id: 'q', topic: 't' } }, memo: null }
  test.each<[string, Left<unknown>, string | undefined, number]>([
    ['completed', ended('completed', 'x'), undefined, 0],
    ['blocked', ended('blocked', 'x'), undefined, 10],
    ['cancelled', ended('cancelled', 'x'), undefined, 130],
    ['a bound', ended('failed', 'cap spent: tokens'), undefined, 30],
    ['waits spent', ended('failed', 'cap spent: waitMs'), undefined, 20],
    ['crash loop', ended('failed', 'cap spent: interruptionsInARow'), undefined, 20],
    ['failures of the agent', ended('failed', 'cap spent: failuresInARow', by('agent')), undefined, 20],
    ['failures of a gate', ended('failed', 'cap spent: failuresInARow', by('gate')), undefined, 30],
    ['unsaved', { status: 'unsaved', error: new Error('x'), view: open }, undefined, 20],
    ['waiting for a person', { status: 'waiting', view: asking }, undefined, 10],
    ['waiting for a limit', { status: 'waiting', until: 5, view: open }, undefined, 20],
    ['SIGINT', { status: 'interrupted', view: open }, 'SIGINT', 130],
    ['SIGTERM', { status: 'interrupted', view: open }, 'SIGTERM', 143],
    ['SIGHUP', { status: 'interrupted', view: open }, 'SIGHUP', 129],
  ])('%s', (_name, left, signal, code) => {
    expect(exitOf(procedure.reasons, left, signal)).toBe(code)
    expect(exitCodes).toHaveProperty(String(code))
  })
})

describe('spending', () => {
  test('what was not reported makes the sums a lower bound', () => {
    expect(spendOf({ ...emptyState, tokens: 7, unknownCalls: 1, caps: { tokens: 10 } }).tokens).toEqual({
      used: 7,
      of: 10,
      atLeast: true,
    })
    expect(spendOf(emptyState).costUsd).toEqual({ used: 0, of: null })
  })

  test('reopening adds a spent bound once more on top of what was spent, and leaves the others', () => {
    const state = { ...emptyState, tasks: 3, tokens: 120, caps: { tasks: 10, tokens: 100, failuresInARow: 3 } }
    expect(reopenedCaps(state, state.caps)).toEqual({ tokens: 220 })
  })
})

describe('best effort', () => {
  const draft = { type: 'run-resumed', seq: 1, at: 0, ms: 0, task: null, attempt: null } as const

  test('after the first failure nothing is written any more, and the loop goes on', async () => {
    const journal = memoryJournal()
    const told: unknown[] = []
    const { append } = journal
    let broken = true
    journal.append = (event) => (broken ? Promise.reject(new NotSavedError('disk full')) : append(event))
    const lenient = bestEffort(journal, (error) => told.push(error))
    expect(await lenient.append(draft)).toMatchObject({ type: 'run-resumed' })
    broken = false
    await lenient.append(draft)
    await lenient.sync()
    expect([journal.events.length, told.length]).toEqual([0, 1])
  })

  test('an owner that was taken over stops all the same', async () => {
    const journal = memoryJournal()
    journal.append = () => Promise.reject(new StaleWriterError('taken over'))
    await expect(bestEffort(journal, () => {}).append(draft)).rejects.toThrow('taken over')
  })

  test('content that cannot be kept is done without', async () => {
    const fail = () => Promise.reject(new NotSavedError('disk full'))
    const told: unknown[] = []
    const lenient = bestEffortContent({ put: fail, adopt: fail, get: fail }, (error) => told.push(error))
    expect([await lenient.put('a', 'b'), await lenient.adopt('/x'), told.length]).toEqual([undefined, undefined, 2])
  })
})
