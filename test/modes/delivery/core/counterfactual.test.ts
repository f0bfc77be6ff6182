import { expect, test } from 'vitest'
import { hasRole, mergeManifest, type Ran, weighRuns } from '../../../../src/modes/delivery/core/counterfactual.ts'

type Row = readonly [
  before: Ran,
  touched: boolean,
  named: boolean,
  oldTests: Ran,
  oldProduct: Ran,
  shows: string,
  runs: number,
]

test.each<Row>([
  // Without changed tests or settings nothing else has to run.
  ['red', false, true, 'red', 'red', 'proven', 0],
  ['green', false, true, 'red', 'red', 'held', 0],
  // The old tests are satisfied too.
  ['red', true, false, 'green', 'red', 'proven', 1],
  ['green', true, false, 'green', 'red', 'proven_by_new_tests', 2],
  ['green', true, false, 'green', 'green', 'held', 2],
  // They are not: the story must name the files, or a person should look.
  ['red', true, false, 'red', 'green', 'refused', 2],
  ['red', true, true, 'red', 'green', 'refused', 2],
  ['red', true, false, 'red', 'red', 'rewritten', 2],
  ['red', true, true, 'red', 'red', 'proven_by_new_tests', 2],
  ['green', true, false, 'red', 'red', 'rewritten', 2],
  ['green', true, true, 'red', 'red', 'proven_by_new_tests', 2],
  ['green', true, true, 'red', 'green', 'held', 2],
])('before %s, touched %s, named %s, old tests %s, old product %s: %s', async (...row) => {
  const [before, touched, named, oldTests, oldProduct, shows, runs] = row
  let made = 0
  const run = (ran: Ran) => async (): Promise<Ran> => {
    made++
    return ran
  }
  expect(await weighRuns({ before, touched, named, oldTests: run(oldTests), oldProduct: run(oldProduct) })).toBe(shows)
  expect(made).toBe(runs)
})

test('files that decide verification are known by their paths', () => {
  for (const path of [
    'test/a.test.js',
    'jest.config.js',
    'package.json',
    '.mocharc.yml',
    'Makefile',
    '.github/workflows/ci.yml',
    'conftest.py',
  ])
    expect([path, hasRole(path)]).toEqual([path, true])
  for (const path of ['src/a.js', 'README.md', '.gitignore', 'lib/index.ts'])
    expect([path, hasRole(path)]).toEqual([path, false])
})

test('a manifest has the dependencies of its product and the scripts of its checks', () => {
  const before = { name: 'a', scripts: { test: 'jest' }, dependencies: { x: '1' }, jest: { bail: 1 } }
  const after = { name: 'a', scripts: { test: 'true' }, dependencies: { x: '1', y: '2' }, mocha: {} }
  const merged = mergeManifest(JSON.stringify(before), JSON.stringify(after))!
  expect(JSON.parse(merged)).toEqual({ ...before, dependencies: after.dependencies })
  for (const odd of ['', '[]', 'null', '{']) expect(mergeManifest(odd, JSON.stringify(after))).toBeUndefined()
})
