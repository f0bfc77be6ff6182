import { beforeAll, expect, test } from 'vitest'
import type { StoredRun } from '../../../src/ports/run-store.ts'
import { all, create, hold, numbers, resumed, started, write } from '../../../src/testing/run-store/subject.ts'
import { newDatabase, type OpenedStore, openStoreAt } from '../../support/postgres.ts'

let url: string
let opened: OpenedStore

beforeAll(async () => {
  url = await newDatabase()
  opened = openStoreAt(url)
})

const newRun = (): Promise<StoredRun> => create({ workspace: opened.workspace, open: async () => opened.store })

test('text that JSONB cannot hold is stored with a replacement, and the stored event is the one that counts', async () => {
  const run = await newRun()
  const held = await hold(run)
  await held.journal.append(started())
  const by = 'a\0b \ud800 \\u0000 \ud83d\ude00'
  const stored = await held.journal.append({ ...resumed(2), type: 'run-interrupted', by })
  expect(stored).toMatchObject({ by: 'a\ufffdb \ufffd \\u0000 \ud83d\ude00' })
  expect((await all((await run.read()).events))[1]).toEqual(stored)
  await run.keep('result', { text: 'x\0y' })
  expect(await run.kept('result')).toEqual({ text: 'x\ufffdy' })
  await held.release()
})

test('an event is refused if the server has lost the one before it', async () => {
  const run = await newRun()
  const held = await hold(run)
  await write(held, 3)
  await opened.sql.query('delete from pawl.event where run = $1 and seq = 3', [run.entry.id])
  await expect(held.journal.append(resumed(4))).rejects.toThrow('event 3 is not there any more')
  await held.release()
  expect(numbers(await all((await run.read()).events))).toEqual([1, 2])
})

test('a damaged row is reported with its place, and nothing is changed', async () => {
  const run = await newRun()
  const held = await hold(run)
  await write(held, 3)
  await held.release()
  const { id } = run.entry
  await opened.sql.query(`update pawl.event set line = jsonb_set(line, '{epoch}', '0') where run = $1 and seq = 2`, [
    id,
  ])
  await expect(all((await run.read()).events)).rejects.toMatchObject({
    name: 'CorruptJournalError',
    message: `table pawl.event, run ${id}, seq 2 is damaged: epoch 0 follows epoch 1`,
  })
  expect(await run.check()).toEqual([{ says: expect.stringContaining('seq 2 is damaged') }])
  await opened.sql.query(
    `update pawl.event set line = jsonb_set(line, '{context}', '{"caps": 5}') where run = $1 and seq = 1`,
    [id],
  )
  await expect(all((await run.read()).events)).rejects.toMatchObject({
    message: expect.stringMatching(/seq 1 is damaged: \w+: /),
  })
})

test('an owner that is fenced learns at once that it has lost the run', async () => {
  const run = await newRun()
  const old = await hold(run)
  await old.journal.append(started())
  const heir = await hold(run, { takeOver: true })
  expect(old.lost?.aborted).toBe(false)
  await expect(old.journal.append(resumed(2))).rejects.toMatchObject({ name: 'StaleWriterError' })
  expect(old.lost?.aborted).toBe(true)
  expect(heir.lost?.aborted).toBe(false)
  await heir.release()
  await old.release()
})

test('a lease that has ended is taken without force, and its owner counts as gone', async () => {
  const run = await newRun()
  const old = await hold(run)
  await old.journal.append(started())
  await opened.sql.query(`update pawl.lease set until = clock_timestamp() - interval '1 s' where run = $1`, [
    run.entry.id,
  ])
  expect(await run.owner()).toBeUndefined()
  const heir = await hold(run)
  expect(heir.epoch).toBe(2)
  await heir.release()
  await old.release()
})

test('tables of a newer version are refused, and a message names no password', async () => {
  const other = openStoreAt(await newDatabase())
  await other.store.list({})
  await other.sql.query('update pawl.meta set version = 999')
  const newer = openStoreAt((await readUrl(other)).replace('pawl@', 'pawl:very-secret@'))
  await expect(newer.store.list({})).rejects.toMatchObject({
    exit: 30,
    message: expect.stringContaining('version 999'),
  })
  await expect(newer.store.list({})).rejects.not.toMatchObject({ message: expect.stringContaining('very-secret') })
})

async function readUrl({ sql }: OpenedStore): Promise<string> {
  const [row] = await sql.query<{ name: string }>('select current_database() as name')
  const own = new URL(url)
  own.pathname = `/${row!.name}`
  return own.href
}

test('once it is closed, no timer keeps the process', async () => {
  const timers = (): number => process.getActiveResourcesInfo().filter((what) => what === 'Timeout').length
  const before = timers()
  const { sql, store } = openStoreAt(url)
  await store.list({})
  sql.listener.ring('some run')
  await sql.close()
  expect(timers()).toBeLessThanOrEqual(before)
})
