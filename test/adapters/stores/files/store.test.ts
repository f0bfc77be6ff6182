import * as fs from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Disk, realDisk } from '../../../../src/adapters/stores/files/disk.ts'
import { create, newRun, requestJson } from '../../../../src/testing/run-store/subject.ts'
import { runStoreSuite } from '../../../../src/testing/run-store-suite.ts'
import { modeOf, newStore, read } from './new-store.ts'

describe('the contract of a store', () => {
  for (const { name, check } of runStoreSuite(async () => newStore())) test(name, check)
})

describe('a run on disk', () => {
  test('is a folder of the workspace, private, ignored by git, with the request written last', async () => {
    const subject = newStore()
    const wanted = newRun(subject)
    const names: string[] = []
    const linkSync: Disk['linkSync'] = (from, to) => {
      names.push(...fs.readdirSync(dirname(String(to))), 'then', basename(String(to)))
      fs.linkSync(from, to)
    }
    const run = await subject.store({ ...realDisk, linkSync }).create(wanted)
    const dir = run.entry.address
    expect(dir).toBe(join(subject.workspace, '.pawl', 'runs', wanted.entry.id))
    expect(fs.readdirSync(dir)).toEqual(['artifacts', 'attempts', 'hand-over', 'inbox', 'request.json', 'whole'])
    expect(names.filter((name) => !name.endsWith('.part'))).toEqual(
      ['artifacts', 'attempts', 'hand-over', 'inbox', 'whole'].concat('then', 'request.json'),
    )
    expect(read(join(dir, 'request.json'))).toBe(requestJson(wanted.entry))
    expect([modeOf(dir), modeOf(dirname(dir)), modeOf(join(dir, 'inbox'))]).toEqual(['700', '700', '700'])
    expect(modeOf(join(dir, 'request.json'))).toBe('600')
    expect(read(join(dirname(dir), '.gitignore'))).toBe('*\n')
  })

  test('is in this person’s index before it is a run, and leaves it when it is removed', async () => {
    const subject = newStore()
    const index = join(subject.state, 'runs')
    const indexed: string[][] = []
    const linkSync: Disk['linkSync'] = (from, to) => {
      indexed.push(fs.readdirSync(index))
      fs.linkSync(from, to)
    }
    const run = await subject.store({ ...realDisk, linkSync }).create(newRun(subject))
    const { id, mode, name, workspace, created, address, trusted } = run.entry
    expect(indexed).toEqual([[`${id}.json`]])
    const file = { id, mode, dir: address, name, workspace, created, request: trusted }
    expect(JSON.parse(read(join(index, `${id}.json`)))).toEqual(file)
    expect(modeOf(index)).toBe('700')
    await subject.store().remove(run.entry)
    expect(fs.readdirSync(index)).toEqual([])
  })

  test('its index entry and the trust in it are synced, file and folder', async () => {
    const subject = newStore()
    const index = join(subject.state, 'runs')
    const synced: string[] = []
    const note = (fd: number): void => void synced.push(fs.readlinkSync(`/proc/self/fd/${fd}`))
    const disk: Disk = {
      ...realDisk,
      fdatasyncSync: (fd) => {
        note(fd)
        fs.fdatasyncSync(fd)
      },
      fsyncSync: (fd) => {
        note(fd)
        fs.fsyncSync(fd)
      },
    }
    const run = await subject.store(disk).create(newRun(subject))
    const seen = () => synced.splice(0).filter((path) => path.startsWith(subject.state))
    const entry = expect.stringContaining(join(index, `${run.entry.id}.json`))
    expect(seen()).toEqual([entry, index, subject.state])
    await subject.store(disk).trust(run.entry, 'a hash')
    expect(seen()).toEqual([entry, index, subject.state])
  })

  test('keeps its marks and projections as files of their names', async () => {
    const run = await create(newStore())
    await run.keep('result', { seq: 1, status: 'completed' })
    await run.keep('card', { seq: 1 })
    await run.keep('notified', 12)
    for (const text of ['{"a":1}', '{"a":2}']) {
      await run.post({ by: 'ann', say: 'amend', request: await run.amend(text), terms: {} })
    }
    const dir = run.entry.address
    expect(read(join(dir, 'result.json'))).toBe('{\n  "seq": 1,\n  "status": "completed"\n}\n')
    expect(read(join(dir, 'card.json'))).toBe('{"seq":1}\n')
    expect(read(join(dir, 'notified'))).toBe('12\n')
    expect(read(join(dir, 'request.2.json'))).toBe('{"a":2}')
    const places = (await run.requests()).map(({ where }) => basename(where))
    expect(places).toEqual(['request.json', 'request.1.json', 'request.2.json'])
  })

  test('is created where the caller wants it, next to other files, in no list, and is found by its address', async () => {
    const subject = newStore()
    const at = join(subject.root, 'out')
    fs.mkdirSync(join(at, 'artifacts'), { recursive: true })
    fs.writeFileSync(join(at, 'mine.txt'), 'x')
    const run = await create(subject, { at, listed: false })
    expect([run.entry.address, run.entry.trusted]).toEqual([at, undefined])
    expect(fs.readdirSync(at)).toEqual(
      ['artifacts', 'attempts', 'hand-over', 'inbox', 'mine.txt', 'request.json', 'whole'].sort(),
    )
    const store = subject.store()
    expect(await store.list({})).toEqual([])
    expect((await store.open(at))?.entry).toEqual(run.entry)
    expect((await store.open('../out'))?.entry).toEqual(run.entry)
    await expect(create(subject, { at, listed: false })).rejects.toMatchObject({
      exit: 20,
      message: `cannot write to ${at}: it already contains a run`,
    })
    expect((await store.open(at))?.entry).toEqual(run.entry)
  })

  test('a link in place of one of its folders is not taken for it', async () => {
    const subject = newStore()
    const at = join(subject.root, 'out')
    fs.mkdirSync(at)
    fs.symlinkSync(subject.workspace, join(at, 'inbox'))
    await expect(create(subject, { at, listed: false })).rejects.toMatchObject({ exit: 20 })
    expect(fs.existsSync(join(at, 'request.json'))).toBe(false)
  })

  test('is created among temporary files on request, and is listed all the same', async () => {
    const subject = newStore()
    vi.stubEnv('TMPDIR', subject.root)
    onTestFinished(() => void vi.unstubAllEnvs())
    const run = await create(subject, { temporary: true })
    expect(dirname(dirname(run.entry.address))).toBe(subject.root)
    expect(basename(dirname(run.entry.address))).toMatch(/^pawl-\w{6}$/)
    expect((await subject.store().list({})).map(({ address }) => address)).toEqual([run.entry.address])
  })

  test('is not made where its place cannot be written: exit 20, and nothing is left', async () => {
    const subject = newStore()
    fs.writeFileSync(join(subject.workspace, '.pawl'), 'a file')
    const place = join(subject.workspace, '.pawl', 'runs')
    await expect(create(subject)).rejects.toMatchObject({
      exit: 20,
      message: expect.stringContaining(`cannot create ${place}`),
      hint: 'Nothing was started.',
    })
    expect(fs.existsSync(join(subject.state, 'runs')) ? fs.readdirSync(join(subject.state, 'runs')) : []).toEqual([])
  })
})

describe('locks', () => {
  test('lie in the workspace’s state folder, which git ignores, or in the folder that is named', async () => {
    const { store, workspace } = newStore()
    const name = await store().acquire({ of: 'name', workspace, name: 'build' })
    const state = join(workspace, '.pawl', 'state')
    expect(fs.readdirSync(join(state, 'build.lock'))).toEqual(['lease-1'])
    expect([read(join(state, '.gitignore')), modeOf(state)]).toEqual(['*\n', '700'])
    const folder = await store().acquire({ of: 'folder', path: join(workspace, 'git', 'pawl') })
    expect(fs.readdirSync(join(workspace, 'git', 'pawl'))).toEqual(['lease-1'])
    await name.release()
    await folder.release()
    expect(fs.readdirSync(join(state, 'build.lock'))).toEqual(['lease-1.free'])
  })

  test('where nothing can be written, a name is refused with exit 20 and a folder as not saved', async () => {
    const { store, workspace } = newStore()
    fs.writeFileSync(join(workspace, '.pawl'), 'a file')
    const dir = join(workspace, '.pawl', 'state', 'build.lock')
    await expect(store().acquire({ of: 'name', workspace, name: 'build' })).rejects.toMatchObject({
      exit: 20,
      message: expect.stringContaining(`cannot create ${dir}: `),
      hint: 'Nothing was started.',
    })
    const path = join(workspace, '.pawl', 'git')
    await expect(store().acquire({ of: 'folder', path })).rejects.toMatchObject({ name: 'NotSavedError' })
  })

  test('a name that could lead elsewhere is refused', async () => {
    const { store, workspace } = newStore()
    await expect(store().acquire({ of: 'name', workspace, name: '../x' })).rejects.toMatchObject({ exit: 20 })
    expect(fs.readdirSync(workspace)).toEqual([])
  })
})
