import { spawn } from 'node:child_process'
import * as fs from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, expect, test } from 'vitest'
import { realDisk } from '../../../../src/adapters/stores/files/disk.ts'
import { acquireLease, bootId, livingOwner, processStart } from '../../../../src/adapters/stores/files/lease.ts'

let dir: string
beforeEach(() => {
  dir = fs.mkdtempSync(join(tmpdir(), 'pawl-lease-'))
  return () => fs.rmSync(dir, { recursive: true })
})

const me = () => ({
  host: hostname(),
  bootId: bootId(),
  pid: process.pid,
  pidStart: processStart(process.pid)!,
  owner: 'x',
  epoch: 4,
  since: '2026-01-01T00:00:00.000Z',
})
const leave = (content: string) => fs.writeFileSync(join(dir, 'lease-4'), content)
const gonePid = 4_194_303

test('a living owner is refused with pid, host and since', () => {
  leave(JSON.stringify(me()))
  expect(() => acquireLease(dir)).toThrow(`already running (pid ${process.pid} on ${hostname()} since 2026-01-01`)
  expect(livingOwner(dir)?.pid).toBe(process.pid)
})

test.each([
  ['its process is gone', { pid: gonePid }],
  ['its pid belongs to another process', { pidStart: '1' }],
  ['the machine was started since', { bootId: 'another boot' }],
  ['the machine has another name now', { host: 'old-name', pid: gonePid }],
])('a dead owner is taken over with the next epoch: %s', (_why, change) => {
  leave(JSON.stringify({ ...me(), ...change }))
  expect(livingOwner(dir)).toBeUndefined()
  expect(acquireLease(dir).epoch).toBe(5)
  expect(fs.readdirSync(dir)).toEqual(['lease-5'])
})

test.each([
  ['on another host', JSON.stringify({ ...me(), host: 'elsewhere', bootId: 'of another machine', pid: gonePid })],
  ['in an empty file', ''],
  ['in a half-written file', '{"host":"h","pid'],
])('an owner that cannot be proved dead is refused: %s', (_where, content) => {
  leave(content)
  expect(() => acquireLease(dir)).toThrow(/already running|cannot read/)
  expect(acquireLease(dir, { force: true }).epoch).toBe(5)
})

test('an owner in another PID namespace is never taken for dead, and the error says how to go on', () => {
  leave(JSON.stringify({ ...me(), pidNamespace: 'pid:[1]', pid: gonePid }))
  expect(livingOwner(dir)?.pid).toBe(gonePid)
  const refused = expect.objectContaining({ name: 'RunOwnedError', isUncertain: true })
  expect(() => acquireLease(dir)).toThrow(refused)
  expect(() => acquireLease(dir)).toThrow(`pid ${gonePid} on ${hostname()} in another container or PID namespace`)
  expect(acquireLease(dir, { force: true }).epoch).toBe(5)
})

test('a process in a container sees the owner outside as alive', async () => {
  acquireLease(dir)
  const starter = fileURLToPath(new URL('./fixtures/starter.ts', import.meta.url))
  const unshare = ['-Urpf', '--mount-proc', process.execPath, starter, dir, '0']
  const child = spawn('unshare', unshare, { stdio: ['pipe', 'pipe', 'ignore'] })
  const said = await new Promise<string>((resolve) => {
    child.stdout.once('data', (data: Buffer) => resolve(data.toString().trim()))
    child.once('error', () => resolve('no namespaces here'))
    child.once('exit', () => resolve('no namespaces here'))
  })
  child.stdin.end()
  expect(['RunOwnedError', 'no namespaces here']).toContain(said)
})

test('a lease of an earlier version, without a namespace, is judged by its pid', () => {
  leave(JSON.stringify({ ...me(), pid: gonePid }))
  expect(acquireLease(dir).epoch).toBe(5)
})

test('the epoch is above the one that the caller knows of, whatever the lease files say', () => {
  expect(acquireLease(dir, { after: () => 7 }).epoch).toBe(8)
  expect(acquireLease(dir, { after: () => 3, force: true }).epoch).toBe(9)
})

test('an unreadable lease from before the boot has no owner', () => {
  leave('')
  fs.utimesSync(join(dir, 'lease-4'), 1, 1)
  expect(acquireLease(dir).epoch).toBe(5)
})

test('released, it is free again and the epoch goes on', () => {
  const lease = acquireLease(dir)
  expect(lease.epoch).toBe(1)
  lease.release()
  expect(livingOwner(dir)).toBeUndefined()
  expect(acquireLease(dir).epoch).toBe(2)
})

test('after a takeover, the old owner notices and its release does no harm', () => {
  const old = acquireLease(dir)
  old.check()
  const heir = acquireLease(dir, { force: true })
  expect(() => old.check()).toThrow('another process has taken over this run')
  old.release()
  heir.check()
  expect(() => acquireLease(dir)).toThrow('already running')
})

test('a process overtaken while claiming, and cleaned up after, is rejected like any other', () => {
  const overtaken: typeof fs.linkSync = (part, path) => {
    fs.linkSync(part, path)
    if (!String(path).endsWith('lease-1')) return
    fs.writeFileSync(join(dir, 'lease-2'), JSON.stringify({ ...me(), epoch: 2 }))
    fs.rmSync(path)
  }
  expect(() => acquireLease(dir, { disk: { ...realDisk, linkSync: overtaken } })).toThrow('already running')
  expect(fs.readdirSync(dir)).toEqual(['lease-2'])
})

test('of many that start in the same moment exactly one owns the run, also over a dead owner', async () => {
  leave(JSON.stringify({ ...me(), pid: gonePid }))
  const starter = fileURLToPath(new URL('./fixtures/starter.ts', import.meta.url))
  const start = Date.now() + 900
  const children = Array.from({ length: 8 }, () =>
    spawn(process.execPath, [starter, dir, String(start)], { stdio: ['pipe', 'pipe', 'inherit'] }),
  )
  const said = await Promise.all(
    children.map(
      (child) =>
        new Promise<string>((resolve) => child.stdout.once('data', (data: Buffer) => resolve(data.toString().trim()))),
    ),
  )
  for (const child of children) child.stdin.end()
  await Promise.all(children.map((child) => new Promise((resolve) => child.once('exit', resolve))))
  expect(said.filter((word) => word.startsWith('owner'))).toEqual(['owner 5'])
  expect(said.filter((word) => word === 'RunOwnedError')).toHaveLength(7)
})
