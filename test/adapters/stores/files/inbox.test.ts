import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { realDisk } from '../../../../src/adapters/stores/files/disk.ts'
import { openInbox } from '../../../../src/adapters/stores/files/inbox.ts'
import { create, hold, noted, started } from '../../../../src/testing/run-store/subject.ts'
import { newStore } from './new-store.ts'

let dir: string
beforeEach(() => {
  dir = fs.mkdtempSync(join(tmpdir(), 'pawl-inbox-'))
  return () => fs.rmSync(dir, { recursive: true })
})

test('notes are numbered without gaps, also when many post at once', async () => {
  const inboxes = Array.from({ length: 5 }, () => openInbox(dir))
  await Promise.all(inboxes.flatMap((inbox) => [1, 2, 3, 4].map(() => inbox.post({ by: 'ann', say: 'pause' }))))
  expect((await inboxes[0]!.take(0)).map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1))
  expect((await inboxes[0]!.take(18)).map(({ id }) => id)).toEqual([19, 20])
  expect(fs.readdirSync(join(dir, 'inbox')).every((name) => name.endsWith('.json'))).toBe(true)
})

test('the doorbell rings for a note of another process', async () => {
  const inbox = openInbox(dir)
  const rung = new Promise<void>((resolve) => {
    const off = inbox.onRing(() => {
      off()
      resolve()
    })
  })
  await openInbox(dir).post({ by: 'ann', say: 'cancel' })
  await rung
})

test('anything but a note is skipped', async () => {
  const inbox = openInbox(dir)
  fs.writeFileSync(join(dir, 'inbox', '1.json'), 'not json')
  fs.writeFileSync(join(dir, 'inbox', '2.json'), '{"id":2,"by":"eve","say":"own"}')
  fs.writeFileSync(join(dir, 'inbox', '3.json'), '{"id":7,"by":"eve","say":"pause"}')
  await inbox.post({ by: 'ann', say: 'pause' })
  expect((await inbox.take(0)).map(({ id }) => id)).toEqual([4])
})

test('a note that breaks its own rules is refused at the door', async () => {
  await expect(openInbox(dir).post({ by: 'ann', say: 'shout' } as never)).rejects.toThrow()
})

test('a note is numbered above every recorded one, even if the files of those are lost', async () => {
  const run = await create(newStore())
  const held = await hold(run)
  await held.journal.append(started())
  await held.journal.append(noted(2, 2))
  fs.rmSync(join(run.entry.address, 'inbox', '1.json'), { force: true })
  expect((await run.post({ by: 'ann', say: 'cancel' })).id).toBe(3)
  expect((await held.inbox.take(2)).map(({ id }) => id)).toEqual([3])
  await held.release()
})

test('a note and its name are synced before it counts as posted', async () => {
  const calls: string[] = []
  const watch = (name: 'fdatasyncSync' | 'fsyncSync' | 'linkSync') => (first: never, second: never) => {
    calls.push(name)
    realDisk[name](first, second)
  }
  const watched = Object.fromEntries(
    (['fdatasyncSync', 'fsyncSync', 'linkSync'] as const).map((name) => [name, watch(name)]),
  )
  await openInbox(dir, { ...realDisk, ...watched }).post({ by: 'ann', say: 'cancel' })
  expect(calls).toEqual(['fdatasyncSync', 'linkSync', 'fsyncSync'])
})

test('posting to a run whose folder is gone fails and creates nothing', async () => {
  const gone = join(dir, 'gone')
  await expect(async () => openInbox(gone).post({ by: 'ann', say: 'cancel' })).rejects.toThrow('ENOENT')
  expect(fs.existsSync(gone)).toBe(false)
})
