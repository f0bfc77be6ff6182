import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openArtifacts } from '../../../../src/adapters/stores/files/artifacts.ts'
import { type Disk, realDisk } from '../../../../src/adapters/stores/files/disk.ts'
import { openInbox } from '../../../../src/adapters/stores/files/inbox.ts'
import { openFileJournal } from '../../../../src/adapters/stores/files/journal.ts'
import { acquireLease } from '../../../../src/adapters/stores/files/lease.ts'
import type { LoopEvent } from '../../../../src/contract/event.ts'
import { runLoop, type Work } from '../../../../src/kernel/run.ts'
import { loadAll } from '../../../../src/testing/journal-suite.ts'
import { fakeClock } from '../../../../src/testing/memory.ts'
import { checkInvariants, neverStop } from '../../../kernel/harness.ts'
import { delivery, scriptedWork } from '../../../kernel/policies.ts'

const policy = delivery({ attemptsPerTask: 2, attemptsPerRun: 9, interruptionsInARow: 9 })

/** A run of three stories with content and notes, on the disk that it is given. */
async function runOnce(dir: string, disk: Disk): Promise<{ status: string; ran: string[] }> {
  const scripted = scriptedWork({})
  try {
    // The run before is this same process, so it does not look dead.
    const lease = acquireLease(dir, { disk, force: true })
    const artifacts = openArtifacts(dir, disk)
    const inbox = openInbox(dir, disk)
    const journal = openFileJournal({
      dir,
      run: 'r',
      lease,
      disk,
      flushContent: artifacts.flush,
      recoverContent: artifacts.recover,
    })
    const work: Work<unknown> = {
      ...scripted,
      attempt: async (a, view, signal) => {
        const output = await artifacts.put(`${a.task.id}.md`, `prompt of ${a.effectKey}`)
        return { ...(await scripted.attempt(a, view, signal)), output }
      },
    }
    try {
      const options = {
        run: 'r',
        policy,
        work,
        journal,
        inbox,
        clock: fakeClock(),
        stop: neverStop(),
        start: { pins: {} },
      }
      const left = await runLoop({ ...options, attended: false, holdMs: 0 })
      return { status: left.status, ran: scripted.ran }
    } finally {
      journal.close()
      lease.release()
    }
  } catch (error) {
    return { status: (error as Error).name, ran: scripted.ran }
  }
}

function failing(at: number, code: string, forever: boolean, short: boolean): Disk & { calls(): number } {
  let calls = 0
  const names = Object.keys(realDisk).filter((name) => /Sync$|^f(data)?sync$/.test(name)) as (keyof Disk)[]
  const wrap = (name: keyof Disk) => {
    const real = realDisk[name] as (...args: unknown[]) => unknown
    return (...args: unknown[]): unknown => {
      calls++
      const strikes = forever ? calls >= at : calls === at
      // What frees and closes works on a sick disk too; a full disk still reads.
      if (!strikes || name === 'closeSync' || name === 'existsSync') return real(...args)
      if (code === 'ENOSPC' && !/write|mkdir|link|fdatasync/.test(name)) return real(...args)
      if (short && name === 'writeSync') real(args[0], args[1], args[2], Math.floor(Number(args[3]) / 2))
      throw Object.assign(new Error(`${code}: injected in ${name}`), { code })
    }
  }
  const disk = Object.fromEntries(names.map((name) => [name, wrap(name)])) as unknown as Disk
  return { ...disk, calls: () => calls }
}

const settled = (events: readonly LoopEvent[]) =>
  events.flatMap((e) => (e.type === 'decision-made' && e.decision.do === 'settle' ? [e.task] : []))

test.each(['ENOSPC', 'EIO', 'EACCES', 'EMFILE'])(
  'every file call failed with %s, once and for ever: nothing finished is lost or repeated, and the run goes on',
  async (code) => {
    let healthy = 0
    const counter = failing(Number.POSITIVE_INFINITY, code, false, false)
    const clean = fs.mkdtempSync(join(tmpdir(), 'pawl-faults-'))
    expect((await runOnce(clean, counter)).status).toBe('ended')
    fs.rmSync(clean, { recursive: true })
    for (let at = 1; at <= counter.calls(); at++) {
      for (const forever of [false, true]) {
        const dir = fs.mkdtempSync(join(tmpdir(), 'pawl-faults-'))
        const broken = await runOnce(dir, failing(at, code, forever, at % 2 === 0))
        expect(['ended', 'unsaved', 'Error', 'NotSavedError'], `${code} at ${at}`).toContain(broken.status)
        const before = await events(dir)
        const again = await runOnce(dir, realDisk)
        expect(again.status, `${code} at ${at} forever ${forever}`).toBe('ended')
        const after = await events(dir)
        expect(after.slice(0, before.length)).toEqual(before)
        expect(again.ran.filter((task) => settled(before).includes(task))).toEqual([])
        expect(settled(after)).toEqual(['baseline', 'S1', 'S2', 'S3', 'run-check'])
        if (broken.status === 'ended') healthy++
        fs.rmSync(dir, { recursive: true })
      }
    }
    expect(healthy).toBeLessThan(counter.calls())
  },
)

/** What is on disk, read by a new process that changes nothing which counts. */
async function events(dir: string): Promise<LoopEvent[]> {
  const journal = openFileJournal({ dir, run: 'r', lease: { epoch: 99, check: () => {}, release: () => {} } })
  const all = await loadAll(journal)
  journal.close()
  checkInvariants(all, policy, { status: 'unsaved', error: undefined, view: undefined as never })
  return all
}

test('a write that the disk takes in parts is completed', async () => {
  const dir = fs.mkdtempSync(join(tmpdir(), 'pawl-faults-'))
  const dribble = ((fd: number, bytes: Uint8Array, offset: number, length: number) =>
    fs.writeSync(fd, bytes, offset, Math.max(1, Math.floor(length / 3)))) as typeof fs.writeSync
  expect((await runOnce(dir, { ...realDisk, writeSync: dribble })).status).toBe('ended')
  expect(settled(await events(dir))).toHaveLength(5)
  fs.rmSync(dir, { recursive: true })
})
