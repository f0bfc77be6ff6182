import { expect, test } from 'vitest'
import { readTestIds } from '../../../../src/modes/delivery/core/evidence/test-ids.ts'
import { controlTests } from '../../../../src/modes/delivery/work/control.ts'
import type { Controlled } from '../../../../src/modes/delivery/work/weighing.ts'
import type { Snapshots, Tree } from '../../../../src/ports/snapshots.ts'

const path = 'sum.test.js'
const source = `import test from 'node:test'
test('sums', () => {
  assert.equal(sum(1, 2), 3)
  assert.equal(sum(2, 2), 4)
  assert.equal(sum(3, 2), 5)
})
test('sums nothing', () => {
  assert.equal(sum(), 0)
})
`

/** Trees are the text of the one test. The commands pass if each of its assertions is one of those above. */
async function control(ms: number) {
  const runs: string[] = []
  const snapshots = {
    list: async () => [path],
    readAll: async (tree: Tree) => new Map([[path, tree]]),
    combine: async (_one: Tree, _other: Tree, _paths: readonly string[], texts: Readonly<Record<string, string>>) =>
      texts[path]!,
  } as unknown as Snapshots
  const results = (tree: string) => {
    const known = new Set(source.split('\n'))
    const asserts = (part: string): boolean =>
      part.split('\n').every((line) => !line.includes('assert') || known.has(line))
    const [sums = '', nothing = ''] = tree.split("test('sums nothing'")
    return `TAP version 13\n${asserts(sums) ? 'ok' : 'not ok'} 1 - sums\n${asserts(nothing) ? 'ok' : 'not ok'} 2 - sums nothing\n1..2\n`
  }
  const red = readTestIds('TAP version 13\nnot ok 1 - sums\nnot ok 2 - sums nothing\n1..2\n')
  const controlled: Controlled = {
    base: source,
    tree: source,
    proof: source,
    before: { red: true, ids: red },
    now: { red: false, ids: readTestIds(results(source)) },
    isStillRed: false,
    ms,
    said: path,
    touched: [],
    named: false,
    tests: [],
    commands: ['npm test'],
    files: [],
    only: 'npm test',
    note: (_name, running) => running,
    run: async (name, tree) => {
      runs.push(name)
      const said = results(tree)
      return { red: said.includes('not ok'), ids: readTestIds(said), said }
    },
  }
  return { answer: await controlTests(snapshots, controlled), runs }
}

test('quick commands run once for each assertion and each test that is left alone, between two runs with a comment', async () => {
  const answers = await Promise.all(Array.from({ length: 40 }, () => control(100)))
  expect(new Set(answers.map(({ answer }) => answer))).toEqual(new Set(['noticed']))
  const orders = answers.map(({ runs }) => runs.join(' '))
  // In the first run either of the two tests is left alone. If it is the long one, it takes a run more.
  const run = (count: number): string => `commented ${'altered-values '.repeat(count)}commented`
  expect(new Set(orders)).toEqual(new Set([run(3), run(4)]))
})

test('slow commands run twice: once with altered values, and once with a comment, before it or after it', async () => {
  const answers = await Promise.all(Array.from({ length: 40 }, () => control(60_000)))
  expect(new Set(answers.map(({ answer }) => answer))).toEqual(new Set(['partly']))
  const orders = new Set(answers.map(({ runs }) => runs.join(', ')))
  expect(orders).toEqual(new Set(['commented, altered-values', 'altered-values, commented']))
})
