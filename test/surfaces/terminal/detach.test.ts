import { mkdirSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { RunListing } from '../../../src/ports/run-store.ts'
import type { DetachedCommand, Machine } from '../../../src/run/machine.ts'
import type { Invocation } from '../../../src/surfaces/terminal/command.ts'
import { detachStart, isDetached } from '../../../src/surfaces/terminal/detach.ts'
import { newFolder } from '../../support/folder.ts'
import { captureIo } from '../captured-io.ts'

const entry = { mode: 'toy', name: 'build', workspace: '/repo', created: '2026-02-14T10:15:00.000Z' }
const listing = (id: string, more: Partial<RunListing> = {}): RunListing => ({
  ...entry,
  id,
  address: `/runs/${id}`,
  seq: 0,
  ...more,
})

/** A machine whose detached process `starts` a run, or says something and leaves. */
function newMachine(before: readonly RunListing[], starts: readonly RunListing[], says = '', exit = 1) {
  const stateFolder = newFolder()
  const attached: string[][] = []
  let started: DetachedCommand | undefined
  const machine = {
    environment: { program: 'rooda', stateFolder },
    files: { makeFolder: (path: string) => mkdirSync(path, { recursive: true }) },
    store: {
      list: async () => (started ? starts : before),
      open: async (address: string) => ({ attach: async (name: string) => void attached.push([address, name]) }),
    },
    startDetached: async (command: DetachedCommand) => {
      writeFileSync(command.log, says)
      started = command
      return { pid: 42, ended: Promise.resolve(exit) }
    },
    isAlive: () => false,
  } as unknown as Machine
  return { machine, attached, started: () => started! }
}

const owner = { pid: 42 } as RunListing['owner'] & {}
const invocation = (machine: Machine, argv: readonly string[], io = captureIo().io): Invocation => ({
  program: { machine, modes: [] },
  args: [],
  options: {},
  io,
  argv,
})

test('the same command goes on in another process, which is told how it was called and that it has no terminal', async () => {
  const { machine, started, attached } = newMachine([listing('old', { seq: 3 })], [listing('new', { owner })])
  const { io, out } = captureIo()
  const argv = ['run', 'build', '-n', '3', '--detach', '--fresh']
  const add = ['--fresh']
  expect(await detachStart(invocation(machine, argv, io), { name: 'build', workspace: '/repo', add })).toBe(0)
  expect(started()).toMatchObject({
    words: ['run', 'build', '-n', '3', '--fresh', '--plain'],
    add: { PAWL_INVOKED_AS: 'rooda', PAWL_DETACHED: '1' },
  })
  expect(isDetached({ env: started().add })).toBe(true)
  expect(attached).toEqual([['/runs/new', 'detached.log']])
  expect(out).toEqual([
    'build runs in the background as new (pid 42). You may close this terminal.',
    '  watch   rooda logs -f build',
    '  report  rooda show build',
    '  stop    rooda stop build',
  ])
})

test('a run counts as taken up also by a process that was quick enough to have left', async () => {
  const { machine } = newMachine([listing('one', { seq: 3 })], [listing('one', { seq: 9 })])
  const { io, data } = captureIo({ json: true })
  await detachStart(invocation(machine, [], io), { name: 'build', workspace: '/repo', add: [] })
  expect(data).toEqual([{ run: 'one', dir: '/runs/one', pid: 42, detached: true }])
})

test.each([
  ['rooda: build is owned by another process (pid 7)', 10, 10, 'build is owned by another process (pid 7)'],
  ['rooda: there is no such procedure', 30, 30, 'there is no such procedure'],
  ['rooda: disk full', 20, 20, 'disk full'],
  ['', 1, 20, 'the background process started no run'],
])('a process that says %j and exits with %i is refused with %i', async (says, ended, exit, message) => {
  const { machine } = newMachine([], [listing('one', { seq: 0 })], says, ended)
  const start = { name: 'build', workspace: '/repo', add: [] }
  await expect(detachStart(invocation(machine, []), start)).rejects.toMatchObject({ exit, message })
})
