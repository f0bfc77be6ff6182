import { spawn, spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, expect, test } from 'vitest'
import { realDisk } from '../../src/adapters/stores/files/disk.ts'
import { keyFile, openKeys } from '../../src/machine/keys.ts'
import { openContent } from '../../src/run/open-content.ts'
import type { Place } from '../../src/run/paths.ts'

let home: string
beforeEach(() => {
  home = fs.mkdtempSync(join(tmpdir(), 'pawl-keys-'))
  return () => fs.rmSync(home, { recursive: true, force: true })
})

const place = (env: NodeJS.ProcessEnv = {}): Place => ({ name: 'pawl', cwd: home, env, home })
const make = { make: true }
const secretOf = (env?: NodeJS.ProcessEnv) => Buffer.from(openKeys(place(env), make).content.secret).toString('hex')
const modeOf = (path: string) => (fs.statSync(path).mode & 0o777).toString(8)

test('the key is made on first use, for this person alone, and found again', () => {
  const secret = secretOf()
  expect(secret).toMatch(/^[0-9a-f]{64}$/)
  expect(secretOf()).toBe(secret)
  const path = keyFile(place())
  expect([modeOf(path), modeOf(dirname(path))]).toEqual(['600', '700'])
  expect(fs.readdirSync(dirname(path))).toEqual(['content.key'])
  expect(fs.readFileSync(path, 'utf8').trim()).toBe(Buffer.from(secret, 'hex').toString('base64'))
})

test('PAWL_KEY goes before the file, as base64 or hex, and then no file is made', () => {
  const bytes = Buffer.alloc(32, 7)
  for (const text of [bytes.toString('hex'), bytes.toString('base64'), bytes.toString('base64url')]) {
    expect(secretOf({ PAWL_KEY: text })).toBe(bytes.toString('hex'))
  }
  expect(fs.readdirSync(home)).toEqual([])
})

test.each(['', 'secret', 'ab'.repeat(31), 'zz'.repeat(32), Buffer.alloc(33).toString('base64')])(
  'PAWL_KEY of %j is refused, and not shown',
  (text) => {
    const refused = expect.objectContaining({ exit: 30, message: 'PAWL_KEY is no key' })
    expect(() => secretOf({ PAWL_KEY: text })).toThrow(refused)
  },
)

test('marks and pseudonyms are of this installation, differ from each other, and tell nothing', () => {
  const [one, two] = [openKeys(place(), make), openKeys(place({ PAWL_KEY: 'ab'.repeat(32) }), make)]
  expect(one.markOf('text')).toMatch(/^[0-9a-f]{16}$/)
  expect(one.pseudonymOf('a@b.org')).toMatch(/^[0-9a-f]{64}$/)
  expect(openKeys(place(), make).markOf('text')).toBe(one.markOf('text'))
  expect(two.markOf('text')).not.toBe(one.markOf('text'))
  expect(one.pseudonymOf('text').startsWith(one.markOf('text'))).toBe(false)
})

const elsewhere = () => join(home, 'elsewhere')
test.each([
  [
    'a symbolic link',
    'it is a symbolic link',
    (path: string) => {
      fs.writeFileSync(elsewhere(), `${'ab'.repeat(32)}\n`, { mode: 0o600 })
      fs.symlinkSync(elsewhere(), path)
    },
  ],
  ['a link to nowhere', 'it is a symbolic link', (path: string) => fs.symlinkSync(elsewhere(), path)],
  ['readable by others', 'others can read', (path: string) => fs.writeFileSync(path, 'ab'.repeat(32), { mode: 0o644 })],
  [
    'readable by the group',
    'others can read',
    (path: string) => fs.writeFileSync(path, 'ab'.repeat(32), { mode: 0o640 }),
  ],
  ['empty', 'holds no key', (path: string) => fs.writeFileSync(path, '', { mode: 0o600 })],
  ['too short', 'holds no key', (path: string) => fs.writeFileSync(path, 'ab'.repeat(31), { mode: 0o600 })],
  ['huge', 'holds no key', (path: string) => fs.writeFileSync(path, 'ab'.repeat(1 << 20), { mode: 0o600 })],
  ['a folder', 'not a plain file', (path: string) => fs.mkdirSync(path)],
  ['a pipe', 'not a plain file', (path: string) => void spawnSync('mkfifo', [path])],
])('a key file that is %s is refused with the next step, and left as it is', (_what, why, plant) => {
  const path = keyFile(place())
  fs.mkdirSync(dirname(path), { recursive: true })
  plant(path)
  const before = fs.lstatSync(path)
  const refused = { exit: 30, message: expect.stringContaining(why) as string, hint: expect.any(String) as string }
  expect(() => secretOf()).toThrow(expect.objectContaining(refused))
  expect(fs.lstatSync(path).ino).toBe(before.ino)
})

test('of many processes that make it in the same moment all have one key', async () => {
  const maker = fileURLToPath(new URL('./fixtures/key-maker.ts', import.meta.url))
  const start = String(Date.now() + 900)
  const said = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const child = spawn(process.execPath, [maker, home, start], { stdio: ['ignore', 'pipe', 'inherit'] })
      let out = ''
      for await (const data of child.stdout) out += String(data)
      return out
    }),
  )
  expect(new Set(said).size).toBe(1)
  expect(said[0]).toMatch(/^[0-9a-f]{16}\n$/)
  expect(fs.readdirSync(dirname(keyFile(place())))).toEqual(['content.key'])
})

test.each(['writeSync', 'fsyncSync', 'linkSync', 'mkdirSync', 'openSync'] as const)(
  'a disk that fails in %s leaves no key and no half of one',
  (name) => {
    let failing = true
    const real = realDisk[name] as (...args: unknown[]) => unknown
    const fail = (...args: unknown[]): unknown => {
      // Looking whether it is there is not writing it.
      if (!failing || (name === 'openSync' && typeof args[1] === 'number')) return real(...args)
      throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
    }
    const disk = { ...realDisk, [name]: fail }
    const refused = expect.objectContaining({ exit: 20, message: expect.stringContaining('no space left') as string })
    expect(() => openKeys(place(), { make: true, disk })).toThrow(refused)
    const folder = dirname(keyFile(place()))
    expect(fs.existsSync(folder) ? fs.readdirSync(folder) : []).toEqual([])
    failing = false
    expect(openKeys(place(), { make: true, disk }).markOf('x')).toBe(openKeys(place(), make).markOf('x'))
  },
)

test('a run that has sealed content gets no new key: what it lacks is the old one', async () => {
  const dir = join(home, 'run')
  fs.mkdirSync(dir)
  const open = () => openContent(place(), dir, { run: 'r', sealed: true, isNew: true })
  const ref = await open().put('brief.json', 'words')
  expect(Buffer.from(await open().get(ref)).toString()).toBe('words')
  fs.rmSync(keyFile(place()))
  expect(open).toThrow(expect.objectContaining({ exit: 30, message: expect.stringContaining('is gone') as string }))
  expect(fs.existsSync(keyFile(place()))).toBe(false)
})

test('content that is not sealed needs no key and is what it was', async () => {
  const open = () => openContent(place(), home, { run: 'r', sealed: false, isNew: true })
  const ref = await open().put('prompt.md', 'words')
  expect(fs.readFileSync(join(home, ref.path), 'utf8')).toBe('words')
  expect(fs.existsSync(keyFile(place()))).toBe(false)
})
