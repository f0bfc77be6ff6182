import { spawn } from 'node:child_process'
import { expect, test } from 'vitest'
import {
  allPids,
  carriesMark,
  isSame,
  isThread,
  listOwnPids,
  newestPid,
  pidsBetween,
  readProcess,
} from '../../../src/adapters/shell/processes.ts'
import { until } from './helpers.ts'

test('a process is known by its pid together with its start time', () => {
  const self = readProcess(process.pid)!
  expect(self.parent).toBe(process.ppid)
  expect(isSame(self)).toBe(true)
  expect(isSame({ ...self, startTime: '1' })).toBe(false)
  expect(readProcess(2 ** 22 + 1)).toBeNull()
  expect(isThread(process.pid)).toBe(false)
})

test('a mark counts only as a complete variable', async () => {
  const child = spawn('sleep', ['300'], { env: { XMARK: 'MARK=a', MARK: 'ab', OTHER_MARK: 'c' }, stdio: 'ignore' })
  try {
    await until(() => carriesMark(child.pid!, 'MARK=ab'))
    expect(carriesMark(child.pid!, 'OTHER_MARK=c')).toBe(true)
    expect(carriesMark(child.pid!, 'MARK=a')).toBe(false)
    expect(carriesMark(child.pid!, 'MARK=c')).toBe(false)
  } finally {
    child.kill('SIGKILL')
  }
})

test('pids between two are few in the usual case and all of them when they came round', () => {
  expect(pidsBetween(10, 10)).toEqual([])
  expect(pidsBetween(10, 13)).toEqual([11, 12, 13])
  for (const pids of [pidsBetween(32_000, 310), pidsBetween(10, 30_000)]) expect(pids).toContain(process.pid)
  expect(allPids()).toContain(process.pid)
  expect(newestPid()).toBeGreaterThan(1)
})

test('this process and everything above it is spared', () => {
  expect([...listOwnPids()]).toEqual(expect.arrayContaining([process.pid, process.ppid, 1]))
})
