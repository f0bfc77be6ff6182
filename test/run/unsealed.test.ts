import { expect, test } from 'vitest'
import { openMemoryStore } from '../../src/adapters/stores/memory/store.ts'
import { PawlError } from '../../src/contract/exit.ts'
import { unsealContent } from '../../src/run/open-run.ts'

const keyless = {
  keys: (): never => {
    throw new PawlError(30, 'there is no key')
  },
}
const entry = { id: 'r1', mode: 'any', name: 'any', workspace: '/w', created: '2026-01-01T00:00:00.000Z' }
const newContent = async () =>
  (await openMemoryStore().create({ entry, listed: true, freeze: async () => ({ request: '{}' }) })).content

test('content that is not sealed needs no key', async () => {
  const content = unsealContent(await newContent(), 'r1', undefined, keyless)
  const ref = await content.put('a.txt', 'plain')
  expect(new TextDecoder().decode(await content.get(ref))).toBe('plain')
})

test('sealed content asks for the key when it is first needed, and not before', async () => {
  const inner = await newContent()
  const proof = await inner.put('proof', 'x')
  const content = unsealContent(inner, 'r1', proof, keyless)
  await expect(content.put('a.txt', 'words')).rejects.toThrow('there is no key')
  await expect(content.get(proof)).rejects.toThrow('there is no key')
})
