import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pausedRun } from './paused.ts'

const another = 'ab'.repeat(32)
const filesIn = (folder: string): string[] => fs.readdirSync(folder, { recursive: true }).map(String).sort()
const keyPathIn = (root: string): string => join(root, '.local', 'state', 'pawl', 'keys', 'content.key')

test('with another key a run is told nothing and nothing is done with it; with its own it goes on', async () => {
  const { env, run, dirOf, runs } = await pausedRun('Say hello', [{ score: 75 }, { score: 75 }, { score: 85 }])
  const before = filesIn(dirOf())
  env.PAWL_KEY = another
  for (const words of [
    ['answer', 'refine', '--text', 'Shorter'],
    ['feedback', 'refine', 'Shorter'],
    ['resume', 'refine'],
    ['fork', 'refine', '--feedback', 'Shorter'],
    ['show', 'refine', '--text'],
  ]) {
    const { code, err } = await run(...words)
    expect([words[0], code, err]).toEqual([words[0], 30, expect.stringContaining('was sealed with another key')])
  }
  expect(filesIn(dirOf())).toEqual(before)
  expect(runs()).toHaveLength(1)
  delete env.PAWL_KEY
  expect((await run('answer', 'refine', '--text', 'Shorter')).code).toBe(0)
  expect((await run('resume', 'refine')).code).toBe(0)
})

test('whatever needs no words needs no key, and no new one is made', async () => {
  const { root, run, runs } = await pausedRun('Say hello', [{ score: 75 }])
  fs.rmSync(keyPathIn(root))
  expect((await run('resume', 'refine')).err).toMatch(/content\.key is gone, and with it the key to this run/)
  for (const word of ['show', 'logs', 'why', 'ls', 'fsck']) {
    const { code, err } = await run(word)
    expect([word, code, err]).toEqual([word, 0, ''])
  }
  expect(await run('stop', 'refine')).toMatchObject({ code: 0, out: expect.stringContaining('is cancelled') as string })
  expect((await run('clean', '--keep', '0', '--yes')).code).toBe(0)
  expect(runs()).toEqual([])
  expect(fs.existsSync(keyPathIn(root))).toBe(false)
})
