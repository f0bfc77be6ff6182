import { createHash, randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { openArtifacts } from '../../src/adapters/stores/files/artifacts.ts'
import { realDisk } from '../../src/adapters/stores/files/disk.ts'
import { createMemoryArtifacts } from '../../src/adapters/stores/memory/artifacts.ts'
import type { Ref } from '../../src/contract/values.ts'
import type { SealingKey } from '../../src/ports/keys.ts'
import { refuseToAdopt, sealContent } from '../../src/run/sealed-content.ts'

let dir: string
beforeEach(() => {
  dir = fs.mkdtempSync(join(tmpdir(), 'pawl-sealed-'))
  return () => fs.rmSync(dir, { recursive: true })
})

const newKey = (): SealingKey => ({ secret: randomBytes(32), restore: 'Set PAWL_KEY or restore the file' })
const key = newKey()
const open = (run = 'r1', by = key) => sealContent(openArtifacts(dir), { run, key: by })
const textOf = async (ref: Ref, run?: string, by?: SealingKey) => Buffer.from(await open(run, by).get(ref)).toString()

/** Whoever can write the folder can also write what the hash of a file is. */
function write(path: string, bytes: Uint8Array): Ref {
  fs.writeFileSync(join(dir, path), bytes)
  return { path, sha256: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.length }
}
const bytesOf = (ref: Ref) => fs.readFileSync(join(dir, ref.path))

test('content of every size comes back as it was put, from another process too', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 3000 }), fc.string(), async (bytes, name) => {
      const ref = await open().put(name, bytes)
      expect(Buffer.compare(await open().get(ref), bytes)).toBe(0)
    }),
    { numRuns: 200 },
  )
  const large = randomBytes(5_000_000)
  expect(Buffer.compare(await open().get(await open().put('large', large)), large)).toBe(0)
  expect(await textOf(await open().put('empty', ''))).toBe('')
})

test('a Ref is of what lies on disk, so whether it is whole can be told without the key', async () => {
  const ref = await open().put('answer.md', 'Grüße')
  expect(ref).toEqual(write(ref.path, bytesOf(ref)))
  expect(openArtifacts(dir).has(ref)).toBe(true)
  fs.truncateSync(join(dir, ref.path), 20)
  expect(openArtifacts(dir).has(ref)).toBe(false)
})

test('the same content twice is not seen to be the same', async () => {
  const [one, two] = [await open().put('a', 'the same'), await open().put('a', 'the same')]
  expect(one.sha256).not.toBe(two.sha256)
})

test('each byte flipped is refused, with the hash of then and with one that fits', async () => {
  const ref = await open().put('answer.md', 'a secret of nine words that nobody may change')
  const good = bytesOf(ref)
  for (let at = 0; at < good.length; at++) {
    const bad = Buffer.from(good)
    bad[at]! ^= 1 << (at % 8)
    const fitting = write(ref.path, bad)
    await expect(open().get(ref), `byte ${at}`).rejects.toThrow('does not match its hash in the journal')
    await expect(open().get(fitting), `byte ${at}`).rejects.toThrow(
      /is damaged|is not in the encrypted format|encrypted with another key/,
    )
  }
})

test('each shorter length is refused', async () => {
  const ref = await open().put('answer.md', 'short')
  const good = bytesOf(ref)
  for (let length = 0; length < good.length; length++) {
    const fitting = write(ref.path, good.subarray(0, length))
    await expect(open().get(fitting), `${length} bytes`).rejects.toThrow(
      /is damaged|is not in the encrypted format|is truncated/,
    )
  }
})

test('what was sealed for another run or under another name is refused', async () => {
  const ref = await open('r1').put('answer.md', 'of r1')
  const refusal = { message: expect.stringContaining('another run or under another name') as string, exit: 30 }
  await expect(open('r2').get(ref)).rejects.toMatchObject(refusal)
  const renamed = write(ref.path.replace('answer', 'rubric'), bytesOf(ref))
  await expect(open('r1').get(renamed)).rejects.toMatchObject(refusal)
})

test('content that is gone is told so, with what to do', async () => {
  const ref = await open().put('answer.md', 'text')
  fs.rmSync(join(dir, ref.path))
  const gone = { message: `${ref.path} is missing`, hint: 'Restore it from a backup, or start a new run.', exit: 30 }
  await expect(open().get(ref)).rejects.toMatchObject(gone)
})

test('sealed with a key of then it is read today: the format stays as it is', async () => {
  const then = { secret: Buffer.alloc(32, 7), restore: '' }
  const sealed = 'UEFXTAGmjAU7AObPcJIsbUAelaQcx02dWb1qZAMDrupOhb5Z9vd0P7ePqF4IKUFe'
  fs.mkdirSync(join(dir, 'artifacts'))
  const ref = write('artifacts/8ee2ecf6e7769fe5-answer.md', Buffer.from(sealed, 'base64'))
  expect(await textOf(ref, 'r1', then)).toBe('of then')
})

test('every store can be sealed, and knows only what is sealed', async () => {
  const store = createMemoryArtifacts()
  const sealed = sealContent(store, { run: 'r1', key })
  const ref = await sealed.put('../my answer.md', 'Grüße')
  expect(Buffer.from(await sealed.get(ref)).toString()).toBe('Grüße')
  expect(Buffer.from(await store.get(ref)).toString('latin1')).not.toContain('Gr')
  await expect(sealed.get({ ...ref, path: `${ref.path}x` })).rejects.toMatchObject({
    message: `${ref.path}x is missing`,
  })
})

test('another key is told from damage, with what to do', async () => {
  const ref = await open().put('answer.md', 'text')
  await expect(textOf(ref, 'r1', newKey())).rejects.toMatchObject({
    message: `${ref.path} was encrypted with another key`,
    hint: key.restore,
    exit: 30,
  })
})

test('plain content is refused, and none is taken from elsewhere', async () => {
  const plain = await openArtifacts(dir).put('plain.md', 'long enough to hold a header, a nonce and a tag')
  await expect(open().get(plain)).rejects.toThrow('is not in the encrypted format')
  await expect(refuseToAdopt(join(dir, plain.path))).rejects.toThrow('is plain text and cannot be stored')
})

test('nothing of the content is found in the folder, in whatever spelling', async () => {
  const marker = 'Zebra-Quartz-4711'
  const longer = `${'before '.repeat(50)}${marker}${' after'.repeat(50)}`
  for (const text of [marker, longer, ` ${marker}`, `  ${marker}`]) await open().put('note.md', text)
  const all = fs
    .readdirSync(dir, { recursive: true, withFileTypes: true })
    .map(
      (entry) =>
        `${entry.name}\n${entry.isFile() ? fs.readFileSync(join(entry.parentPath, entry.name), 'latin1') : ''}`,
    )
    .join('\n')
  expect(all.length).toBeGreaterThan(700)
  const inBase64 = [0, 1, 2].map((shift) =>
    Buffer.from(' '.repeat(shift) + marker)
      .toString('base64')
      .slice(4, -4),
  )
  for (const spelling of [marker, Buffer.from(marker).toString('hex'), ...inBase64]) expect(all).not.toContain(spelling)
})

test('a full disk is told as not saved, and what was there before stays readable', async () => {
  const before = await open().put('a', 'kept')
  const full = { ...realDisk, writeSync: (() => raise('ENOSPC')) as typeof fs.writeSync }
  const sealed = sealContent(openArtifacts(dir, full), { run: 'r1', key })
  await expect(sealed.put('b', 'lost')).rejects.toMatchObject({ name: 'NotSavedError' })
  expect(await textOf(before)).toBe('kept')
})

function raise(code: string): never {
  throw Object.assign(new Error(code), { code })
}
