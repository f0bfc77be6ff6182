import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { HeldRun } from '../../../../src/ports/run-store.ts'
import { create, hold, resumed, write } from '../../../../src/testing/run-store/subject.ts'
import { newStore } from './new-store.ts'

const beatAt = (dir: string) =>
  JSON.parse(fs.readFileSync(join(dir, 'heartbeat'), 'utf8')) as { ms: number; seq: number }
const lost = async (held: HeldRun): Promise<number> => {
  const { events, lostMs } = await held.journal.load('k')
  for await (const _ of events);
  return lostMs!()
}

test('the next owner learns how long a crashed one worked after its last event', async () => {
  const run = await create(newStore())
  const dir = run.entry.address
  const crashed = await hold(run)
  await write(crashed, 2)
  await expect
    .poll(() => fs.existsSync(join(dir, 'heartbeat')) && beatAt(dir).ms, { timeout: 20_000 })
    .toBeGreaterThan(0)
  expect(beatAt(dir).seq).toBe(2)
  const beat = { epoch: 1, seq: 2, ms: 25_000 }
  const heir = await run.hold({ takeOver: true, onRepair: () => {} })
  fs.writeFileSync(join(dir, 'heartbeat'), JSON.stringify(beat).padEnd(80))
  expect(await lost(heir)).toBe(25_000)
  await heir.journal.append(resumed(3))
  await heir.release()
  await crashed.release()
})

test('nothing is lost by an owner that left in order, nor counted twice, nor read from garbage', async () => {
  const run = await create(newStore())
  const path = join(run.entry.address, 'heartbeat')
  const first = await hold(run)
  await write(first, 2)
  await expect.poll(() => fs.existsSync(path), { timeout: 20_000 }).toBe(true)
  await first.release()
  expect(fs.existsSync(path)).toBe(false)
  for (const text of [
    '{"epoch":0,"seq":2,"ms":9}',
    '{"epoch":1,"seq":1,"ms":9}',
    '{"epoch":1,"seq":2,"ms":-9}',
    '\0\0',
  ]) {
    fs.writeFileSync(path, text)
    const held = await run.hold({ onRepair: () => {} })
    expect(await lost(held)).toBe(0)
    await held.release()
  }
})
