import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openClone } from '../../../../src/adapters/git/snapshots/clone.ts'
import { capture } from '../../../../src/adapters/shell/capture.ts'
import type { Clone, VerifiedTree } from '../../../../src/ports/snapshots.ts'
import { newRepository } from './scratch.ts'

const person = { name: 'Ada', email: 'ada@example.com' }

/** A repository that others clone, and its clones, each as a worker makes it. */
function newOrigin() {
  const origin = newRepository()
  const commit = origin.git('rev-parse', 'HEAD')
  let made = 0
  const clone = (more: Partial<Parameters<typeof openClone>[0]> = {}): Promise<Clone> => {
    const folder = join(origin.folder, '..', `clone-${++made}`)
    mkdirSync(folder)
    const source = { url: origin.folder, commit, branch: 'main', ...more }
    return openClone(source, { run: 'run-1', folder, env: origin.env, capture })
  }
  const pushed = (ref: string): string => origin.git('for-each-ref', '--format=%(refname)', ref)
  return { ...origin, commit, clone, pushed }
}

/** Does the work of a story, up to the moment when the journal names its tree. */
async function workOn(clone: Clone, story: string): Promise<VerifiedTree> {
  const snapshots = await clone.openSnapshots([])
  const from = await snapshots.take()
  writeFileSync(join(clone.workspace, `${story}.txt`), story)
  const to = await snapshots.take()
  await snapshots.sync(from, to)
  return { key: `run-1/${story}`, from, to, subject: story, body: '' }
}

test('the next clone has the work that the journal names, and commits it once', async () => {
  const { clone, git, pushed } = newOrigin()
  const first = await clone()
  const kept = await workOn(first, 'S1')
  const second = await clone()
  const [mine, theirs] = [await second.openSnapshots([]), await first.openSnapshots([])]
  expect(readFileSync(join(second.workspace, 'S1.txt'), 'utf8')).toBe('S1')
  expect(await mine.take()).toBe(kept.to)
  const id = await mine.commit(kept, person)
  expect(git('rev-parse', 'refs/heads/pawl/run-1')).toBe(id)
  // In the same second it is the same commit; later it is another one, which cannot be pushed.
  await Promise.allSettled([theirs.commit(kept, person)])
  expect(git('rev-parse', 'refs/heads/pawl/run-1')).toBe(id)
  const third = await clone()
  expect(await (await third.openSnapshots([])).commit(kept, person)).toBe(id)
  expect(
    git('log', '--format=%s', 'pawl/run-1')
      .split('\n')
      .filter((line) => line === 'S1'),
  ).toHaveLength(1)
  await third.remove({ forGood: true })
  expect(existsSync(third.workspace)).toBe(false)
  expect(pushed('refs/pawl/run-1/work')).toBe('')
})

test('a clone that is out of date saves nothing', async () => {
  const { clone, git } = newOrigin()
  const [old, young] = [await clone(), await clone()]
  await workOn(young, 'S1')
  const saved = git('rev-parse', 'refs/pawl/run-1/work')
  await expect(workOn(old, 'S2')).rejects.toThrow(/git push .* failed/)
  expect(git('rev-parse', 'refs/pawl/run-1/work')).toBe(saved)
})

test('files that were restored stay restored, and abandoned work is pushed', async () => {
  const { clone, files, git } = newOrigin()
  const first = await clone()
  const { from, to } = await workOn(first, 'S1')
  const snapshots = await first.openSnapshots([])
  await snapshots.keep({ key: 'run-1/S1-abandoned-1', from, to, subject: 'S1', body: '' })
  await snapshots.restore(from, ['S1.txt'])
  const second = await clone()
  expect(existsSync(join(second.workspace, 'S1.txt'))).toBe(false)
  expect(files(git('rev-parse', 'refs/pawl/run-1/S1-abandoned-1'))).toContain('S1.txt')
})

test('nothing that an agent writes into the clone is started, or decides where it is pushed to', async () => {
  const { clone, folder, git } = newOrigin()
  const one = await clone()
  const config = join(one.workspace, '.git', 'config')
  const mark = join(folder, '..', 'started')
  const program = join(one.workspace, 'evil.sh')
  writeFileSync(program, `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 })
  mkdirSync(join(one.workspace, '.git', 'hooks'), { recursive: true })
  writeFileSync(join(one.workspace, '.git', 'hooks', 'pre-push'), `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 })
  writeFileSync(
    config,
    `${readFileSync(config, 'utf8')}
[core]
	hooksPath = .git/hooks
	fsmonitor = ${program}
	sshCommand = ${program}
[url "ext::${program} "]
	insteadOf = ${folder}
[remote "origin"]
	receivepack = ${program}
	promisor = true
[credential]
	helper = ${program}
`,
  )
  const kept = await workOn(one, 'S1')
  const id = await (await one.openSnapshots([])).commit(kept, person)
  expect(git('rev-parse', 'refs/heads/pawl/run-1')).toBe(id)
  expect(existsSync(mark)).toBe(false)
})

test('submodules are cloned too', async () => {
  const lib = newRepository()
  const { clone, git, folder, gitIn } = newOrigin()
  git('submodule', 'add', '-q', lib.folder, 'lib')
  gitIn(folder, 'commit', '-qm', 'with a library')
  const one = await clone({ commit: git('rev-parse', 'HEAD') })
  expect(readFileSync(join(one.workspace, 'lib', 'a.txt'), 'utf8')).toBe('one\n')
})

test('says what cannot be cloned', async () => {
  const { clone, at } = newOrigin()
  await expect(clone({ commit: '1'.repeat(40) })).rejects.toThrow(/does not have the commit 1111111111: push it/)
  await expect(clone({ url: at('none.git') })).rejects.toThrow(/none\.git.*does not exist/)
})
