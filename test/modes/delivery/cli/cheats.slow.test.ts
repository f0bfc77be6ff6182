import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { deliver, newDelivery, oneStory } from './santiago.ts'

const project = {
  'package.json': JSON.stringify({ name: 'sum', scripts: { test: 'node --test', lint: 'eslint .' } }, null, 2),
  'sum.test.js':
    "const test = require('node:test')\nconst assert = require('node:assert')\n\ntest('adds', () => {\n  assert.equal(1 + 2, 3)\n})\n",
  'other.test.js': "const test = require('node:test')\ntest('other', () => {})\n",
  '.github/workflows/ci.yml':
    'on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - run: npm test\n',
  'eslint.config.js': "module.exports = [{ rules: { eqeqeq: 'error' } }]\n",
  'vitest.config.js': "module.exports = { test: { include: ['**/*.test.js'] } }\n",
  '.gitignore': 'node_modules\n',
}
/** Proves the story by a file, and runs checks that are green whatever the cheat does: only its being named is at stake. */
const verification = {
  story_commands: ['test -s S1', 'npm test >/dev/null || true', 'npm run lint >/dev/null || true'],
  run_commands: [],
}
const attempt = (does: object) => [
  { when: { task: 'S1' }, ...does, write: { S1: 'x', ...(does as { write?: object }).write } },
]
const weaker = project['sum.test.js'].replace('assert.equal(1 + 2, 3)', 'assert.ok(true)')
const skipped = project['sum.test.js'].replace("test('adds'", "test.skip('adds'")
const scripts = (test: string) => JSON.stringify({ name: 'sum', scripts: { test, lint: 'eslint .' } }, null, 2)

const cheats = [
  ['a skipped test', 'test-skipped', 'sum.test.js', { write: { 'sum.test.js': skipped } }],
  ['a deleted test', 'test-deleted', 'other.test.js', { delete: ['other.test.js'] }],
  ['a weakened test', 'test-changed', 'sum.test.js', { write: { 'sum.test.js': weaker } }],
  ['|| true', 'script-changed', 'package.json', { write: { 'package.json': scripts('node --test || true') } }],
  [
    'edited CI',
    'ci-changed',
    '.github/workflows/ci.yml',
    { write: { '.github/workflows/ci.yml': 'on: push\njobs: {}\n' } },
  ],
  [
    'an edited config',
    'config-changed',
    'vitest.config.js',
    { write: { 'vitest.config.js': "module.exports = { test: { include: ['none'] } }\n" } },
  ],
  [
    'changed lint rules',
    'config-changed',
    'eslint.config.js',
    { write: { 'eslint.config.js': 'module.exports = []\n' } },
  ],
] as const

describe('ten cheats are named in result.json, whatever the commands say', () => {
  test.each(cheats)('%s', async (_, kind, path, does) => {
    const { code, result, read } = await deliver({
      prd: oneStory,
      files: project,
      agent: attempt(does),
      input: { verification },
    })
    expect(code).toBe(0)
    expect(result().stories[0]!.tampering).toEqual([expect.objectContaining({ kind, path, attempt: 1 })])
    expect(read('attempts/S1-attempt-1.md')).toContain(kind)
  })

  test('a replaced runner', async () => {
    const delivery = newDelivery({
      prd: oneStory,
      files: project,
      agent: attempt({ write: { 'node_modules/.bin/eslint': '#!/bin/sh\nexit 0\n' } }),
      input: { verification },
    })
    delivery.write({ 'node_modules/.bin/eslint': '#!/bin/sh\nexit 1\n' })
    await delivery.plan()
    await delivery.execute()
    expect(delivery.result().stories[0]!.tampering).toEqual([
      expect.objectContaining({ kind: 'runner-replaced', path: 'node_modules/.bin/eslint' }),
    ])
  })

  test('a planted hook', async () => {
    const { result } = await deliver({
      prd: oneStory,
      files: project,
      agent: attempt({ write: { '.git/hooks/pre-commit': '#!/bin/sh\n' } }),
      input: { verification },
    })
    expect(result().stories[0]!.tampering).toEqual([
      expect.objectContaining({ kind: 'hook-planted', path: '.git/hooks/pre-commit' }),
    ])
  })

  test('a faked result file', async () => {
    const delivery = newDelivery({
      prd: oneStory,
      input: { verification: { story_commands: ['test -s {story_id}'], run_commands: [] } },
    })
    await delivery.plan()
    const lie = `printf '{"status":"success"}' > ${join(delivery.out, 'result.json')}`
    expect((await delivery.execute('--ai-cmd', `sh -c "${lie.replaceAll('"', '\\"')}"`)).code).toBe(30)
    expect(delivery.result().status).toBe('failed')
    expect(delivery.result().stories[0]!.tampering).toContainEqual(expect.objectContaining({ kind: 'result-faked' }))
  })
})

describe('tampering that is blocked', () => {
  const policy = (tampering: string) => ({ verification, policy: { tampering } })

  test('fails the attempt, puts the files back and tells the next attempt; the honest one passes', async () => {
    const agent = [
      {
        when: { task: 'S1', attempt: 1 },
        write: { 'sum.test.js': skipped, 'kept.txt': 'work\n' },
        delete: ['other.test.js'],
      },
      { when: { task: 'S1' }, echo_prompt: true, write: { S1: 'x' } },
    ]
    const { code, result, read, repo } = await deliver({ prd: oneStory, files: project, agent, input: policy('block') })
    expect([code, result().stories[0]!.attempts]).toEqual([0, 2])
    expect(fs.readFileSync(join(repo, 'sum.test.js'), 'utf8')).toBe(project['sum.test.js'])
    expect(fs.existsSync(join(repo, 'other.test.js'))).toBe(true)
    expect(fs.readFileSync(join(repo, 'kept.txt'), 'utf8')).toBe('work\n')
    for (const part of ['sum.test.js (test-skipped)', 'other.test.js (test-deleted)', 'restored'])
      expect(read('attempts/S1-attempt-2-agent.log')).toContain(part)
  })

  test('is no answer to what the story itself names', async () => {
    const prd = `${oneStory.trimEnd()} Change \`vitest.config.js\` for it.\n`
    const agent = attempt({ write: { 'vitest.config.js': 'module.exports = { test: { globals: true } }\n' } })
    const { code, result } = await deliver({ prd, files: project, agent, input: policy('block') })
    expect([code, result().stories[0]!.tampering]).toEqual([
      0,
      [expect.objectContaining({ kind: 'config-changed', expected: true })],
    ])
  })
})

describe('tampering that is asked about', () => {
  const agent = attempt({ write: { 'sum.test.js': skipped } })
  const input = { verification, policy: { tampering: 'ask' } }

  test('leaves the run waiting with exit 10; accepted, the story is done', async () => {
    const asked = await deliver({ prd: oneStory, files: project, agent, input })
    expect([asked.code, asked.result().status, asked.result().next_action]).toEqual([10, 'blocked', 'unblock'])
    expect((await asked.start('answer', asked.out, 'accept')).code).toBe(0)
    expect((await asked.execute()).code).toBe(0)
    expect(asked.result().stories[0]).toMatchObject({ status: 'done', attempts: 1 })
  })

  test('rejected, the files are put back and it is tried again', async () => {
    const asked = await deliver({ prd: oneStory, files: project, agent, input })
    expect((await asked.start('answer', asked.out, 'reject')).code).toBe(0)
    asked.teach([{ when: { task: 'S1' }, write: { S1: 'honest' } }])
    expect((await asked.execute()).code).toBe(0)
    expect(fs.readFileSync(join(asked.repo, 'sum.test.js'), 'utf8')).toBe(project['sum.test.js'])
    expect(asked.result().stories[0]).toMatchObject({ status: 'done', attempts: 2 })
  })
})
