import { spawn, spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, expect, test } from 'vitest'
import { keyFile, openKeys } from '../../../src/adapters/keys/keys.ts'

let home: string
beforeEach(() => {
  home = fs.mkdtempSync(join(tmpdir(), 'pawl-keys-'))
  return () => fs.rmSync(home, { recursive: true, force: true })
})

const person = (env: NodeJS.ProcessEnv = {}) => ({ env, stateFolder: join(home, 'state', 'pawl') })
const make = { make: true }
const secretOf = (env?: NodeJS.ProcessEnv) => Buffer.from(openKeys(person(env), make).content.secret).toString('hex')
const modeOf = (path: string) => (fs.statSync(path).mode & 0o777).toString(8)

test('the key is made on first use, for this person alone, and found again', () => {
  const secret = secretOf()
  expect(secret).toMatch(/^[0-9a-f]{64}$/)
  expect(secretOf()).toBe(secret)
  const path = keyFile(person().stateFolder)
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
    const refused = expect.objectContaining({ exit: 30, message: 'PAWL_KEY is not a valid key' })
    expect(() => secretOf({ PAWL_KEY: text })).toThrow(refused)
  },
)

test('marks and pseudonyms are of this installation, differ from each other, and tell nothing', () => {
  const [one, two] = [openKeys(person(), make), openKeys(person({ PAWL_KEY: 'ab'.repeat(32) }), make)]
  expect(one.markOf('text')).toMatch(/^[0-9a-f]{16}$/)
  expect(one.pseudonymOf('a@b.org')).toMatch(/^[0-9a-f]{64}$/)
  expect(openKeys(person(), make).markOf('text')).toBe(one.markOf('text'))
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
  [
    'readable by others',
    'other users can read',
    (path: string) => fs.writeFileSync(path, 'ab'.repeat(32), { mode: 0o644 }),
  ],
  [
    'readable by the group',
    'other users can read',
    (path: string) => fs.writeFileSync(path, 'ab'.repeat(32), { mode: 0o640 }),
  ],
  ['empty', 'contains no key', (path: string) => fs.writeFileSync(path, '', { mode: 0o600 })],
  ['too short', 'contains no key', (path: string) => fs.writeFileSync(path, 'ab'.repeat(31), { mode: 0o600 })],
  ['huge', 'contains no key', (path: string) => fs.writeFileSync(path, 'ab'.repeat(1 << 20), { mode: 0o600 })],
  ['a folder', 'not a regular file', (path: string) => fs.mkdirSync(path)],
  ['a pipe', 'not a regular file', (path: string) => void spawnSync('mkfifo', [path])],
])('a key file that is %s is refused with the next step, and left as it is', (_what, why, plant) => {
  const path = keyFile(person().stateFolder)
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
      const child = spawn(process.execPath, [maker, person().stateFolder, start], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      let out = ''
      for await (const data of child.stdout) out += String(data)
      return out
    }),
  )
  expect(new Set(said).size).toBe(1)
  expect(said[0]).toMatch(/^[0-9a-f]{16}\n$/)
  expect(fs.readdirSync(dirname(keyFile(person().stateFolder)))).toEqual(['content.key'])
})

test.each(['writeSync', 'fsyncSync', 'linkSync', 'mkdirSync', 'openSync'] as const)(
  'a disk that fails in %s leaves no key and no half of one',
  (name) => {
    let failing = true
    const { [name]: working } = { ...fs }
    const real = working as (...args: unknown[]) => unknown
    const fail = (...args: unknown[]): unknown => {
      // Looking whether it is there is not writing it.
      if (!failing || (name === 'openSync' && typeof args[1] === 'number')) return real(...args)
      throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
    }
    const disk = { ...fs, [name]: fail }
    const refused = expect.objectContaining({ exit: 20, message: expect.stringContaining('no space left') as string })
    expect(() => openKeys(person(), { make: true, disk })).toThrow(refused)
    const folder = dirname(keyFile(person().stateFolder))
    expect(fs.existsSync(folder) ? fs.readdirSync(folder) : []).toEqual([])
    failing = false
    expect(openKeys(person(), { make: true, disk }).markOf('x')).toBe(openKeys(person(), make).markOf('x'))
  },
)

test('no new key is created if content is already sealed with the missing one', () => {
  const refused = expect.objectContaining({
    exit: 30,
    message: expect.stringContaining('the key to this run is missing') as string,
  })
  const found = () => Buffer.from(openKeys(person(), { make: false }).content.secret).toString('hex')
  expect(found).toThrow(refused)
  const secret = secretOf()
  expect(found()).toBe(secret)
  fs.rmSync(keyFile(person().stateFolder))
  expect(found).toThrow(refused)
  expect(fs.existsSync(keyFile(person().stateFolder))).toBe(false)
})
