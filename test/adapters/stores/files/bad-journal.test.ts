import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { realDisk } from '../../../../src/adapters/stores/files/disk.ts'
import { openFileJournal } from '../../../../src/adapters/stores/files/journal.ts'
import { journalName } from '../../../../src/adapters/stores/files/lines.ts'
import { openStoredRun } from '../../../../src/adapters/stores/files/stored-run.ts'
import type { LoopEvent } from '../../../../src/contract/event.ts'
import type { StoredRun } from '../../../../src/ports/run-store.ts'
import { toPawlError } from '../../../../src/run/errors.ts'
import type { Machine } from '../../../../src/run/machine.ts'
import { readRun } from '../../../../src/run/read-run.ts'
import { checkRun } from '../../../../src/run/reports/fsck.ts'
import { loadAll } from '../../../../src/testing/journal-suite.ts'
import { all } from '../../../../src/testing/run-store/subject.ts'

const lease = { epoch: 9, check: () => {}, release: () => {} }
const started = { journal: 2, policy: 'p', version: 1, caps: {}, pins: {} }
const lineOf = (seq: number, status = 'resumed', context: object = {}, more: object = {}): string => {
  const stamp = { seq, epoch: 1, timestamp: '2026-01-02T03:04:05.678Z', ms: 1, run_id: 'r', story_id: null }
  return JSON.stringify({ ...stamp, phase: 'run', attempt: null, status, context, ...more })
}
const first = lineOf(1, 'started', started)
const ended = { reason: { code: 'all_done' } }

function folderWith(...lines: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'pawl-journal-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, journalName), lines.map((line) => `${line}\n`).join(''))
  return folder
}

const created = '2026-01-02T03:04:05.678Z'
const runIn = (dir: string): StoredRun =>
  openStoredRun(realDisk, { id: 'r', mode: 'procedure', name: 'build', workspace: dir, created, address: dir })
const eventsIn = async (dir: string): Promise<LoopEvent[]> => all((await runIn(dir).read()).events)

async function load(dir: string, run = 'r') {
  const told: string[] = []
  const journal = openFileJournal({ dir, run, lease, onRepair: (what) => told.push(what) })
  try {
    return { events: await loadAll(journal), told }
  } finally {
    journal.close()
  }
}

test.each<[what: string, lines: readonly string[], says: RegExp]>([
  ['a number left out', [first, lineOf(3)], /event 3 follows event 1/],
  ['a number twice', [first, lineOf(2), lineOf(2)], /event 2 follows event 2/],
  ['numbers that go back', [first, lineOf(2), lineOf(3), lineOf(1)], /event 1 follows event 3/],
  ['a first number that is not 1', [lineOf(2), lineOf(3)], /event 2 follows event 0/],
  ['number 0', [lineOf(0, 'started', started)], /event 0 follows event 0/],
  ['a number below 0', [first, lineOf(-1)], /event -1 follows event 1/],
  ['half a number', [first, lineOf(1.5)], /event 1.5 follows event 1/],
  ['a number past all numbers', [first, lineOf(2).replace('"seq":2', '"seq":1e309')], /event Infinity follows event 1/],
  ['an event of another run', [first, lineOf(2, 'resumed', {}, { run_id: 'other' })], /event 2 belongs to another run/],
  ['an event of no run', [first, lineOf(2, 'resumed', {}, { run_id: null })], /event 2 belongs to another run/],
  ['two journals in one', [first, lineOf(2), first, lineOf(2)], /event 1 follows event 2/],
  [
    'a line of 5 MB among others',
    [first, lineOf(2, 'resumed', { x: 'x'.repeat(5e6) }), lineOf(3)],
    /invalid JSON after event 1/,
  ],
  ['an empty line among others', [first, '', lineOf(2)], /invalid JSON after event 1/],
  ['a list among others', [first, '[]', lineOf(2)], /not an event/],
  ['a line without context among others', [first, '{"seq":2}', lineOf(2)], /not an event/],
  ['a known event that lacks something', [first, lineOf(2, 'interrupted')], /event 2 is malformed/],
  ['a time that is none', [first, lineOf(2, 'resumed', {}, { timestamp: '\u001b[2J' })], /event 2 is malformed/],
  ['an attempt that is no number', [first, lineOf(2, 'resumed', {}, { attempt: 'x' })], /event 2 is malformed/],
  ['an epoch that is no number', [first, lineOf(2, 'resumed', {}, { epoch: '2' })], /event 2 is malformed/],
  [
    'data nested 10,000 deep',
    [
      first,
      lineOf(2, 'picked', { task: { id: 'S1', kind: 'work', data: 0 } }, { phase: 'task' }).replace(
        ':0}',
        `:${'['.repeat(1e4)}${']'.repeat(1e4)}}`,
      ),
    ],
    /event 2 is malformed/,
  ],
])('a journal is refused for %s, and stays as it is', async (_, lines, says) => {
  const dir = folderWith(...lines)
  const path = join(dir, journalName)
  const before = readFileSync(path)
  for (const read of [() => load(dir), () => eventsIn(dir)]) {
    const error: unknown = await read().catch((thrown: unknown) => thrown)
    const { exit, message, hint } = toPawlError(error)
    expect(message).toMatch(says)
    expect(`${message}. ${hint}`).toMatch(/is damaged at byte \d+: .*Nothing was changed/)
    expect(message).not.toMatch(/\p{Cc}/u)
    expect(exit).toBe(30)
  }
  expect(readFileSync(path).equals(before)).toBe(true)
  expect(readdirSync(dir)).toEqual([journalName])
})

test('a journal of another run is rejected completely', async () => {
  await expect(load(folderWith(first, lineOf(2)), 'mine')).rejects.toThrow(/event 1 belongs to another run/)
})

test('a line of 5 MB at the end is cut off and saved', async () => {
  const dir = folderWith(first, lineOf(2), lineOf(3, 'resumed', { x: 'x'.repeat(5e6) }))
  const { events, told } = await load(dir)
  expect(events).toHaveLength(2)
  expect(told[0]).toMatch(/^cut off a torn last line \(50\d+ bytes, saved in/)
  expect(readFileSync(join(dir, `${journalName}.torn`)).length).toBeGreaterThan(5e6)
})

test('events of other owners: a later owner counts from there on, an earlier one after it does not', async () => {
  const by = (epoch: number) => ({ epoch })
  const dir = folderWith(
    first,
    lineOf(2, 'resumed', {}, by(3)),
    lineOf(3, 'resumed', {}, by(2)),
    lineOf(3, 'resumed', {}, by(3)),
  )
  const { events, told } = await load(dir)
  expect(events.map(({ seq, epoch }) => [seq, epoch])).toEqual([
    [1, 1],
    [2, 3],
    [3, 3],
  ])
  expect(told).toEqual(['skipped 1 events of an earlier owner'])
})

test('unknown kinds of events are skipped with a note, names that every object has among them', async () => {
  const odd = ['constructor', '__proto__', 'toString'].map((name, index) =>
    lineOf(index + 2, name, {}, { phase: name }),
  )
  const { events, told } = await load(folderWith(first, ...odd, lineOf(5)))
  expect(events.map(({ seq }) => seq)).toEqual([1, 5])
  expect(told).toEqual(['skipped 3 events of a type that this version does not know'])
})

test('a run that has ended stays ended whatever follows its end, and fsck reports it', async () => {
  const attempt = lineOf(3, 'started', { via: 'x' }, { phase: 'execute', story_id: 'S1', attempt: 1 })
  const problemsIn = async (dir: string) => (await checkRun({ machine: {} as Machine, modes: [] }, runIn(dir))).problems
  const dir = folderWith(first, lineOf(2, 'completed', ended), attempt)
  expect(await problemsIn(dir)).toContain('event 3 comes after the end of the run')
  expect((await readRun(runIn(dir))).standing).toBe('completed')
  const reopened = folderWith(first, lineOf(2, 'completed', ended), lineOf(3, 'reopened', { by: 'ann' }))
  expect((await problemsIn(reopened)).join()).not.toContain('behind the end')
})
