import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { openArtifacts } from '../../../src/adapters/stores/files/artifacts.ts'
import type { Ref } from '../../../src/contract/values.ts'
import { keepRecent } from '../../../src/modes/refinement/work/recent-content.ts'

let dir: string
beforeEach(() => {
  dir = fs.mkdtempSync(join(tmpdir(), 'pawl-recent-'))
  return () => fs.rmSync(dir, { recursive: true })
})

/** What is kept, and of which pieces the files were read. */
function open() {
  const artifacts = openArtifacts(dir)
  const read: string[] = []
  const content = keepRecent({
    put: artifacts.put,
    get: (ref) => {
      read.push(nameOf(ref))
      return artifacts.get(ref)
    },
  })
  const put = async (name: string, text: string | Uint8Array): Promise<Ref> => (await content.put(name, text))!
  const textOf = async (ref: Ref) => Buffer.from(await content.get(ref)).toString()
  return { put, textOf, read }
}
const nameOf = ({ path }: Ref): string => path.slice(path.indexOf('-') + 1)

test('what was just put is not read from its file, and what was read is read once', async () => {
  const { put, textOf, read } = open()
  const ref = await put('draft.md', 'Grüße')
  expect(await textOf(ref)).toBe('Grüße')
  expect(read).toEqual([])
  const other = open()
  expect([await other.textOf(ref), await other.textOf(ref)]).toEqual(['Grüße', 'Grüße'])
  expect(other.read).toEqual(['draft.md'])
})

test('eight pieces stay at hand, those that were used last', async () => {
  const { put, textOf, read } = open()
  const plan = await put('plan', 'the plan')
  const drafts: Ref[] = []
  for (let number = 1; number <= 20; number++) {
    drafts.push(await put(`draft-${number}`, `text ${number}`))
    expect(await textOf(plan)).toBe('the plan')
  }
  expect(read).toEqual([])
  for (const [index, draft] of [...drafts.entries()].reverse()) expect(await textOf(draft)).toBe(`text ${index + 1}`)
  expect(read[0]).toBe('draft-13')
  expect(read).toHaveLength(13)
})

test('a piece that is larger than all that may stay at hand is read each time', async () => {
  const { put, textOf, read } = open()
  const small = await put('small', 'x')
  const large = await put('large', Buffer.alloc((1 << 20) + 1, 'y'))
  expect([(await textOf(large)).length, await textOf(small)]).toEqual([(1 << 20) + 1, 'x'])
  expect(read).toEqual(['large', 'small'])
})

test('what was read and is not what its Ref says is refused and not kept', async () => {
  const { put } = open()
  const ref = await put('draft.md', 'good')
  fs.writeFileSync(join(dir, ref.path), 'evil')
  const { textOf, read } = open()
  await expect(textOf(ref)).rejects.toThrow('does not match its hash in the journal')
  await expect(textOf(ref)).rejects.toThrow('does not match its hash in the journal')
  expect(read).toEqual(['draft.md', 'draft.md'])
})
