import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { realDisk } from '../../../../src/adapters/stores/files/disk.ts'
import { openFilesStore } from '../../../../src/adapters/stores/files/store.ts'
import type { NewRun } from '../../../../src/ports/run-store.ts'
import { create, hold, newRun, requestJson, write } from '../../../../src/testing/run-store/subject.ts'
import { journalOf, newStore, read } from './new-store.ts'

describe('a list', () => {
  const damagedBy = async (change: (text: string) => string) => {
    const subject = newStore()
    const run = await create(subject)
    const held = await hold(run)
    await write(held, 50)
    await held.release()
    fs.writeFileSync(journalOf(run), change(read(journalOf(run))))
    return (await subject.store().list({}))[0]!
  }

  test.each<[what: string, change: (text: string) => string, says: RegExp]>([
    ['no first line', (text) => text.replace(/^.*\n/, '{}\n'), /progress\.ndjson:1 is damaged at byte 0: not an event/],
    ['another first line', (text) => text.replace(/^.*\n/, ''), /damaged at byte 0: event 2 follows event 0/],
    ['a torn line before the last', (text) => text.replace(/.*\n(.*\n)$/, '{"seq":\n$1'), /:49 is damaged at byte \d+/],
    ['a line left out', (text) => text.replace(/.*\n(.*\n)$/, '$1'), /event 50 follows event 48/],
    ['an older journal', (text) => text.replace('"journal":2', '"journal":1'), /older pawl \(journal 1\)/],
    ['a newer journal', (text) => text.replace('"journal":2', '"journal":3'), /newer pawl \(journal 3\)/],
  ])('has a run with %s, and its problem', async (_, change, says) => {
    const listing = await damagedBy(change)
    expect([listing.seq, listing.problem]).toEqual([0, expect.stringMatching(says)])
  })

  test.each<[what: string, add: string]>([
    ['half a line', '{"seq":51,"ha'],
    ['a line that is none', 'zzz\n'],
    ['megabytes', 'x'.repeat(3_000_000)],
    ['lines of an owner before', `${JSON.stringify({ seq: 1, epoch: 0, context: {} })}\n`.repeat(200)],
  ])('passes over a torn end: %s', async (_, add) => {
    const listing = await damagedBy((text) => text + add)
    expect([listing.seq, listing.problem]).toEqual([50, undefined])
  })

  test('is not led astray by lines of a stale owner', async () => {
    const late = { seq: 51, epoch: 1, context: {} }
    const next = { ...late, epoch: 2 }
    const listing = await damagedBy((text) => `${text}${JSON.stringify(late)}\n${JSON.stringify(next)}\n`)
    expect([listing.seq, listing.problem]).toEqual([51, undefined])
  })

  test('reads the two ends of a long journal and nothing in between', async () => {
    const subject = newStore()
    const run = await create(subject)
    const held = await hold(run)
    await write(held, 5000)
    await held.release()
    let bytes = 0
    const readSync = ((...args: Parameters<typeof fs.readSync>) => {
      const read = fs.readSync(...args)
      bytes += read
      return read
    }) as typeof fs.readSync
    const [listing] = await subject.store({ ...realDisk, readSync }).list({})
    expect(listing?.seq).toBe(5000)
    expect(fs.statSync(journalOf(run)).size).toBeGreaterThan(500_000)
    expect(bytes).toBeLessThan(20_000)
  })

  test('takes ids, names and modes only in the shapes that this program gives them', async () => {
    const subject = newStore()
    const runs = join(subject.workspace, '.pawl', 'runs')
    const { entry } = newRun(subject)
    const bad = [
      { id: '../up' },
      { id: 'a'.repeat(101) },
      { id: 'x.lock' },
      { name: '../../../escape' },
      { name: 'Build' },
      { mode: '../mode' },
      { created: 'yesterday' },
      { workspace: 7 },
    ]
    for (const [index, change] of bad.entries()) {
      fs.mkdirSync(join(runs, `planted-${index}`), { recursive: true })
      const request = requestJson({ ...entry, ...change } as NewRun['entry'])
      fs.writeFileSync(join(runs, `planted-${index}`, 'request.json'), request)
      expect(await subject.store().open(join(runs, `planted-${index}`))).toBeUndefined()
    }
    expect(await subject.store().list({})).toEqual([])
    fs.writeFileSync(join(runs, 'planted-0', 'request.json'), requestJson(entry))
    expect((await subject.store().list({})).map(({ id, trusted }) => [id, trusted])).toEqual([[entry.id, undefined]])
  })

  test('has no card where the file of one holds something else', async () => {
    const subject = newStore()
    const run = await create(subject)
    const card = {
      seq: 0,
      at: 1,
      standing: 'open',
      progress: '',
      did: null,
      needsYou: false,
      spend: { tokens: 0, costUsd: 0 },
      caps: {},
    }
    const cards = async () => (await subject.store().list({})).map((listing) => [listing.problem, listing.card])
    await run.keep('card', card)
    expect(await cards()).toEqual([[undefined, card]])
    for (const bad of [null, [], 7, { ...card, spend: null }, { ...card, standing: 'running' }, { seq: 0, at: 1 }]) {
      fs.writeFileSync(join(run.entry.address, 'card.json'), JSON.stringify(bad))
      expect(await cards()).toEqual([[undefined, undefined]])
    }
    fs.writeFileSync(join(run.entry.address, 'card.json'), '{"seq":')
    expect(await cards()).toEqual([[undefined, undefined]])
  })

  test('has runs that an earlier version registered, without a mode', async () => {
    const subject = newStore()
    const { entry } = await create(subject)
    const path = join(subject.state, 'runs', `${entry.id}.json`)
    const { mode, ...stored } = JSON.parse(read(path)) as Record<string, unknown>
    fs.writeFileSync(path, JSON.stringify(stored))
    const store = openFilesStore({ workspace: subject.root, folder: '.pawl', stateFolder: subject.state })
    expect((await store.list({})).map((listing) => [listing.id, listing.mode])).toEqual([[entry.id, mode]])
  })

  test('goes by this person’s index where a repository brings a run of the same id', async () => {
    const subject = newStore()
    const run = await create(subject)
    const other = join(subject.workspace, 'elsewhere')
    fs.cpSync(run.entry.address, join(other, '.pawl', 'runs', run.entry.id), { recursive: true })
    const store = openFilesStore({ workspace: other, folder: '.pawl', stateFolder: subject.state })
    expect((await store.list({})).map(({ address }) => address)).toEqual([run.entry.address])
    expect((await store.open(run.entry.id))?.entry.address).toBe(run.entry.address)
    expect((await store.open(`.pawl/runs/${run.entry.id}`))?.entry.trusted).toBeUndefined()
  })

  test('loads nothing that reads journals', async () => {
    const subject = newStore()
    await create(subject)
    const script = `
      import { registerHooks } from 'node:module'
      const loaded = []
      registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
      const { openFilesStore } = await import('./src/adapters/stores/files/store.ts')
      const options = ${JSON.stringify({ workspace: subject.workspace, folder: '.pawl', stateFolder: subject.state })}
      const runs = await openFilesStore(options).list({})
      console.log(JSON.stringify([runs.length, loaded.filter((url) => /zod|journal\\.ts$|event\\.ts$/.test(url))]))`
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
    const [count, loaded] = JSON.parse(stdout) as [number, string[]]
    expect([count, loaded.map((url) => basename(url))]).toEqual([1, ['journal.ts']])
  })
})
