import { chmodSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { canMountHere } from '../../../support/can-mount.ts'
import { newDelivery, oneStory } from './santiago.ts'

const [red, green] = ['exports.sum = (a, b) => a - b\n', 'exports.sum = (a, b) => a + b\n']
const testOf = (body: string): string =>
  `const test = require('node:test')\nconst assert = require('node:assert')\nconst { sum } = require('../sum.js')\n\n${body}\n`
const asks = testOf("test('adds', () => {\n  assert.equal(sum(2, 3), 5)\n  assert.equal(sum(7, 1), 8)\n})")
const manifest = (more: object = {}): string =>
  JSON.stringify({ name: 'sum', scripts: { test: 'node check.js && runner' }, ...more }, null, 2)
/** A runner in an ignored folder, as packages install them. */
const runner = '#!/bin/sh\nexec node --test test/*.test.js\n'

const project = {
  'package.json': manifest(),
  'sum.js': red,
  'check.js': "require('node:fs').accessSync('test/sum.test.js')\n",
  'test/sum.test.js': asks,
  '.gitignore': 'node_modules\n.cache\n',
}

type Does = { readonly write?: Record<string, string>; readonly delete?: readonly string[] }

async function evidenceOf(does: Does, files: Record<string, string> = project): Promise<string> {
  const delivery = newDelivery({
    prd: oneStory,
    files,
    agent: [{ when: { task: 'S1' }, ...does, write: { 'notes.md': 'x\n', ...does.write } }],
    input: {
      verification: { story_commands: ['npm test'], run_commands: [] },
      policy: { clean_room: true, tampering: 'warn' },
      limits: { story_max_attempts: 1, run_max_attempts: 2, story_timeout_minutes: 5, run_timeout_minutes: 10 },
    },
  })
  delivery.write({ 'node_modules/.bin/runner': runner })
  chmodSync(`${delivery.repo}/node_modules/.bin/runner`, 0o755)
  await delivery.plan()
  await delivery.execute()
  const [story] = delivery.result().stories
  return story!.evidence ?? story!.status
}

const passes = testOf("test('adds', () => {})")

/** Each makes `npm test` pass in the work tree without the work, and is `proven` there with `tampering: warn`. */
const cheats: Readonly<Record<string, Does>> = {
  'a test without assertions': { write: { 'test/sum.test.js': passes } },
  'an assertion that holds for the wrong product': {
    write: { 'test/sum.test.js': asks.replace('5', '-1').replace('8', '6') },
  },
  'a skipped test': { write: { 'test/sum.test.js': asks.replace("test('adds'", "test.skip('adds'") } },
  'a todo test': { write: { 'test/sum.test.js': asks.replace("test('adds'", "test.todo('adds'") } },
  'an empty test file': { write: { 'test/sum.test.js': '' } },
  'a test that exits': { write: { 'test/sum.test.js': `process.exit(0)\n${asks}` } },
  'another product in the test': {
    write: { 'test/sum.test.js': asks.replace("require('../sum.js')", "require('./sum.js')"), 'test/sum.js': green },
  },
  'a script that does nothing': { write: { 'package.json': manifest({ scripts: { test: 'true' } }) } },
  '|| true': { write: { 'package.json': manifest({ scripts: { test: 'node check.js && runner || true' } }) } },
  'a runner in node_modules': { write: { 'node_modules/.bin/runner': '#!/bin/sh\nexit 0\n' } },
  'a shell of npm': { write: { '.npmrc': 'script-shell=/bin/true\n' } },
  'tests that moved away': {
    write: {
      'package.json': manifest({ scripts: { test: 'node check.js && node --test elsewhere/a.test.js' } }),
      'elsewhere/a.test.js': passes.replace('../sum', '../sum'),
    },
  },
  'a deleted test and a check that does not miss it': { write: { 'check.js': '\n' }, delete: ['test/sum.test.js'] },
}

describe.runIf(canMountHere)('cheats in a clean room', () => {
  test.each(Object.entries(cheats))('%s is never proven', async (_name, does) => {
    expect(['proven', 'proven_by_new_tests']).not.toContain(await evidenceOf(does))
  })
})

const more = asks.replace("test('adds'", "test('adds three', () => assert.equal(sum(1, 2, 3), 6))\ntest('adds'")

/** Honest work, and what it shows. */
const honest: Readonly<Record<string, readonly [Does, string, Record<string, string>?]>> = {
  'a mended product': [{ write: { 'sum.js': green } }, 'proven'],
  'a mended product and one more test': [
    { write: { 'sum.js': green, 'test/zero.test.js': testOf("test('zero', () => assert.equal(sum(0, 0), 0))") } },
    'proven',
  ],
  'a new feature with a test': [
    { write: { 'sum.js': 'exports.sum = (...all) => all.reduce((a, b) => a + b, 0)\n', 'test/sum.test.js': more } },
    'proven_by_new_tests',
    { ...project, 'sum.js': green },
  ],
  'a dependency that is not used yet': [
    { write: { 'sum.js': green, 'package.json': manifest({ dependencies: { left: '1.0.0' } }) } },
    'proven',
  ],
  'a behaviour that changes': [
    { write: { 'sum.js': red, 'test/sum.test.js': asks.replace('5', '-1').replace('8', '6') } },
    'rewritten',
    { ...project, 'sum.js': green },
  ],
  'a refactoring': [
    { write: { 'sum.js': 'const add = (a, b) => a + b\nexports.sum = add\n' } },
    'held',
    { ...project, 'sum.js': green },
  ],
}

describe.runIf(canMountHere)('honest work in a clean room', () => {
  test.each(Object.entries(honest))('%s', async (_name, [does, evidence, files]) => {
    expect(await evidenceOf(does, files)).toBe(evidence)
  })
})
