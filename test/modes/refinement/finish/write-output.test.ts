import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { createPlaceText, type PlaceDisk } from '../../../../src/adapters/place/place-file.ts'
import { type WrittenResult, writeResult } from '../../../../src/modes/refinement/finish/finish.ts'
import { type RefineInput, readRefineInput } from '../../../../src/modes/refinement/start/input.ts'

let folder = ''
beforeEach(() => {
  folder = fs.mkdtempSync(join(tmpdir(), 'pawl-hand-over-'))
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }))
})

const put = (name: string, content: string): void => fs.writeFileSync(join(folder, name), content)
const content = (name: string): string => fs.readFileSync(join(folder, name), 'utf8')
const taken = (what: string, more: { out?: string; write?: boolean } = {}): Promise<RefineInput> =>
  readRefineInput({ what, context: [], write: false, ...more }, { folder })
const isAlive = (pid: number): boolean => fs.existsSync(`/proc/${pid}`)
const place = createPlaceText({ isAlive })
const finish = (input: RefineInput, text: string, disk: PlaceDisk = fs): WrittenResult =>
  writeResult(input.brief, { run: 'r1', completed: true, text }, createPlaceText({ isAlive, disk }))
const take = { is: 'action', action: { do: 'text', run: 'r1' } }
const failing = (name: 'writeSync' | 'renameSync' | 'linkSync' | 'fdatasyncSync', code: string): PlaceDisk => ({
  ...fs,
  [name]: () => {
    throw Object.assign(new Error(`${code}: injected`), { code })
  },
})

test('--out makes a new file, whole, and leaves nothing else behind', async () => {
  const input = await taken('do it', { out: 'new.md' })
  expect(finish(input, 'better')).toEqual({
    did: 'wrote',
    says: `Written to ${join(folder, 'new.md')}.`,
    path: join(folder, 'new.md'),
  })
  expect(content('new.md')).toBe('better\n')
  expect(fs.readdirSync(folder)).toEqual(['new.md'])
})

test('a file that has appeared meanwhile is not written over, nor is a link followed', async () => {
  const input = await taken('do it', { out: 'new.md' })
  put('new.md', 'mine')
  expect(finish(input, 'better')).toMatchObject({ did: 'kept', next: [take, ' > FILE'] })
  expect(content('new.md')).toBe('mine')
  const other = await taken('do it', { out: 'other.md' })
  fs.symlinkSync('elsewhere.md', join(folder, 'other.md'))
  expect(finish(other, 'better').did).toBe('kept')
  expect(fs.readdirSync(folder).sort()).toEqual(['new.md', 'other.md'])
})

test('where links are unknown, --out still makes a new file and never writes over one', async () => {
  const disk = failing('linkSync', 'EPERM')
  const input = await taken('do it', { out: 'new.md' })
  expect(finish(input, 'better', disk).did).toBe('wrote')
  expect(content('new.md')).toBe('better\n')
  expect(finish(input, 'worse', disk).did).toBe('kept')
  expect(content('new.md')).toBe('better\n')
})

test('--write keeps mode, byte order mark, line ends and the missing last newline', async () => {
  put('a.md', '\ufeffone\r\ntwo')
  fs.chmodSync(join(folder, 'a.md'), 0o604)
  const input = await taken('a.md', { write: true })
  expect(finish(input, 'one\ntwo and a half\nthree\n\n')).toMatchObject({ did: 'wrote', says: 'a.md was written.' })
  expect(content('a.md')).toBe('\ufeffone\r\ntwo and a half\r\nthree')
  expect(fs.statSync(join(folder, 'a.md')).mode & 0o7777).toBe(0o604)
  expect(fs.readdirSync(folder)).toEqual(['a.md'])
})

test('of a file that nobody else may read, the new text is never open to others', async () => {
  put('a.md', 'one\n')
  fs.chmodSync(join(folder, 'a.md'), 0o600)
  const modes: number[] = []
  const disk: PlaceDisk = {
    ...fs,
    fdatasyncSync: (fd) => {
      modes.push(fs.fstatSync(fd).mode & 0o777)
      fs.fdatasyncSync(fd)
    },
    fchmodSync: (fd, mode) => {
      modes.push(fs.fstatSync(fd).mode & 0o777)
      fs.fchmodSync(fd, mode)
    },
  }
  expect(finish(await taken('a.md', { write: true }), 'two', disk).did).toBe('wrote')
  expect(modes).toEqual([0o600, 0o600])
})

test('a file that ends in a newline ends in one afterwards', async () => {
  put('a.md', 'one\n\n')
  expect(finish(await taken('a.md', { write: true }), 'two').did).toBe('wrote')
  expect(content('a.md')).toBe('two\n')
})

test('--write through a link writes the file it leads to, says so, and the link stays', async () => {
  fs.mkdirSync(join(folder, 'docs'))
  put('docs/real.md', 'one\n')
  fs.symlinkSync('docs/real.md', join(folder, 'a.md'))
  const { says } = finish(await taken('a.md', { write: true }), 'two')
  expect(says).toBe(`a.md was written (symlink to ${join(folder, 'docs/real.md')}).`)
  expect(fs.readlinkSync(join(folder, 'a.md'))).toBe('docs/real.md')
  expect(content('docs/real.md')).toBe('two\n')
})

test('a file that was changed, removed or turned into a link meanwhile is not written', async () => {
  put('a.md', 'one\n')
  const input = await taken('a.md', { write: true })
  const refused = {
    did: 'kept',
    says: 'a.md has changed since the run began and is not overwritten. The text is stored in the run.',
    next: [take, ' > FILE'],
  }
  put('a.md', 'one, edited\n')
  expect(finish(input, 'two')).toEqual(refused)
  expect(content('a.md')).toBe('one, edited\n')
  fs.rmSync(join(folder, 'a.md'))
  expect(finish(input, 'two')).toEqual(refused)
  put('b.md', 'one\n')
  fs.symlinkSync('b.md', join(folder, 'a.md'))
  expect(finish(input, 'two')).toEqual(refused)
  expect(content('b.md')).toBe('one\n')
})

test('a change that comes while the new text is being written is seen as well', async () => {
  put('a.md', 'one\n')
  const input = await taken('a.md', { write: true })
  const disk: PlaceDisk = {
    ...fs,
    fchmodSync: (fd, mode) => {
      put('a.md', 'saved at the last moment\n')
      fs.fchmodSync(fd, mode)
    },
  }
  expect(finish(input, 'two', disk).did).toBe('kept')
  expect(content('a.md')).toBe('saved at the last moment\n')
  expect(fs.readdirSync(folder)).toEqual(['a.md'])
})

test('a text that is the same leaves the file untouched', async () => {
  put('a.md', 'one\r\ntwo\r\n')
  const before = fs.statSync(join(folder, 'a.md'))
  expect(finish(await taken('a.md', { write: true }), 'one\ntwo')).toMatchObject({ did: 'unchanged' })
  const after = fs.statSync(join(folder, 'a.md'))
  expect([after.ino, after.mtimeMs]).toEqual([before.ino, before.mtimeMs])
})

test.for([
  ['writeSync', 'ENOSPC'],
  ['fdatasyncSync', 'EIO'],
  ['renameSync', 'EACCES'],
] as const)('when %s fails with %s the file is as it was and the text is still to be had', async ([name, code]) => {
  put('a.md', 'one\n')
  const input = await taken('a.md', { write: true })
  const told = finish(input, 'two', failing(name, code))
  expect(told).toMatchObject({ did: 'kept', next: [take, ' > FILE'] })
  expect(told.says).toContain(code)
  expect(content('a.md')).toBe('one\n')
  expect(fs.readdirSync(folder)).toEqual(['a.md'])
})

test('a full disk leaves no half of a new file, whether or not links are known', async () => {
  const input = await taken('do it', { out: 'new.md' })
  let calls = 0
  const fillsUp: PlaceDisk = {
    ...failing('linkSync', 'ENOTSUP'),
    writeSync: ((fd: number, bytes: Buffer, ...rest: number[]) => {
      if (calls++ > 0) throw Object.assign(new Error('ENOSPC: injected'), { code: 'ENOSPC' })
      return fs.writeSync(fd, bytes, ...rest)
    }) as PlaceDisk['writeSync'],
  }
  expect(finish(input, 'two', failing('writeSync', 'ENOSPC')).did).toBe('kept')
  expect(finish(input, 'two', fillsUp).did).toBe('kept')
  expect(fs.readdirSync(folder)).toEqual([])
})

test('a run that did not complete writes nothing and says how to take what it has', async () => {
  put('a.md', 'one\n')
  const input = await taken('a.md', { write: true })
  expect(writeResult(input.brief, { run: 'r1', completed: false, text: 'half' }, place)).toEqual({
    did: 'kept',
    says: 'The run did not complete, so a.md is not written. The best text so far:',
    next: [take],
  })
  expect(writeResult(input.brief, { run: 'r1', completed: false, text: undefined }, place).next).toBeUndefined()
  expect(content('a.md')).toBe('one\n')
})

test('without --out and --write nothing is written', async () => {
  put('a.md', 'one\n')
  expect(finish(await taken('a.md'), 'two').did).toBe('shown')
  expect(content('a.md')).toBe('one\n')
})

test('what a terminal would obey is not written into files', async () => {
  const input = await taken('do it', { out: 'new.md' })
  finish(
    input,
    '\u001b[31mred\u001b[0m \u001b]8;;http://x\u0007link\u001b]8;;\u001b\\\r\nfamily: 👩‍👩‍👧\tok\u0007\u009b2J',
  )
  expect(content('new.md')).toBe('red link\nfamily: 👩‍👩‍👧\tok2J\n')
})

test('the hash is of the bytes, so that a mark or a line end alone is a change', async () => {
  put('a.md', 'one\n')
  const input = await taken('a.md', { write: true })
  expect(input.brief.file?.sha256).toBe(createHash('sha256').update('one\n').digest('hex'))
  put('a.md', 'one\r\n')
  expect(finish(input, 'two').did).toBe('kept')
})

test.for([
  ['--out', { out: 'new.md' }, 'do it', 'new.md'],
  ['--write', { write: true }, 'a.md', 'a.md'],
] as const)('%s after a kill: what was left half-way is gone, and what was written stays as it is', async (row) => {
  const [, more, what, target] = row
  put('a.md', 'one\r\n')
  const input = await taken(what, more)
  const gone = spawnSync('true').pid
  for (const part of [`.${target}.r1.${gone}.part`, `.${target}.r2.${gone}.part`, `.${target}.r1.1.part`])
    put(part, 'ha')
  expect(finish(input, 'better').did).toBe('wrote')
  const { ino } = fs.statSync(join(folder, target))
  expect(finish(input, 'better')).toMatchObject({
    did: 'unchanged',
    says: expect.stringMatching(/already contains it\.$/),
  })
  expect(fs.statSync(join(folder, target)).ino).toBe(ino)
  // That of another run and that of a living process are theirs.
  expect(fs.readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([
    `.${target}.r1.1.part`,
    `.${target}.r2.${gone}.part`,
  ])
})
