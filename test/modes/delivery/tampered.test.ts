import { expect, test } from 'vitest'
import type { Story } from '../../../src/modes/delivery/contract/plan.ts'
import { findAttemptTampering } from '../../../src/modes/delivery/work/check-tampering.ts'
import type { ChangedFile } from '../../../src/ports/repository.ts'

const story: Story = {
  id: 'S1',
  title: 'one',
  depends_on: [],
  acceptance_criteria: [],
  file_focus: [],
  verification: ['npx vitest run'],
  source: { kind: 'criterion', id: null, line: 1, end_line: 1 },
  sha256: '0'.repeat(64),
}
const test1 = "test('adds', () => {\n  expect(1 + 2).toBe(3)\n})\n"

/** Trees of files, the second of which is what an attempt made of the first. */
async function foundIn(before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>) {
  const trees: Readonly<Record<string, Readonly<Record<string, string>>>> = { before, after }
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
  const files = paths.flatMap((path): ChangedFile[] => {
    if (before[path] === after[path]) return []
    const status = before[path] === undefined ? 'added' : after[path] === undefined ? 'deleted' : 'modified'
    return [{ path, status, added: 1, deleted: 1 }]
  })
  const snapshots = {
    difference: async () => ({ files, total: files.length, patch: '', truncated: false }),
    read: async (tree: string, path: string) => trees[tree]![path],
  }
  const tools = { snapshots, watch: async () => ({}) } as unknown as Parameters<typeof findAttemptTampering>[0]['tools']
  const found = await findAttemptTampering({ base: 'before', tree: 'after', watched: {}, story, tools })
  return found.map(({ kind, path }) => `${kind} ${path}`)
}

const heap = (count: number, name: (index: number) => string): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      name(index),
      `test('is ${index}', () => {\n  expect(now()).toBe(${index})\n})\n`,
    ]),
  )

test('no heap of new tests hides one that was weakened', async () => {
  const after = { ...heap(2000, (index) => `test/a${index}.test.js`), 'test/sum.test.js': "test('adds', () => {})\n" }
  expect(await foundIn({ 'test/sum.test.js': test1 }, after)).toEqual(['test-weakened test/sum.test.js'])
})

test('no heap of new tests hides a new setting of the runner', async () => {
  const settings = 'export default { test: { passWithNoTests: true } }\n'
  const after = { ...heap(2000, (index) => `test/a${index}.test.js`), 'vitest.config.js': settings }
  expect(await foundIn({}, after)).toEqual(['config-changed vitest.config.js'])
})

test('more new settings than are read are named, not passed over', async () => {
  const after = heap(600, (index) => `p${index}/vitest.config.js`)
  expect((await foundIn({}, after)).filter((one) => one.startsWith('config-changed p'))).not.toEqual([])
})
