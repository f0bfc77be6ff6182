import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import type { LoopEvent } from '../../../../src/contract/event.ts'
import type { Left } from '../../../../src/kernel/policy.ts'
import { emptyState } from '../../../../src/kernel/state.ts'
import { withLock } from '../../../../src/machine/open-machine.ts'
import { openSapFile } from '../../../../src/modes/refinement/sap/sap-file.ts'
import type { SapLine } from '../../../../src/modes/refinement/sap/sap-line.ts'
import { openSapProjection } from '../../../../src/modes/refinement/sap/sap-log.ts'
import { about, longRun, pagesOf } from './a-run.ts'

let home: string
let folder: string
beforeEach(() => {
  home = fs.mkdtempSync(join(tmpdir(), 'pawl-sap-'))
  folder = join(home, 'agent_logs')
  return () => fs.rmSync(home, { recursive: true, force: true })
})

const openFile = () => openSapFile(folder, { withLock: (action) => withLock(join(home, 'lock'), action) })
/** Over a journal that has these events already, and gets the new ones. */
async function openOver(journal: LoopEvent[], lost: unknown[] = []) {
  const projection = await openSapProjection({
    about,
    file: openFile(),
    history: async () => pagesOf([...journal]),
    onError: (error) => lost.push(error),
  })
  const take = (event: LoopEvent): void => {
    journal.push(event)
    projection.onEvent!(event, viewAt(event.seq))
  }
  return { ...projection, take }
}
const viewAt = (seq: number) => ({ state: { ...emptyState, seq }, memo: {} })
const left = (status: 'ended' | 'unsaved', seq: number) => ({ status, error: 0, view: viewAt(seq) }) as Left<unknown>
const written = (): SapLine[] =>
  fs
    .readdirSync(folder)
    .filter((name) => name.startsWith('sap.log'))
    .sort((a, b) => (a < b ? 1 : -1))
    .flatMap((name) => fs.readFileSync(join(folder, name), 'utf8').split('\n'))
    .flatMap((text) => parsed(text))
const seqs = () => written().map(({ seq }) => seq)
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

function parsed(text: string): SapLine[] {
  try {
    return [JSON.parse(text) as SapLine]
  } catch {
    return []
  }
}

test('lines are written once their events are saved, and only once', async () => {
  const events = longRun(7)
  const projection = await openOver([])
  for (const event of events.slice(0, 5)) projection.take(event)
  expect(fs.existsSync(folder)).toBe(false)
  projection.onSaved(viewAt(5))
  projection.onSaved(viewAt(5))
  expect(seqs()).toEqual(upTo(5))
  for (const event of events.slice(5)) projection.take(event)
  await projection.onLeft(left('unsaved', 7))
  expect(seqs()).toEqual(upTo(5))
})

test('a resumed run writes the lines that the process before could not write, with the same numbers', async () => {
  const events = longRun(120)
  const journal: LoopEvent[] = []
  const first = await openOver(journal)
  for (const event of events.slice(0, 40)) first.take(event)
  first.onSaved(viewAt(40))
  for (const event of events.slice(40, 110)) first.take(event)
  const second = await openOver(journal)
  for (const event of events.slice(110)) second.take(event)
  second.onSaved(viewAt(120))
  expect(seqs()).toEqual([...upTo(100), 105, 110, 115, 120])
  expect(written().every(({ seq, line }) => seq === line)).toBe(true)
})

test('a run that ended without its last lines gets them when it is opened again', async () => {
  const events = longRun(9)
  for (const _ of [1, 2]) await (await openOver(events)).onLeft(left('ended', 9))
  expect(seqs()).toEqual(upTo(9))
})

test('events that another process added to the journal are logged at the end; numbers may be missing', async () => {
  const events = longRun(9)
  const journal = [...events.slice(0, 2), ...events.slice(3, 5)]
  const projection = await openOver(journal)
  journal.push(events[5]!)
  for (const event of events.slice(6)) projection.take(event)
  await projection.onLeft(left('ended', 9))
  expect(seqs()).toEqual([1, 2, 4, 5, 6, 7, 8, 9])
})

test('an error is reported once, the run goes on, and the lines are written at the end', async () => {
  const lost: unknown[] = []
  const projection = await openOver([], lost)
  fs.symlinkSync(join(home, 'elsewhere'), folder)
  for (const event of longRun(6)) {
    projection.take(event)
    projection.onSaved(viewAt(event.seq))
  }
  expect(lost).toHaveLength(1)
  fs.rmSync(folder)
  await projection.onLeft(left('ended', 6))
  expect(seqs()).toEqual(upTo(6))
  expect(lost).toHaveLength(1)
})

test('an unreadable journal costs only the log', async () => {
  const lost: unknown[] = []
  const projection = await openSapProjection({
    about,
    file: openFile(),
    history: async () => {
      throw new Error('damaged')
    },
    onError: (error) => lost.push(error),
  })
  projection.onEvent!(longRun(5)[4]!, viewAt(5))
  projection.onSaved(viewAt(5))
  await projection.onLeft(left('ended', 5))
  expect(lost).toEqual([new Error('damaged')])
})
