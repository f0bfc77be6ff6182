import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { canMountHere } from '../../../support/can-mount.ts'
import { newWorkspace } from '../../../surfaces/cli/pawl.ts'
import { caseEnvironment, layOut } from './lay-out.ts'

type Files = Readonly<Record<string, string>>

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
async function deliver(gates: readonly string[], writes: readonly Files[], files: Files = shop) {
  const here = newWorkspace({
    config: { agent: 'scripted', agent_script: 'agent.yml', gates },
    agent: writes.map((write, index) => ({ when: { task: `S${index + 1}` }, write })),
    env: caseEnvironment,
  })
  const lines = writes.map((_, index) => `- **AC-0${index + 1}:** Part ${index + 1} works.\n`)
  const prd = { 'prd.md': `## Acceptance Criteria\n\n${lines.join('')}` }
  layOut({ files: { ...files, ...prd }, verify: '', needs: [] }, here.workspace, here.env)
  const { out, err } = await here.run('deliver', 'prd.md', '--trust', '--red-baseline', 'accept')
  const result = JSON.parse(fs.readFileSync(join(here.dirOf(), 'result.json'), 'utf8')) as { stories: readonly Story[] }
  const stories = result.stories.map(({ evidence, attempts }) => `${evidence} after ${attempts}`)
  return { stories, runs: result.stories.at(-1)!.runs?.map(({ run }) => run), said: out + err }
}

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
})
