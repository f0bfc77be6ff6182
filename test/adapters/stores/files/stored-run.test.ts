import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { realDisk } from '../../../../src/adapters/stores/files/disk.ts'
import { all, create, hold, resumed, write } from '../../../../src/testing/run-store/subject.ts'
import { journalOf, newStore, read } from './new-store.ts'

describe('the folder of a run', () => {
  test('findings cover the complete journal', async () => {
    const run = await create(newStore())
    const held = await hold(run)
    await write(held, 2)
    await held.release()
    const line = read(journalOf(run)).split('\n')[1]!
    const unknown = line.replace('"seq":2', '"seq":3').replace('"resumed"', '"dreamt"')
    const stale = line.replace('"seq":2', '"seq":4').replace('"epoch":1', '"epoch":0')
    fs.appendFileSync(journalOf(run), `${unknown}\n${stale}\n{"half`)
    expect((await run.check()).map(({ says }) => says)).toEqual([
      `${stale.length + 7} bytes after event 3 are ignored; the next resume moves them to progress.ndjson.torn`,
      '1 events of an earlier owner are ignored',
      '1 events have a type that this version does not know',
    ])
    fs.writeFileSync(journalOf(run), `zzz\n${line}\n`)
    expect((await run.check()).map(({ says }) => says)).toEqual([expect.stringContaining('is damaged at byte 0')])
  })

  test('a journal that was cut and went on otherwise between two reads is read anew', async () => {
    const run = await create(newStore())
    const held = await hold(run)
    await write(held, 600)
    await held.release()
    expect(await all((await run.read()).events)).toHaveLength(600)
    const lines = read(journalOf(run)).split('\n').slice(0, 500)
    fs.writeFileSync(journalOf(run), `${lines.join('\n')}\n`)
    expect(await all((await run.read()).events)).toHaveLength(500)
    const heir = await hold(run)
    for (let seq = 501; seq <= 600; seq++) await heir.journal.append(resumed(seq))
    await heir.release()
    const events = await all((await run.read()).events)
    expect([events.length, events.at(-1)!.epoch]).toEqual([600, 2])
  })

  test('without lease files, as after a restore, a new owner continues above the epochs of the journal', async () => {
    const run = await create(newStore())
    for (const seq of [1, 2, 3]) {
      const held = await hold(run)
      await (seq === 1 ? write(held, 1) : held.journal.append(resumed(seq)))
      await held.release()
    }
    const dir = run.entry.address
    for (const name of fs.readdirSync(dir)) if (name.startsWith('lease-')) fs.rmSync(join(dir, name))
    const heir = await hold(run)
    expect(heir.epoch).toBe(4)
    await heir.journal.append(resumed(4))
    await heir.release()
    expect((await all((await run.read()).events)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
    expect(await run.check()).toEqual([])
  })

  test('a changed request that no note names is ignored, as after a kill before the note', async () => {
    const run = await create(newStore())
    await run.amend('{"a":1}')
    expect(await run.requests()).toHaveLength(1)
    const ref = await run.amend('{"a":2}')
    await run.post({ by: 'ann', say: 'amend', request: ref, terms: {} })
    expect((await run.requests()).map(({ text }) => text).slice(1)).toEqual(['{"a":2}'])
    fs.rmSync(join(run.entry.address, 'inbox', '1.json'))
    expect(await run.requests()).toHaveLength(1)
    const held = await hold(run)
    await write(held, 1)
    const note = { id: 1, by: 'ann', say: 'amend', request: ref, terms: {} } as const
    await held.journal.append({ type: 'note-received', note, seq: 2, at: 1, ms: 0, task: null, attempt: null })
    await held.release()
    expect((await run.requests()).map(({ text }) => text).slice(1)).toEqual(['{"a":2}'])
    fs.writeFileSync(join(run.entry.address, ref.path), '{"a":3}')
    await expect(run.requests()).rejects.toThrow('request.2.json was changed after it was recorded')
  })

  test('a follower is not confused by lines that a new owner cuts off', async () => {
    const run = await create(newStore())
    const held = await hold(run)
    await write(held, 2)
    const output = await held.content.put('out', 'x')
    const stamp = { at: 1, ms: 1, task: 'S1', attempt: 1 }
    await held.journal.append({ type: 'attempt-ended', outcome: { status: 'ok', output }, seq: 3, ...stamp })
    const stop = new AbortController()
    const rest = run.follow(0, stop.signal)[Symbol.asyncIterator]()
    expect((await rest.next()).value?.map(({ seq }: { seq: number }) => seq)).toEqual([1, 2, 3])
    fs.rmSync(join(run.entry.address, output.path))
    const heir = await hold(run, { takeOver: true })
    await heir.journal.append(resumed(3))
    await heir.journal.append(resumed(4))
    expect((await rest.next()).value).toMatchObject([{ seq: 4, type: 'run-resumed' }])
    stop.abort()
    expect((await rest.next()).done).toBe(true)
    await heir.release()
  })

  test('damage after the last requested event does not matter', async () => {
    const run = await create(newStore())
    const held = await hold(run)
    await write(held, 3)
    await held.release()
    const [first, second, third] = read(journalOf(run)).split('\n') as [string, string, string]
    fs.writeFileSync(journalOf(run), `${first}\n${second.replace('"ms":2', '"ms":-2')}\n${third}\n`)
    expect((await all((await run.read({ upTo: 1 })).events)).map(({ seq }) => seq)).toEqual([1])
    await expect(run.read({ upTo: 2 }).then(({ events }) => all(events))).rejects.toThrow('event 2 is malformed')
  })

  test('a result that is ahead of the journal shows that events were lost', async () => {
    const run = await create(newStore())
    const held = await hold(run)
    await write(held, 2)
    await run.keep('result', { seq: 2 })
    expect(await run.isWhole()).toBe(true)
    await run.keep('result', { seq: 3 })
    expect(await run.isWhole()).toBe(false)
    await held.release()
  })

  test('an event’s place is its file and line, even after ignored lines', async () => {
    const run = await create(newStore())
    const held = await hold(run)
    await write(held, 2)
    await held.release()
    const [first, second] = read(journalOf(run)).split('\n') as [string, string]
    const stale = second.replace('"epoch":1', '"epoch":0')
    fs.writeFileSync(journalOf(run), `${first}\n${stale}\n${second}\n`)
    expect(await run.place(2)).toBe(`${journalOf(run)}:3`)
    expect(await run.place(9)).toBe(journalOf(run))
  })

  test('links, pipes and folders in place of its files are not followed', async () => {
    const subject = newStore()
    const run = await create(subject)
    const secret = join(subject.root, 'secret.log')
    fs.writeFileSync(secret, '"secret"')
    const dir = run.entry.address
    fs.symlinkSync(secret, join(dir, 'attempts', 'a.log'))
    fs.mkdirSync(join(dir, 'attempts', 'b.log'))
    fs.symlinkSync(secret, join(dir, 'result.json'))
    fs.symlinkSync(secret, join(dir, 'progress.ndjson'))
    expect([await run.outputs(), await run.output('a.log', 0), await run.output('b.log', 0)]).toEqual([
      [],
      undefined,
      undefined,
    ])
    expect(await run.kept('result')).toBeUndefined()
    const reading = async () => {
      for await (const _ of (await run.read()).events);
    }
    await expect(reading()).rejects.toThrow(/ELOOP/)
    expect((await subject.store().list({}))[0]?.problem).toMatch(/ELOOP/)
    fs.rmSync(join(dir, 'request.json'))
    fs.symlinkSync(secret, join(dir, 'request.json'))
    await expect(run.requests()).rejects.toMatchObject({ exit: 30, hint: 'The run cannot be resumed without it.' })
    for (const address of [run.entry.id, dir]) expect((await subject.store().open(address))?.entry).toEqual(run.entry)
  })

  test('a disk that takes nothing more keeps no mark from being removed', async () => {
    const subject = newStore()
    const { entry } = await create(subject)
    const full = (): never => {
      throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' })
    }
    const run = (await subject.store({ ...realDisk, writeSync: full }).open(entry.id))!
    await run.keep('result', {})
    expect(await run.kept('result')).toBeUndefined()
    await expect(run.content.put('a', 'x')).rejects.toMatchObject({ name: 'NotSavedError' })
    await expect(run.amend('{}')).rejects.toMatchObject({ name: 'NotSavedError' })
    await expect(run.attach('x', '/nowhere')).rejects.toMatchObject({ name: 'NotSavedError' })
    const held = await hold((await subject.store().open(entry.id))!)
    held.markBroken()
    expect(await run.isWhole()).toBe(false)
    await held.release()
  })
})
