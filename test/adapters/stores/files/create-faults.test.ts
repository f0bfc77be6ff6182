import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Disk, realDisk } from '../../../../src/adapters/stores/files/disk.ts'
import { PawlError } from '../../../../src/contract/exit.ts'
import type { NewRun } from '../../../../src/ports/run-store.ts'
import { newRun, requestJson } from '../../../../src/testing/run-store/subject.ts'
import { newStore, type Subject } from './new-store.ts'

test('whichever file call fails first while it is made: exit 20, nothing is listed, nothing is left', async () => {
  let calls = 0
  const failing = (at: number): Disk => {
    calls = 0
    const wrap =
      (name: keyof Disk) =>
      (...args: unknown[]): unknown => {
        if (++calls === at) throw Object.assign(new Error(`EIO: injected in ${name}`), { code: 'EIO' })
        return (realDisk[name] as (...args: unknown[]) => unknown)(...args)
      }
    const names = Object.keys(realDisk).filter((name) => /Sync$|^f(data)?sync$/.test(name)) as (keyof Disk)[]
    return Object.fromEntries(names.map((name) => [name, wrap(name)])) as unknown as Disk
  }
  const freezing = (subject: Subject): NewRun => {
    const run = newRun(subject)
    const freeze: NewRun['freeze'] = async ({ put }) => {
      await put('plan.json', '{}')
      return { request: requestJson(run.entry), notes: [{ by: 'ann', say: 'pause' }] }
    }
    return { ...run, freeze }
  }
  const whole = newStore()
  await whole.store(failing(Number.POSITIVE_INFINITY)).create(freezing(whole))
  const all = calls
  expect(all).toBeGreaterThan(30)
  let refused = 0
  for (let at = 1; at <= all; at++) {
    const subject = newStore()
    const store = subject.store(failing(at))
    const error: unknown = await store.create(freezing(subject)).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    const left = fs.existsSync(join(subject.workspace, '.pawl', 'runs'))
      ? fs.readdirSync(join(subject.workspace, '.pawl', 'runs')).filter((name) => !name.startsWith('.gitignore'))
      : []
    const listed = await subject.store().list({})
    if (error === undefined) {
      // The index is not needed, and a name that nobody reads may stay.
      expect([left.length, listed.length], `call ${at}`).toEqual([1, 1])
      continue
    }
    refused++
    expect(error, `call ${at}`).toBeInstanceOf(PawlError)
    expect((error as PawlError).exit, `call ${at}`).toBe(20)
    expect([left, listed], `call ${at}`).toEqual([[], []])
  }
  expect(refused).toBeGreaterThan(20)
})
