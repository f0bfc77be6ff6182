import { expect, test } from 'vitest'
import { fromLine, toLine } from '../../src/contract/line.ts'
import { everyKind } from '../../src/testing/journal-suite.ts'

const lines = everyKind.map((draft, index) => toLine({ ...draft, seq: index + 1, epoch: 3 }, 'r'))

test('phase/status names every event exactly, both ways', () => {
  for (const [index, line] of lines.entries()) {
    const event = fromLine(JSON.parse(JSON.stringify(line)))
    expect(event).toEqual({ ...JSON.parse(JSON.stringify(everyKind[index])), seq: index + 1, epoch: 3 })
  }
})

test('the names are those of the documented list, all of them', () => {
  expect([...new Set(lines.map(({ phase, status }) => `${phase}/${status}`))].sort()).toEqual(
    [
      ...['started', 'resumed', 'interrupted', 'reopened', 'completed', 'failed', 'blocked', 'cancelled'].map(
        (s) => `run/${s}`,
      ),
      'task/picked',
      ...['started', 'ok', 'failed', 'timed-out', 'interrupted', 'unavailable'].map((s) => `execute/${s}`),
      ...['ok', 'failed', 'unavailable'].map((s) => `call/${s}`),
      ...['passed', 'failed', 'unavailable'].map((s) => `verify/${s}`),
      ...['done', 'failed', 'blocked', 'interrupted', 'retry', 'escalate', 'failover'].map((s) => `decide/${s}`),
      ...['wait', 'pause', 'raise', 'stop'].map((s) => `decide/${s}`),
      'wait/ended',
      'wait/skipped',
      ...['answered', 'paused', 'unpaused', 'cancelled', 'raised', 'skipped-wait', 'commented', 'amended'].map(
        (s) => `human/${s}`,
      ),
    ].sort(),
  )
})

test('a chore has no story, and its id lies in the context', () => {
  const chore = lines.find(({ context }) => context.chore)
  expect(chore).toMatchObject({ story_id: null, context: { chore: 'baseline' } })
})

test('an unknown event is told apart from a malformed one', () => {
  expect(fromLine({ ...lines[0]!, phase: 'dream', status: 'begun' })).toBeUndefined()
  expect(() => fromLine({ ...lines[0]!, context: { caps: 'none' } })).toThrow()
})
