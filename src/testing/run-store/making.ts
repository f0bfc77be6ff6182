import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { PawlError } from '../../contract/exit.ts'
import {
  all,
  type Check,
  create,
  decodeText,
  hold,
  newRun,
  noted,
  numbers,
  openAgain,
  requestJson,
  started,
  write,
} from './subject.ts'

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Creating, finding and removing runs. */
export const making: readonly (readonly [name: string, check: Check])[] = [
  [
    'a new run is found by id and by address, and is trusted as created',
    async (subject) => {
      const wanted = newRun(subject)
      const run = await (await subject.open()).create(wanted)
      const { id } = wanted.entry
      assert.deepEqual(
        { ...run.entry, address: '' },
        { ...wanted.entry, address: '', trusted: hash(requestJson(wanted.entry)) },
      )
      for (const address of [id, run.entry.address]) {
        assert.deepEqual((await (await subject.open()).open(address))?.entry, run.entry)
      }
      for (const nowhere of ['r0', '../r0', 'no run at all']) {
        assert.equal(await (await subject.open()).open(nowhere), undefined)
      }
    },
  ],
  [
    'runs are listed newest first, by workspace and up to a limit',
    async (subject) => {
      const [one, two] = [await create(subject), await create(subject)]
      const elsewhere = newRun(subject)
      const other = { ...elsewhere.entry, workspace: `${subject.workspace}/elsewhere` }
      await create(subject, { entry: other, freeze: async () => ({ request: requestJson(other) }) })
      const store = await subject.open()
      const ids = (runs: readonly { id: string }[]): string[] => runs.map(({ id }) => id)
      assert.deepEqual(ids(await store.list({})), [other.id, two.entry.id, one.entry.id])
      assert.deepEqual(ids(await store.list({ workspace: subject.workspace })), [two.entry.id, one.entry.id])
      assert.deepEqual(ids(await store.list({ workspace: subject.workspace, limit: 1 })), [two.entry.id])
      assert.equal((await store.list({}))[2]?.trusted, one.entry.trusted)
    },
  ],
  [
    'a listing has the progress, the card and the owner of a run',
    async (subject) => {
      const run = await create(subject)
      const listing = async () => (await (await subject.open()).list({}))[0]
      assert.deepEqual(
        [(await listing())?.seq, (await listing())?.card, (await listing())?.owner],
        [0, undefined, undefined],
      )
      const held = await hold(run)
      await write(held, 700)
      const card = { seq: 700, at: 1, standing: 'open', progress: '', did: null, needsYou: false } as const
      await run.keep('card', { ...card, spend: { tokens: 1, costUsd: 0 }, caps: {} })
      const seen = await listing()
      assert.deepEqual([seen?.seq, seen?.card?.seq, seen?.owner?.pid], [700, 700, process.pid])
      await held.release()
      assert.equal((await listing())?.owner, undefined)
    },
  ],
  [
    'a failed start leaves no run to list or open, and reports the error',
    async (subject) => {
      const store = await subject.open()
      const wanted = newRun(subject)
      const failing = (error: Error): typeof wanted => ({
        ...wanted,
        freeze: async ({ put }) => {
          await put('plan.json', 'half')
          throw error
        },
      })
      await assert.rejects(store.create(failing(new Error('no plan'))), {
        name: 'PawlError',
        exit: 20,
        message: /no plan/,
      })
      const own = new PawlError(30, 'a refusal of its own')
      await assert.rejects(store.create(failing(own)), (error) => error === own)
      assert.deepEqual(await store.list({}), [])
      assert.equal(await store.open(wanted.entry.id), undefined)
      await store.create(wanted)
      assert.equal((await store.list({})).length, 1)
    },
  ],
  [
    'nothing is listed before the request is frozen',
    async (subject) => {
      const store = await subject.open()
      const wanted = newRun(subject)
      await store.create({
        ...wanted,
        freeze: async () => {
          assert.deepEqual(await (await subject.open()).list({}), [])
          assert.equal(await (await subject.open()).open(wanted.entry.id), undefined)
          return { request: requestJson(wanted.entry) }
        },
      })
    },
  ],
  [
    'an id is used once, and the run that has it stays unchanged',
    async (subject) => {
      const store = await subject.open()
      const wanted = newRun(subject)
      const run = await store.create(wanted)
      const held = await hold(run)
      await write(held, 2)
      await assert.rejects(store.create({ ...wanted, freeze: async () => ({ request: '{}' }) }), { exit: 20 })
      const again = await openAgain(subject, run)
      assert.equal((await again.requests())[0].text, requestJson(wanted.entry))
      assert.deepEqual(numbers(await all((await again.read()).events)), [1, 2])
      await held.release()
    },
  ],
  [
    'requests are read unchanged, followed by the amendments that a note names, oldest first',
    async (subject) => {
      const run = await create(subject)
      await run.amend('{"a":0}')
      const refs = [await run.amend('{"a":1}'), await run.amend('{"a":2}')]
      for (const request of refs) await run.post({ by: 'ann', say: 'amend', request, terms: {} })
      const again = await openAgain(subject, run)
      const [first, ...rest] = await again.requests()
      assert.equal(first.sha256, hash(first.text))
      assert.equal(first.sha256, run.entry.trusted)
      assert.deepEqual(
        rest.map(({ text }) => text),
        ['{"a":1}', '{"a":2}'],
      )
      assert.equal(new Set([first, ...rest].map(({ where }) => where)).size, 3)
      assert.deepEqual(
        refs.map(({ sha256 }) => sha256),
        rest.map(({ sha256 }) => sha256),
      )
      assert.equal(decodeText(await again.content.get(refs[1]!)), '{"a":2}')
    },
  ],
  [
    'trust survives the process that gave it',
    async (subject) => {
      const run = await create(subject)
      await (await subject.open()).trust(run.entry, 'another hash')
      assert.equal((await openAgain(subject, run)).entry.trusted, 'another hash')
      assert.equal((await (await subject.open()).list({}))[0]?.trusted, 'another hash')
    },
  ],
  [
    'a fork has its history with new numbers, its notes with their old numbers, and new notes after them',
    async (subject) => {
      const history = [started(), noted(2, 1), noted(4, 4)]
      const wanted = newRun(subject)
      const freeze = async () => ({
        request: requestJson(wanted.entry),
        history,
        notes: [{ by: 'ann', say: 'cancel' } as const],
      })
      const run = await (await subject.open()).create({ ...wanted, freeze })
      const events = await all((await (await openAgain(subject, run)).read()).events)
      assert.deepEqual(numbers(events), [1, 2, 3])
      assert.deepEqual(
        events.map(({ type }) => type),
        ['run-started', 'note-received', 'note-received'],
      )
      assert.equal(await run.owner(), undefined)
      const held = await hold(run)
      assert.equal(held.epoch, 2)
      assert.deepEqual(
        (await held.inbox.take(0)).map(({ id, say }) => [id, say]),
        [
          [1, 'pause'],
          [4, 'pause'],
          [5, 'cancel'],
        ],
      )
      await held.release()
    },
  ],
  [
    'a run is removed completely, but not while it has an owner',
    async (subject) => {
      const run = await create(subject)
      await run.content.put('big.md', 'x'.repeat(10_000))
      const store = await subject.open()
      const held = await hold(run)
      await assert.rejects(store.remove(run.entry), { name: 'RunOwnedError' })
      await held.release()
      const size = await run.size()
      assert.ok(size >= 10_000)
      assert.ok((await store.remove(run.entry)) >= 10_000)
      assert.deepEqual(await store.list({}), [])
      assert.equal(await store.open(run.entry.id), undefined)
      assert.equal(await store.remove(run.entry), 0)
    },
  ],
  [
    'a watcher is notified of new and changed runs, and of no others',
    async (subject) => {
      const run = await create(subject)
      await create(subject)
      const stop = new AbortController()
      const rings = (await (await subject.open()).watch(stop.signal))[Symbol.asyncIterator]()
      const next = async (): Promise<string> => (await rings.next()).value
      const added = await create(subject)
      assert.equal(await next(), added.entry.id)
      const held = await hold(run)
      assert.equal(await next(), run.entry.id)
      stop.abort()
      while (!(await rings.next()).done);
      await held.release()
    },
  ],
]
