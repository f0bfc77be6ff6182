import * as fs from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { openKeys } from '../../../../src/adapters/keys/keys.ts'
import { openFilesStore } from '../../../../src/adapters/stores/files/store.ts'
import { runLoop } from '../../../../src/kernel/run.ts'
import { withLock } from '../../../../src/machine/open-machine.ts'
import { openSapFile } from '../../../../src/modes/refinement/sap/sap-file.ts'
import type { SapLine } from '../../../../src/modes/refinement/sap/sap-line.ts'
import { openSapLog, openSapProjection } from '../../../../src/modes/refinement/sap/sap-log.ts'
import type { StoredRun } from '../../../../src/ports/run-store.ts'
import { fakeClock, memoryInbox } from '../../../../src/testing/memory.ts'
import { neverStop } from '../../../kernel/harness.ts'
import { delivery, scriptedWork } from '../../../kernel/policies.ts'
import { about, longRun, pagesOf } from './a-run.ts'

let home: string
let workspace: string
let stored: StoredRun
beforeEach(async () => {
  home = fs.mkdtempSync(join(tmpdir(), 'pawl-sap-'))
  workspace = join(home, 'workspace')
  fs.mkdirSync(workspace)
  await begin()
  return () => fs.rmSync(home, { recursive: true, force: true })
})

/** A run of which nothing has happened yet. */
async function begin(): Promise<void> {
  fs.rmSync(join(workspace, '.pawl'), { recursive: true, force: true })
  fs.rmSync(join(workspace, 'agent_logs'), { recursive: true, force: true })
  const store = openFilesStore({ workspace, folder: '.pawl', stateFolder: join(home, 'state') })
  stored = await store.create({
    entry: { id: 'r', mode: 'refinement', name: 'r', workspace, created: new Date().toISOString() },
    listed: false,
    freeze: async () => ({ request: '{}' }),
  })
}

const told: string[] = []
const openLog = () => {
  const environment = {
    program: 'pawl',
    cwd: workspace,
    env: {},
    home,
    folder: '.pawl',
    stateFolder: join(home, 'state'),
  } as const
  return openSapLog({
    machine: { environment, withLock },
    stored,
    workspace,
    request: { taskId: `prd of ${userInfo().username}`, correlationId: 'c', branch: null, ladder: [], start: 'ollama' },
    pseudonymOf: openKeys(environment, { make: true }).pseudonymOf,
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
  const { journal, release } = await stored.hold({ takeOver: true, onRepair: () => {} })
  const projection = await openLog()
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
  if (left.status !== 'unsaved') await projection.onLeft(left)
  await release()
}

test('a run whose process is lost after any of its events has a complete log in the end', async () => {
  await runOnce()
  const whole = lines()
  expect(whole.map(({ event }) => event)).toContain('completion')
  for (let after = 1; after < whole.at(-1)!.seq; after++) {
    await begin()
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

test('people are not in it, and its lock is outside of the workspace', async () => {
  await runOnce()
  expect(lines()[0]!.task_id).toMatch(/^prd of [0-9a-f]{64}$/)
  expect(fs.readdirSync(join(workspace, 'agent_logs')).sort()).toEqual(['.gitignore', 'sap.log'])
})

test('a full disk is reported once; when there is room again, the end has every line', async () => {
  const folder = join(workspace, 'agent_logs')
  const events = longRun(30)
  const lost: unknown[] = []
  let room = 2000
  const write = (fd: number, bytes: Uint8Array) => {
    if (room <= 0) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
    const taken = fs.writeSync(fd, bytes, 0, Math.min(bytes.length, room))
    room -= taken
    return taken
  }
  const journal: (typeof events)[number][] = []
  const projection = await openSapProjection({
    about,
    file: openSapFile(folder, { withLock: (action) => withLock(join(home, 'lock'), action), write }),
    history: async () => pagesOf([...journal]),
    onError: (error) => lost.push(error),
  })
  const view = { state: { seq: 30 } } as never
  for (const event of events) {
    journal.push(event)
    projection.onEvent!(event, view)
    if (event.seq % 4 === 0) projection.onSaved(view)
  }
  expect(lost).toHaveLength(1)
  room = 1e6
  await projection.onLeft({ status: 'ended', view })
  const whole = fs
    .readFileSync(join(folder, 'sap.log'), 'utf8')
    .split('\n')
    .filter((text) => text.startsWith('{') && text.endsWith('}'))
  expect(whole.map((text) => (JSON.parse(text) as SapLine).seq)).toEqual(events.map(({ seq }) => seq))
})
