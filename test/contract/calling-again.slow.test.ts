import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { DeliveryResult } from '../../src/modes/delivery/contract/result.ts'
import { readJson } from './out-dirs/check.ts'
import { play } from './out-dirs/scenes.ts'

async function played(name: 'success' | 'interrupted') {
  const scene = await play(name)
  onTestFinished(scene.close)
  const result = (): DeliveryResult => readJson(join(scene.outDir, 'result.json')) as DeliveryResult
  const git = (...words: string[]): unknown => execFileSync('git', words, { cwd: scene.repo, stdio: 'pipe' })
  return { ...scene, result, git }
}

test('after success the result is the same, whatever the repository looks like by then', async () => {
  const { execute, result, git } = await played('success')
  const before = result()
  git('switch', '--quiet', '-c', 'elsewhere')
  git('rm', '--quiet', '-f', 'prd.md')
  expect(await execute().ended).toMatchObject({ exit: 0 })
  expect(result()).toEqual(before)
})

test('a run that may not go on now keeps its stories in the result', async () => {
  const { execute, result, git } = await played('interrupted')
  const before = result()
  git('switch', '--quiet', '-c', 'elsewhere')
  expect(await execute().ended).toMatchObject({ exit: 10 })
  expect(result()).toMatchObject({ status: 'blocked', reason: 'blocked_dependency', next_action: 'unblock' })
  expect(result()).toMatchObject({ stories: before.stories, summary: before.summary, seq: before.seq })
})
