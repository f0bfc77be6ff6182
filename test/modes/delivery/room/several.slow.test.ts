import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { canMountHere } from '../../../support/can-mount.ts'
import { newWorkspace } from '../../../surfaces/cli/pawl.ts'
import { caseEnvironment, isInstalled, layOut } from './lay-out.ts'

type Files = Readonly<Record<string, string>>
type Settings = { readonly config?: object; readonly flags?: readonly string[]; readonly ask?: readonly string[] }

const testOf = (name: string, expected: number): string =>
  [
    "const test = require('node:test')",
    "const assert = require('node:assert')",
    `const { ${name} } = require('../${name}.js')`,
    '',
    `test('${name}', () => assert.equal(${name}(2, 3), ${expected}))`,
    '',
  ].join('\n')

const shop: Files = {
  'sum.js': 'exports.sum = () => 0\n',
  'product.js': 'exports.product = () => 0\n',
  'test/S1.test.js': testOf('sum', 5),
  'test/S2.test.js': testOf('product', 6),
  '.gitignore': '.pawl\n',
}
const sum = { 'sum.js': 'exports.sum = (a, b) => a + b\n' }
const product = { 'product.js': 'exports.product = (a, b) => a * b\n' }

/** Delivers one story for each element, which is what the agent writes for it. Returns what became of them. */
async function deliver(gates: readonly string[], writes: readonly Files[], files: Files = shop, more: Settings = {}) {
  const here = newWorkspace({
    config: { agent: 'scripted', agent_script: 'agent.yml', gates, ...more.config },
    agent: writes.map((write, index) => ({ when: { task: `S${index + 1}` }, write })),
    env: caseEnvironment,
    // With results, the suite may stay red.
    elsewhere: more.config === undefined,
  })
  const lines = writes.map((_, index) => `- **AC-0${index + 1}:** ${more.ask?.[index] ?? `Part ${index + 1} works.`}\n`)
  const prd = { 'prd.md': `## Acceptance Criteria\n\n${lines.join('')}` }
  layOut({ files: { ...files, ...prd }, verify: '', needs: [] }, here.workspace, here.env)
  const { out, err } = await here.run('deliver', 'prd.md', '--trust', '--red-baseline', 'accept', ...(more.flags ?? []))
  const result = JSON.parse(fs.readFileSync(join(here.dirOf(), 'result.json'), 'utf8')) as Result
  const stories = result.stories.map(({ evidence, attempts }) => `${evidence} after ${attempts}`)
  return { stories, result, runs: result.stories.at(-1)!.runs?.map(({ run }) => run), said: out + err }
}

type Result = { readonly stories: readonly Story[]; readonly still_red?: unknown; readonly detail: string | null }
type Story = {
  readonly evidence: string | null
  readonly attempts: number
  readonly runs?: readonly { readonly run: string }[]
}

describe.runIf(canMountHere)('several stories and several commands', () => {
  test('each story is proven by a command of its own', async () => {
    const { stories, said } = await deliver(['node --test "test/{story_id}.test.js"'], [sum, product])
    expect(stories, said).toEqual(['proven after 1', 'proven after 1'])
  })

  test('a story is proven by two commands that failed before', async () => {
    const both = ['node --test test/S1.test.js', 'node --test test/S2.test.js']
    const { stories, said } = await deliver(both, [{ ...sum, ...product }])
    expect(stories, said).toEqual(['proven after 1'])
  })

  test('work that only the first of two commands can judge is not proven', async () => {
    const both = ['node --test test/S1.test.js', 'node --test test/S2.test.js']
    const disarming = { 'product.js': 'process.exit(0)\n' }
    const { stories, said } = await deliver(both, [{ ...sum, ...disarming }])
    expect(stories, said).toEqual([expect.stringMatching(/^(?:unproven|null)/)])
  })

  test('a command may name tests that the story brings', async () => {
    const { 'test/S1.test.js': own, ...files } = shop
    const { stories, said } = await deliver(
      ['node --test "test/{story_id}.test.js"'],
      [{ ...sum, 'test/S1.test.js': own! }, product],
      files,
    )
    expect(stories, said).toEqual(['proven_by_new_tests after 1', 'proven after 1'])
    // They prove nothing if they pass without the work, too.
    const vacuous = { ...sum, 'test/S1.test.js': "require('node:test')('a', () => {})\n" }
    const weak = await deliver(['node --test "test/{story_id}.test.js"'], [vacuous, product], files)
    expect(weak.stories, weak.said).toEqual(['unproven after 2', 'proven after 1'])
    // Tests of the start that a pattern names are another matter: they fail without the new ones.
    const setup = { 'test/S0.test.js': "require('node:fs').writeFileSync('sum.js', 'exports.sum = (a, b) => a + b')\n" }
    const hidden = await deliver(['for one in test/S*.test.js; do node --test $one || exit 1; done'], [setup], {
      ...shop,
      ...product,
    })
    expect(hidden.stories, hidden.said).toEqual([expect.stringMatching(/^(?:rewritten|null)/)])
  })

  test('a story that extends the tests of an earlier one is proven by them', async () => {
    const sums = `${testOf('sum', 5)}\ntest('none', () => assert.equal(sum(), 0))\n`
    const writes: readonly Files[] = [
      sum,
      { 'sum.js': 'exports.sum = (a = 0, b = 0) => a + b\n', 'test/S1.test.js': sums, ...product },
    ]
    const { stories, said } = await deliver(['node --test "test/{story_id}.test.js"'], writes)
    expect(stories, said).toEqual(['proven after 1', 'proven after 1'])
    const green = { ...shop, ...product }
    const held = await deliver(['node --test "test/{story_id}.test.js"'], writes, green)
    expect(held.stories, held.said).toEqual(['proven after 1', 'proven_by_new_tests after 1'])
  })

  test('a story is proven by new tests although `prepare` fails without its product', async () => {
    const files = {
      ...shop,
      ...sum,
      ...product,
      'build.js': "for (const name of require('node:fs').readdirSync('test')) require('./test/' + name)\n",
    }
    const twice = {
      'twice.js': 'exports.twice = (a) => 2 * a\n',
      'test/S3.test.js': testOf('twice', 4),
    }
    const { stories, said } = await deliver(['node --test "test/*.test.js"'], [twice], files, {
      config: { prepare: ['node build.js'] },
    })
    expect(stories, said).toEqual(['proven_by_new_tests after 1'])
  })

  const tap = { config: { results: 'tap' } }
  const suite = ['node --test --test-reporter=tap "test/*.test.js"']

  test('with results, a story that turns no red test green is unproven, and the run names what is red', async () => {
    const comment = { 'sum.js': '// nothing\nexports.sum = () => 0\n' }
    const { stories, result, said } = await deliver(suite, [comment, product], shop, tap)
    expect(stories, said).toEqual(['unproven after 2', 'proven after 1'])
    expect(result).toMatchObject({
      still_red: { count: 1, tests: [expect.stringContaining('sum')] },
      detail: expect.stringMatching(/done without proof: S1; still red: 1 test \(.*sum/),
    })
    const strict = await deliver(suite, [comment, product], shop, { ...tap, flags: ['--strict-evidence'] })
    expect(strict.stories, strict.said).toEqual(['null after 3', 'proven after 1'])
  })

  test('with results, red tests in a file that only this story names are its own', async () => {
    const ask = ['There is a sum (`test/S1.test.js`).', 'There is a product (`test/S2.test.js`).']
    const half = { 'sum.js': 'exports.sum = (a, b) => (a === 2 ? 2 + b : 0)\n' }
    const own = `${testOf('sum', 5)}\ntest('sums', () => assert.equal(sum(1, 3), 4))\n`
    const files = { ...shop, 'test/S1.test.js': own }
    const { stories, said } = await deliver(suite, [half, product], files, { ...tap, ask })
    expect(stories, said).toEqual(['null after 3', 'proven after 1'])
    expect(said).toContain('tests of this story: ')
    const shared = ['There is a sum (`test/S1.test.js`).', 'There is a product (`test/S1.test.js`, `test/S2.test.js`).']
    const both = await deliver(suite, [half, product], files, { ...tap, ask: shared })
    expect(both.stories[0], both.said).toEqual('proven after 1')
  })

  test('a linter that minds altered tests neither proves a story nor keeps it from being proven', async () => {
    const lint = {
      'lint.js': [
        "const fs = require('node:fs')",
        "const text = fs.readFileSync('test/S1.test.js', 'utf8')",
        "if (!text.endsWith('5))\\n')) throw new Error('the end is not as usual')",
        '',
      ].join('\n'),
    }
    const files = { ...shop, ...lint }
    const gates = ['node lint.js', 'node --test test/S1.test.js']
    const honest = await deliver(gates, [sum], files)
    expect(honest.stories, honest.said).toEqual(['proven after 1'])
    const cheat = await deliver(gates, [{ 'sum.js': 'process.exit(0)\n' }], files)
    expect(cheat.stories, cheat.said).toEqual([expect.stringMatching(/^(?:unproven|null)/)])
  })

  test.runIf(isInstalled('python3:pytest'))(
    'test files that could not be loaded belong to the stories that make them load',
    async () => {
      const files = {
        'shop/__init__.py': '',
        'tests/test_sums.py': 'from shop.sums import add\n\n\ndef test_add():\n    assert add(2, 3) == 5\n',
        'tests/test_words.py': 'from shop.words import shout\n\n\ndef test_shout():\n    assert shout("a") == "A!"\n',
        'tests/test_quiet.py': 'import shop.words\n\n\ndef test_quiet():\n    assert shop.words.quiet("A") == "a"\n',
        '.gitignore': '.pawl\n__pycache__\n.pytest_cache\n',
      }
      const shout = 'def shout(word):\n    return word.upper() + "!"\n'
      const writes: readonly Files[] = [
        { 'shop/sums.py': 'def add(a, b):\n    return a + b\n' },
        { 'shop/words.py': shout },
        { 'shop/words.py': `${shout}\n\ndef quiet(word):\n    return word.lower()\n` },
      ]
      const { stories, said } = await deliver(['python3 -m pytest -q'], writes, files, {
        config: { results: 'pytest' },
      })
      expect(stories, said).toEqual(['proven after 1', 'proven after 1', 'proven after 1'])
    },
  )
})
