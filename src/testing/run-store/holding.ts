import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { NewNote } from '../../contract/event.ts'
import { all, type Check, create, decodeText, hold, numbers, openAgain, resumed, started, write } from './subject.ts'

/** Holding a run: one writer at a time. */
export const holding: readonly (readonly [name: string, check: Check])[] = [
  [
    'a run has one holder; the next holder has a higher epoch',
    async (subject) => {
      const run = await create(subject)
      assert.equal(await run.owner(), undefined)
      const held = await hold(run)
      const owner = await run.owner()
      assert.equal(owner?.pid, process.pid)
      await assert.rejects(hold(await openAgain(subject, run)), { name: 'RunOwnedError', owner })
      await held.release()
      await held.release()
      assert.equal(await run.owner(), undefined)
      const next = await hold(run)
      assert.deepEqual([held.epoch, next.epoch], [1, 2])
      await next.release()
    },
  ],
  [
    'a holder whose run was taken over can append nothing, and its release changes nothing',
    async (subject) => {
      const run = await create(subject)
      const old = await hold(run)
      await write(old, 2)
      const heir = await hold(await openAgain(subject, run), { takeOver: true })
      await assert.rejects(old.journal.append(resumed(3)), { name: 'StaleWriterError' })
      await old.release()
      assert.equal((await heir.journal.append(resumed(3))).epoch, 2)
      await heir.journal.sync()
      assert.equal((await run.owner())?.epoch, 2)
      await heir.release()
      assert.deepEqual(numbers(await all((await run.read()).events)), [1, 2, 3])
    },
  ],
  [
    'a holder that has released a run can append nothing',
    async (subject) => {
      const run = await create(subject)
      const held = await hold(run)
      await held.journal.append(started())
      await held.release()
      await assert.rejects(held.journal.append(resumed(2)))
      assert.equal((await all((await run.read()).events)).length, 1)
    },
  ],
  [
    'only the next number is accepted, and appending the same event again returns the stored one',
    async (subject) => {
      const run = await create(subject)
      const held = await hold(run)
      await write(held, 2)
      assert.deepEqual(await held.journal.append(resumed(2)), (await all((await run.read()).events))[1])
      await assert.rejects(held.journal.append(resumed(4)), { name: 'NotSavedError' })
      await held.release()
      assert.deepEqual(numbers(await all((await run.read()).events)), [1, 2])
      const next = await hold(run)
      assert.equal((await next.journal.append(resumed(3))).seq, 3)
      await next.release()
    },
  ],
  [
    'notes from others are numbered, reach the holder and wake it',
    async (subject) => {
      const run = await create(subject)
      const early = await run.post({ by: 'ann', say: 'pause' })
      const held = await hold(run)
      const rung = Promise.withResolvers<void>()
      const off = held.inbox.onRing(() => rung.resolve())
      const text = await run.content.put('answer.md', 'yes')
      await run.content.flush()
      const late = await (await openAgain(subject, run)).post({ by: 'bob', say: 'feedback', text })
      await rung.promise
      off()
      assert.deepEqual(await held.inbox.take(0), [early, late])
      assert.deepEqual(await held.inbox.take(1), [{ id: 2, by: 'bob', say: 'feedback', text }])
      await assert.rejects(run.post({ by: 'eve', say: 'shout' } as unknown as NewNote))
      await held.release()
    },
  ],
  [
    'the holder has a folder for processes, reads content as files and adopts files as content',
    async (subject) => {
      const run = await create(subject)
      const held = await hold(run)
      for (const part of ['attempts', 'hand-over']) assert.ok(statSync(join(held.folder, part)).isDirectory())
      const prompt = await held.content.put('prompt.md', 'do it')
      assert.equal(readFileSync(await held.file(prompt), 'utf8'), 'do it')
      await assert.rejects(held.file({ ...prompt, sha256: 'f'.repeat(64) }))
      const log = join(held.folder, 'attempts', 'a.log')
      writeFileSync(log, 'printed')
      const ref = await held.adopt(log)
      assert.equal(ref.path, 'attempts/a.log')
      assert.equal(decodeText(await run.content.get(ref)), 'printed')
      const outside = join(subject.workspace, 'outside.log')
      writeFileSync(outside, 'of somebody else')
      for (const bad of [join(held.folder, 'attempts', 'none.log'), outside]) {
        await assert.rejects(held.adopt(bad), { name: 'NotSavedError' })
      }
      await held.release()
      assert.equal(decodeText(await (await openAgain(subject, run)).content.get(ref)), 'printed')
    },
  ],
  [
    'a lock excludes others until it is released, unless they take it over',
    async (subject) => {
      const { workspace } = subject
      mkdirSync(join(workspace, 'other'))
      const keys = [
        { of: 'name', workspace, name: 'build' },
        { of: 'name', workspace, name: 'test' },
        { of: 'name', workspace: join(workspace, 'other'), name: 'build' },
        { of: 'folder', path: join(workspace, 'git', 'pawl') },
      ] as const
      const store = await subject.open()
      for (const key of keys) {
        const lock = await store.acquire(key)
        await assert.rejects((await subject.open()).acquire(key), { name: 'RunOwnedError' })
        const forced = await store.acquire(key, { force: true })
        await lock.release()
        await assert.rejects(store.acquire(key), { name: 'RunOwnedError' })
        await forced.release()
        await forced.release()
        const next = await store.acquire(key)
        await next.release()
      }
      assert.equal(existsSync(join(workspace, 'runs')), false)
    },
  ],
]
