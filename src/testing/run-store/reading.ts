import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LoopEvent } from '../../contract/event.ts'
import type { Slot } from '../../ports/run-store.ts'
import {
  all,
  type Check,
  create,
  decodeText,
  hold,
  interrupted,
  numbers,
  openAgain,
  plain,
  resumed,
  write,
} from './subject.ts'

/** Reading a run and adding notes and content, which needs no ownership. */
export const reading: readonly (readonly [name: string, check: Check])[] = [
  [
    'content is complete or absent, by name and hash, for every process',
    async (subject) => {
      const run = await create(subject)
      const ref = await run.content.put('../a name\n', 'Grüße')
      assert.deepEqual(await run.content.put('../a name\n', Buffer.from('Grüße')), ref)
      assert.equal(ref.bytes, 7)
      assert.match(ref.path, /^artifacts\/[0-9a-f]{16}-a-name-$/)
      await run.content.flush()
      const again = await openAgain(subject, run)
      assert.equal(decodeText(await again.content.get(ref)), 'Grüße')
      const missing = { ...ref, path: `${ref.path}x` }
      const different = { ...ref, sha256: 'f'.repeat(64) }
      assert.equal(await again.content.has(ref), true)
      for (const bad of [missing, different]) {
        assert.equal(await again.content.has(bad), false)
        await assert.rejects(again.content.get(bad))
      }
    },
  ],
  [
    'events are read in order, in pages, and only up to the requested one',
    async (subject) => {
      const run = await create(subject)
      assert.deepEqual(await all((await run.read()).events), [])
      const held = await hold(run)
      const stored = await write(held, 1234)
      const { snapshot, last, events } = await (await openAgain(subject, run)).read()
      assert.deepEqual([snapshot, last], [undefined, undefined])
      assert.deepEqual(plain(await all(events)), plain(stored))
      let pages = 0
      for await (const page of events) {
        assert.ok(page.length > 0)
        pages++
      }
      assert.ok(pages > 1 && pages < 100)
      assert.deepEqual(numbers(await all((await run.read({ upTo: 3 })).events)), [1, 2, 3])
      await held.release()
    },
  ],
  [
    'a run that is read again, and by several readers at once, has every event once, also those written meanwhile',
    async (subject) => {
      const run = await create(subject)
      const first = await hold(run)
      await write(first, 1100)
      const readers = [await run.read(), await run.read({ upTo: 700 }), await run.read()]
      const iterators = readers.map(({ events }) => events[Symbol.asyncIterator]())
      const seen: LoopEvent[][] = readers.map(() => [])
      const turn = async (reader: number): Promise<boolean> => {
        const { value, done } = await iterators[reader]!.next()
        if (!done) seen[reader]!.push(...value)
        return done !== true
      }
      for (const reader of [0, 1, 0, 2]) await turn(reader)
      const second = await hold(run, { takeOver: true })
      for (let seq = 1101; seq <= 1105; seq++) await second.journal.append(resumed(seq))
      for (const reader of [0, 1, 2]) while (await turn(reader));
      const upTo = (last: number): number[] => Array.from({ length: last }, (_, at) => at + 1)
      assert.deepEqual(
        seen[1]!.map(({ seq }) => seq),
        upTo(700),
      )
      for (const events of [seen[0]!, seen[2]!]) {
        const found = numbers(events)
        assert.ok(found.length >= 1100)
        assert.deepEqual(found, upTo(found.length))
      }
      assert.deepEqual(numbers(await all((await run.read()).events)), upTo(1105))
      assert.deepEqual(numbers(await all((await run.read({ upTo: 1101 })).events)), upTo(1101))
      await second.release()
    },
  ],
  [
    'a snapshot replaces the events before it if its key matches and it is not beyond the requested event',
    async (subject) => {
      const run = await create(subject)
      const held = await hold(run)
      await write(held, 4)
      const view = { state: { seq: 4 }, memo: { a: 1 } }
      await held.journal.keep('k@1', 4, view)
      await held.journal.append(interrupted(5))
      const again = await openAgain(subject, run)
      const fits = await again.read({ snapshot: (key) => key.startsWith('k@') })
      assert.deepEqual([fits.snapshot, fits.last?.seq, numbers(await all(fits.events))], [view, 4, [5]])
      for (const options of [{}, { snapshot: () => false }, { snapshot: () => true, upTo: 3 }]) {
        const { snapshot, last, events } = await again.read(options)
        assert.deepEqual([snapshot, last], [undefined, undefined])
        assert.equal(numbers(await all(events))[0], 1)
      }
      await held.release()
    },
  ],
  [
    'a follower gets every event once and in order, including future ones, across a change of owner',
    async (subject) => {
      const run = await create(subject)
      const first = await hold(run)
      await write(first, 3)
      const stop = new AbortController()
      const seen: LoopEvent[] = []
      const follower = (async () => {
        for await (const page of (await openAgain(subject, run)).follow(1, stop.signal)) {
          seen.push(...page)
          if (seen.at(-1)!.seq === 6) stop.abort()
        }
      })()
      await until(() => seen.length === 2)
      await first.journal.append(resumed(4))
      const second = await hold(run, { takeOver: true })
      await second.journal.append(resumed(5))
      await until(() => seen.length === 4)
      await second.journal.append(resumed(6))
      await follower
      assert.deepEqual(numbers(seen), [2, 3, 4, 5, 6])
      assert.equal(seen.at(-1)!.epoch, 2)
      await second.release()
    },
  ],
  [
    'every event has a location of its own',
    async (subject) => {
      const run = await create(subject)
      const held = await hold(run)
      await write(held, 2)
      assert.notEqual(await run.place(1), await run.place(2))
      assert.equal(await run.place(2), await (await openAgain(subject, run)).place(2))
      await held.release()
    },
  ],
  [
    'slots are complete or absent, and readable by every process',
    async (subject) => {
      const run = await create(subject)
      const values: [Slot, unknown][] = [
        ['result', { seq: 3, reason: null }],
        ['card', { seq: 3, progress: '1/2' }],
        ['notified', 7],
      ]
      for (const [slot, value] of values) {
        assert.equal(await run.kept(slot), undefined)
        await run.keep(slot, 'an earlier one')
        await run.keep(slot, value)
        assert.deepEqual(await (await openAgain(subject, run)).kept(slot), value)
      }
    },
  ],
  [
    'output is readable during and after a process, from any byte',
    async (subject) => {
      const run = await create(subject)
      const held = await hold(run)
      assert.deepEqual(await run.outputs(), [])
      writeFileSync(join(held.folder, 'attempts', 'a.log'), 'first')
      writeFileSync(join(held.folder, 'attempts', 'no log.txt'), 'x')
      const read = async (name: string, from: number) => {
        const output = await run.output(name, from)
        return output && [decodeText(output.bytes), output.from]
      }
      for (const afterwards of [false, true]) {
        if (afterwards) await held.release()
        assert.deepEqual(await run.outputs(), ['a.log'])
        assert.deepEqual(await read('a.log', 0), ['first', 0])
        assert.deepEqual(await read('a.log', 3), ['st', 3])
        assert.deepEqual(await read('a.log', -2), ['st', 3])
        assert.deepEqual(await read('a.log', -99), ['first', 0])
        assert.deepEqual(await read('a.log', 99), ['', 5])
        for (const nowhere of ['b.log', '../whole', '../attempts/a.log', 'no log.txt']) {
          assert.equal(await read(nowhere, 0), undefined)
        }
        assert.ok(run.where('a.log').endsWith('a.log'))
      }
    },
  ],
  [
    'a run is intact until it is marked broken',
    async (subject) => {
      const run = await create(subject)
      const held = await hold(run)
      assert.equal(await run.isWhole(), true)
      held.markBroken()
      await held.release()
      assert.equal(await (await openAgain(subject, run)).isWhole(), false)
    },
  ],
  [
    'a local file can become part of a run',
    async (subject) => {
      const run = await create(subject)
      const before = await run.size()
      const path = join(subject.workspace, 'some.log')
      writeFileSync(path, 'x'.repeat(5000))
      await run.attach('detached.log', path)
      assert.ok((await run.size()) - before >= 5000)
      assert.throws(() => writeFileSync(path, '', { flag: 'r+' }))
    },
  ],
  [
    'a healthy run has no findings; missing content that an event names is one',
    async (subject) => {
      const run = await create(subject)
      const held = await hold(run)
      await write(held, 2)
      const outcome = { status: 'ok', output: await held.content.put('out', 'x') } as const
      const stamp = { at: 1, ms: 1, task: 'S1', attempt: 1 }
      await held.journal.append({ type: 'attempt-ended', outcome, seq: 3, ...stamp })
      assert.deepEqual(await run.check(), [])
      const output = { path: 'artifacts/none', sha256: 'f'.repeat(64), bytes: 1 }
      await held.journal.append({ type: 'attempt-ended', outcome: { status: 'ok', output }, seq: 4, ...stamp })
      assert.deepEqual(
        (await run.check()).map(({ seq }) => seq),
        [4],
      )
      await held.release()
    },
  ],
]

async function until(over: () => boolean): Promise<void> {
  for (const end = Date.now() + 10_000; !over(); await new Promise((resolve) => setTimeout(resolve, 10))) {
    assert.ok(Date.now() < end, 'timed out')
  }
}
