import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newWorkspace } from './pawl.ts'

test('an agent that is not installed is refused, with the way to get it', async () => {
  const { root, env, run } = newWorkspace()
  env.PATH = join(root, 'nothing-here')
  const { code, err } = await run('demo', '--agent', 'claude')
  expect(code).toBe(10)
  expect(err).toContain('claude is not installed')
  expect(err).toContain('npm install')
})

test('an agent that nobody knows is refused, with the nearest one', async () => {
  const { run } = newWorkspace()
  const { code, err } = await run('demo', '--agent', 'clade')
  expect(code).toBe(2)
  expect(err).toContain('Did you mean claude?')
})

test('a folder with something in it is not played in', async () => {
  const { workspace, run } = newWorkspace()
  const before = fs.readdirSync(workspace)
  const { code, err } = await run('demo', '--keep', workspace)
  expect(code).toBe(2)
  expect(err).toContain('is not empty')
  expect(fs.readdirSync(workspace)).toEqual(before)
})

test('without git it says so', async () => {
  const { root, env, run } = newWorkspace()
  env.PATH = join(root, 'nothing-here')
  const { code, err } = await run('demo')
  expect(code).toBe(10)
  expect(err).toContain('needs git')
})
