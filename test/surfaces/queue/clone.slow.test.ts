import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { newDatabase } from '../../support/postgres.ts'
import { newWorkspace } from '../cli/pawl.ts'
import { readJson, startWorker, stopWorker, until, untilStanding } from './machines.ts'

const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim()

const prd = `# Numbers

## Requirements

- R1: Write one.txt
- R2: Write two.txt
`

/** Writes the next file. While `slow` is there, it first waits long. */
const agent = (slow: string): string => `#!/bin/sh
cat > /dev/null
[ -e one.txt ] && file=two.txt || file=one.txt
[ -e ${slow} ] && [ $file = two.txt ] && { echo started > ${slow}.seen; sleep 600; }
echo "$file" > $file
`

/** A repository that is reached by its URL, a machine that queues a delivery of it, and one with a home of its own that works. */
async function newOrigin() {
  const root = mkdtempSync(join(tmpdir(), 'pawl-origin-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const [origin, temp, slow, command] = ['origin.git', 'temp', 'slow', 'agent.sh'].map((name) => join(root, name)) as [
    string,
    string,
    string,
    string,
  ]
  mkdirSync(temp)
  git(root, 'init', '-q', '--bare', '-b', 'main', origin)
  writeFileSync(command, agent(slow), { mode: 0o755 })
  const env = { PAWL_DATABASE_URL: await newDatabase() }
  const here = newWorkspace({ env: { ...env, TMPDIR: tmpdir() } })
  const there = newWorkspace({
    env: { ...env, TMPDIR: temp, GIT_AUTHOR_NAME: 'Worker', GIT_AUTHOR_EMAIL: 'worker@example.org' },
  })
  writeFileSync(join(here.workspace, 'PRD.md'), prd)
  git(here.workspace, 'init', '-q', '-b', 'main')
  git(here.workspace, 'add', '.')
  git(here.workspace, 'commit', '-qm', 'first')
  git(here.workspace, 'remote', 'add', 'origin', origin)
  git(here.workspace, 'push', '-q', 'origin', 'main')
  const words = [
    'deliver',
    'PRD.md',
    '--queue',
    '--clone',
    '--verify',
    'test -f PRD.md',
    '--ai-cmd',
    command,
    '--trust',
  ]
  const queue = async (): Promise<string> => (await readJson<{ run: string }>(here, ...words)).run
  const subjects = (run: string): string[] => git(origin, 'log', '--format=%s', `pawl/${run}`).split('\n').reverse()
  return { origin, temp, slow, here, there, queue, subjects }
}

test('a worker clones the repository, pushes a branch with the stories, and leaves nothing behind', async () => {
  const { origin, temp, here, there, queue, subjects } = await newOrigin()
  const run = await queue()
  const worker = startWorker(there)
  await untilStanding(here, run, 'completed')
  await until(() => worker.said().includes(`${run}: ended`), 'the turn has ended')
  expect(subjects(run)).toEqual(['first', 'S1: Write one.txt', 'S2: Write two.txt'])
  expect(git(origin, 'log', '-1', '--format=%an', `pawl/${run}`)).toBe('Worker')
  expect(git(origin, 'ls-tree', '--name-only', `pawl/${run}`)).toContain('two.txt')
  expect(git(origin, 'for-each-ref', `refs/pawl/${run}/work`)).toBe('')
  expect(git(origin, 'log', '--format=%s', 'main')).toBe('first')
  expect(git(here.workspace, 'status', '--porcelain')).toBe('')
  expect((await here.run('show', run)).out).toContain(`git fetch ${origin} pawl/${run}`)
  expect(await stopWorker(worker)).toBe(0)
  expect(readdirSync(temp).filter((name) => name.startsWith('pawl-'))).toEqual([])
})

test('after a worker was killed, another one goes on from what was pushed', async () => {
  const { temp, slow, here, there, queue, subjects } = await newOrigin()
  writeFileSync(slow, '')
  const run = await queue()
  const first = startWorker(there)
  await until(() => existsSync(`${slow}.seen`), 'the second story has begun')
  expect(subjects(run)).toEqual(['first', 'S1: Write one.txt'])
  first.child.kill('SIGKILL')
  await first
  rmSync(slow)
  const second = startWorker(there)
  await untilStanding(here, run, 'completed')
  await until(() => second.said().includes(`${run}: ended`), 'the turn has ended')
  expect(subjects(run)).toEqual(['first', 'S1: Write one.txt', 'S2: Write two.txt'])
  expect(await stopWorker(second)).toBe(0)
  expect(readdirSync(temp).filter((name) => name.startsWith('pawl-'))).toEqual([])
})

test('what cannot be cloned is refused, or said', async () => {
  const { here, there, queue } = await newOrigin()
  const refused = async (...words: string[]): Promise<string> => {
    const { code, err } = await here.run('deliver', 'PRD.md', '--verify', 'true', '--ai-cmd', 'true', ...words)
    expect(code).toBe(2)
    return err
  }
  expect(await refused('--clone')).toContain('--clone needs --queue')
  expect(await refused('--queue', '--clone', 'https://key@example.org/a.git')).toContain('user or password')
  expect(await refused('--queue', '--clone', 'ext::sh -c true')).toContain('--clone cannot be')
  expect(await refused('--queue', '--clone', '--no-commit')).toContain('--no-commit')
  git(here.workspace, 'commit', '-q', '--allow-empty', '-m', 'not pushed')
  const run = await queue()
  const worker = startWorker(there)
  await until(() => worker.said().includes('does not have the commit'), 'the worker says why')
  expect(worker.said()).toContain('push it')
  expect(run).not.toBe('')
})
