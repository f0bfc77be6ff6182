import { describe, expect, test } from 'vitest'
import type { Changes } from '../../src/contract/changes.ts'
import type { Notice } from '../../src/contract/show.ts'
import type { Json } from '../../src/contract/values.ts'
import { emptyState, type LoopState, reduce } from '../../src/kernel/state.ts'
import { chooseNotices, gatherNoticed, workNotices } from '../../src/show/notices.ts'
import { collectWork, type WorkFacts } from '../../src/show/report/collect.ts'
import type { Report } from '../../src/show/show.ts'
import { agentFailed, ended, eventsOf, gateFailed, iteration, passed, type Written } from '../support/written-events.ts'

const started = { type: 'run-started', journal: 2, policy: 'procedure', version: 1, caps: {}, pins: {} } as const

type Gathered = {
  readonly gates?: readonly string[]
  readonly changes?: Changes
  readonly end?: (name: string) => string
}

/** What is collected of these events, and what of it is to be looked at first. */
async function collect(
  facts: readonly Written[],
  { gates = [], changes, end }: Gathered = {},
): Promise<WorkFacts & { lookFirst: readonly Notice[] }> {
  const events = eventsOf(facts)
  const found = await collectWork({
    events: (async function* () {
      yield events
    })(),
    running: false,
    gates,
    changesSince: async () => changes,
    outputEnd: async (name) => end?.(name),
    where: (name) => `/run/attempts/${name}`,
  })
  const state = events.reduce<LoopState>(reduce, emptyState)
  const report = { state, standing: state.ended?.ending ?? 'crashed', facts: found } as Report<WorkFacts>
  return { ...found, lookFirst: chooseNotices(workNotices(gatherNoticed(report))) }
}

describe('attempts', () => {
  test('carry what each cost, what it changed and what it was denied, and null for what is not known', async () => {
    const { attempts } = await collect([
      started,
      ...iteration(1, passed(0), { tokens: 5, costUsd: 0.5, data: { head: 'abc', changed: false, denied: 3 } }),
      ...iteration(2, passed(0), { data: { changed: null, denied: 'many' } }),
    ])
    expect(attempts).toMatchObject([
      { task: 'iteration-1', tokens: 5, costUsd: 0.5, changed: false, denied: 3, decision: 'done', ms: 180_000 },
      { task: 'iteration-2', tokens: null, costUsd: null, changed: null, denied: null },
    ])
  })

  test('are kept to the last two thousand however many there were, and counted', async () => {
    const facts: Written[] = [started]
    for (let number = 1; number <= 9000; number++)
      facts.push(...iteration(number, passed(0), { data: { changed: false } }))
    const { attempts, attemptsMade, lookFirst } = await collect(facts)
    expect([attempts.length, attempts.at(-1)?.task, attemptsMade]).toEqual([2000, 'iteration-9000', 9000])
    expect(lookFirst.map(({ says }) => says)).toContain('9000 of 9000 attempts changed no files')
  })
})

test('each attempt has its own time, and only attempts that count are counted', async () => {
  const attempt = (minutes: number, status: 'ok' | 'interrupted'): Written[] => [
    { type: 'attempt-started', via: 'command' },
    { type: 'attempt-ended', outcome: { status, data: { changed: false } }, after: minutes },
    ...(status === 'ok' ? [{ type: 'verdict-reached', verdict: gateFailed(0, 1), after: 1 } as Written] : []),
    { type: 'decision-made', decision: { do: 'retry' }, by: 'policy' },
  ]
  const { attempts, attemptsMade, totals } = await collect([
    started,
    { type: 'task-picked', picked: { id: 'S1', kind: 'work' } },
    ...attempt(5, 'ok'),
    ...attempt(3, 'interrupted'),
    ...attempt(2, 'ok'),
  ])
  expect(attempts.map(({ ms }) => ms / 60_000)).toEqual([6, 3, 3])
  expect([attemptsMade, totals.started, totals.attempts, totals.looked, totals.unchanged]).toEqual([3, 3, 2, 2, 2])
})

test('attempts of a run that was reopened are counted on', async () => {
  const facts = [
    started,
    ...iteration(1, gateFailed(0, 1)),
    ...ended('failed', { code: 'max_iterations', iterations: 1 }, 'tasks'),
    { type: 'run-reopened', by: 'ann' } as Written,
    ...iteration(2, passed(1)),
    ...ended('completed', { code: 'max_iterations', iterations: 2 }, 'tasks'),
  ]
  expect(await collect(facts)).toMatchObject({ attemptsMade: 2, failure: null })
})

describe('gates', () => {
  test('have their last result each: a failure tells that those before it passed, and nothing of those behind', async () => {
    const { gates } = await collect([started, ...iteration(1, passed(3)), ...iteration(2, gateFailed(1, 3))], {
      gates: ['lint', 'test'],
    })
    expect(gates.map(({ gate, command, status, task }) => [gate, command, status, task])).toEqual([
      [0, 'lint', 'passed', 'iteration-2'],
      [1, 'test', 'failed', 'iteration-2'],
      [2, null, 'passed', 'iteration-1'],
    ])
    expect(gates[1]?.log).toBe('/run/attempts/iteration-2-attempt-1-gate-2.log')
  })

  test('that did not run because the agent failed keep the result that they had', async () => {
    const { gates, lookFirst } = await collect([started, ...iteration(1, passed(1)), ...iteration(2, agentFailed)], {
      end: (name) => `the end of ${name}\n`,
    })
    expect(gates).toMatchObject([{ gate: 0, status: 'passed', task: 'iteration-1' }])
    const log = 'iteration-2-attempt-1-agent.log'
    expect(lookFirst[0]).toEqual({
      about: 'agent-failed',
      weight: 100,
      says: 'the agent failed in iteration-2: exit 4',
      lines: [`the end of ${log}`],
      log,
    })
  })

  test('a failure that was made good is nothing to look at first', async () => {
    const { lookFirst } = await collect([started, ...iteration(1, gateFailed(0, 1)), ...iteration(2, passed(1))])
    expect(lookFirst.map(({ about }) => about)).not.toContain('gate-failed')
  })

  test('data in any other shape is passed over', async () => {
    const shapes: Json[] = ['text', null, [1], { by: 'gate', gate: -1 }, { gates: 1e9 }, { by: 'gate', gate: 1e9 }]
    for (const data of shapes) {
      expect((await collect([started, ...iteration(1, { status: 'passed', data })])).gates.length).toBeLessThanOrEqual(
        1000,
      )
      expect((await collect([started, ...iteration(1, { status: 'failed', data })])).gates.length).toBeLessThanOrEqual(
        1000,
      )
    }
  })
})

describe('what changed', () => {
  const changes: Changes = {
    head: 'b'.repeat(40),
    history: 'continued',
    commits: [],
    totalCommits: 0,
    files: [],
    totalFiles: 0,
    added: 0,
    deleted: 0,
    uncommitted: 0,
  }
  const from = (head?: string): Written => ({ ...started, pins: head === undefined ? {} : { head } })

  test('is left out with a note where the run did not tell where it started, or git does not answer', async () => {
    expect(await collect([from()])).toMatchObject({
      base: null,
      changes: null,
      changesNote: expect.stringMatching(/did not record/),
    })
    expect(await collect([from('[x](y)')])).toMatchObject({
      base: null,
      changesNote: expect.stringMatching(/did not record/),
    })
    expect(await collect([from('a'.repeat(40))])).toMatchObject({
      base: 'a'.repeat(40),
      changesNote: 'git could not list the changes',
    })
    expect(await collect([from('')], { changes })).toMatchObject({ base: null, changes, changesNote: null })
  })

  test('tells when somebody has gone on since', async () => {
    const facts = [from('a'.repeat(40)), ...iteration(1, passed(0), { data: { head: 'c'.repeat(40) } })]
    expect((await collect(facts, { changes })).changesNote).toMatch(/HEAD has moved/)
    expect((await collect(facts, { changes: { ...changes, head: 'c'.repeat(40) } })).changesNote).toBeNull()
  })
})
