import * as fs from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { realDisk } from '../../../../src/adapters/stores/files/disk.ts'
import { openFileJournal } from '../../../../src/adapters/stores/files/journal.ts'
import { acquireLease } from '../../../../src/adapters/stores/files/lease.ts'
import { runLoop } from '../../../../src/kernel/run.ts'
import { openKeys } from '../../../../src/machine/keys.ts'
import { openSapFile } from '../../../../src/modes/refinement/sap/sap-file.ts'
import type { SapLine } from '../../../../src/modes/refinement/sap/sap-line.ts'
import { openSapLog } from '../../../../src/modes/refinement/sap/sap-log.ts'
import { sapProjection } from '../../../../src/modes/refinement/sap/sap-projection.ts'
import { eventsOf } from '../../../../src/run/read-run.ts'
import { fakeClock, memoryInbox } from '../../../../src/testing/memory.ts'
import { neverStop } from '../../../kernel/harness.ts'
import { delivery, scriptedWork } from '../../../kernel/policies.ts'
import { about, longRun } from './a-run.ts'

let home: string
let workspace: string
let dir: string
beforeEach(() => {
  home = fs.mkdtempSync(join(tmpdir(), 'pawl-sap-'))
  workspace = join(home, 'workspace')
  dir = join(workspace, '.pawl', 'runs', 'r')
  fs.mkdirSync(dir, { recursive: true })
  return () => fs.rmSync(home, { recursive: true, force: true })
})

const told: string[] = []
const openLog = () => {
  const place = { name: 'pawl', cwd: workspace, env: {}, home } as const
  return openSapLog({
    place,
    history: () => eventsOf(dir),
    run: 'r',
    workspace,
    refinement: { taskId: `prd of ${userInfo().username}`, correlationId: 'c', branch: null, ladder: [] },
    pseudonymOf: openKeys(place, { make: true }).pseudonymOf,
    onNotice: (text) => told.push(text),
  })
}
const lines = () =>
  fs
    .readFileSync(join(workspace, 'agent_logs', 'sap.log'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text) as SapLine)

/** A run of the kernel with a real journal, whose process is lost after so many events. */
async function runOnce(lostAfter = Number.POSITIVE_INFINITY) {
  const projection = openLog()
  const lease = acquireLease(dir, { force: true })
  const journal = openFileJournal({ dir, run: 'r', lease })
  const policy = delivery({ attemptsPerTask: 2, attemptsPerRun: 9, interruptionsInARow: 9 })
  const left = await runLoop({
    run: 'r',
    policy,
    work: scriptedWork({}),
    journal: {
      ...journal,
      append: (draft) => (draft.seq > lostAfter ? Promise.reject(new Error('gone')) : journal.append(draft)),
    },
    inbox: memoryInbox(),
    clock: fakeClock(),
    stop: neverStop(),
    start: { pins: {} },
    attended: false,
    holdMs: 0,
    onEvent: (event, view) => projection.onEvent!(event, view),
    onSaved: (_seq, view) => projection.onSaved(view),
  })
  if (left.status !== 'unsaved') projection.onLeft(left)
  journal.close()
}

test('a run that is lost after any of its events goes on with its log as if nothing had been', async () => {
  await runOnce()
  const whole = lines()
  expect(whole.map(({ event }) => event)).toContain('completion')
  for (let after = 1; after < whole.at(-1)!.seq; after++) {
    fs.rmSync(dir, { recursive: true })
    fs.rmSync(join(workspace, 'agent_logs'), { recursive: true, force: true })
    fs.mkdirSync(dir)
    await runOnce(after)
    await runOnce()
    expect(new Set(lines().map(({ uuid }) => uuid)).size, `after ${after}`).toBe(lines().length)
    for (const kind of ['start', 'resume', 'completion']) {
      expect(lines().filter(({ event }) => event === kind)).toHaveLength(1)
    }
    expect(lines().map(({ line }) => line)).toEqual(lines().map((_line, index) => index + 1))
  }
  expect(told).toEqual([])
})

test('people are not in it, and its lock is where no repository can write', async () => {
  await runOnce()
  expect(lines()[0]!.task_id).toMatch(/^prd of [0-9a-f]{64}$/)
  expect(fs.readdirSync(join(workspace, 'agent_logs')).sort()).toEqual(['.gitignore', 'sap.log'])
})

test('a full disk is told once; when there is room again, the end has every line once', () => {
  const folder = join(workspace, 'agent_logs')
  const events = longRun(30)
  const lost: unknown[] = []
  let room = 2000
  const writeSync = ((fd: number, bytes: Uint8Array, offset: number, length: number) => {
    if (room <= 0) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
    const taken = fs.writeSync(fd, bytes, offset, Math.min(length, room))
    room -= taken
    return taken
  }) as typeof fs.writeSync
  const projection = sapProjection({
    about,
    file: openSapFile(folder, join(home, 'lock'), { ...realDisk, writeSync }),
    history: () => events,
    onLost: (error) => lost.push(error),
  })
  const view = { state: { seq: 30 } } as never
  for (const event of events) {
    projection.onEvent!(event, view)
    if (event.seq % 4 === 0) projection.onSaved(view)
  }
  expect(lost).toHaveLength(1)
  room = 1e6
  projection.onLeft({ status: 'ended', view })
  const whole = fs
    .readFileSync(join(folder, 'sap.log'), 'utf8')
    .split('\n')
    .filter((text) => text.startsWith('{') && text.endsWith('}'))
  expect(whole.map((text) => (JSON.parse(text) as SapLine).seq)).toEqual(events.map(({ seq }) => seq))
})
