import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newPipe } from '../../faults/faulty.ts'
import { count, newWorkspace, until } from './pawl.ts'

type Pawl = ReturnType<typeof newWorkspace>
const last = (pawl: Pawl): string => {
  const { status, context } = pawl.journal().at(-1) as { status: string; context: { reason: object } }
  return `${status}: ${JSON.stringify(context.reason)}`
}

test('the time is up while a gate runs: the gate has failed, and the time is what ended the run', async () => {
  const pawl = newWorkspace({ procedure: { gates: ['sleep 30'] } })
  const { code } = await pawl.run('run', 'build', '-n', '9', '--max-time', '1s', '--trust')
  expect([code, last(pawl)]).toEqual([30, 'failed: {"code":"cap_spent","cap":"activeMs","missing":"green"}'])
  expect(count(pawl.names(), 'decide/wait')).toBe(0)
})

test('a gate that takes longer than an attempt may is a failed gate', async () => {
  // An agent that starts at once, so that only the gate can run into the timeout, also on a busy machine.
  const quick = { agent: undefined, ai_cmd: 'true' }
  const bounds = { attempt_timeout: '1500ms', failure_threshold: 2 }
  const pawl = newWorkspace({ procedure: { gates: ['sleep 300'], ...quick, ...bounds } })
  expect((await pawl.run('run', 'build', '--trust')).code).toBe(30)
  expect(count(pawl.names(), 'verify/failed')).toBe(2)
})

test('a pipe in the place of a prompt file holds nobody up', async () => {
  const pawl = newWorkspace({ procedure: { observe: 'look.md' }, agent: [{ output: 'x\n' }] })
  newPipe(join(pawl.workspace, 'look.md'))
  expect((await pawl.run('run', 'build', '--dry-run')).code).toBe(30)
  fs.rmSync(join(pawl.workspace, 'look.md'))
  fs.writeFileSync(join(pawl.workspace, 'look.md'), 'look')
  const procedure = { observe: 'look.md', agent: undefined, ai_cmd: "sh -c 'rm -f look.md; mkfifo look.md'" }
  const changing = newWorkspace({ procedure })
  fs.writeFileSync(join(changing.workspace, 'look.md'), 'look')
  const { code, out } = await changing.run('run', 'build', '-n', '5', '--trust')
  expect([code, out]).toEqual([30, expect.stringContaining('a prompt file cannot be read')])
  expect(count(changing.names(), 'execute/started')).toBe(2)
})

test('a name means a run of this folder to whoever acts, and a folder of that name means nothing', async () => {
  const other = newWorkspace({ agent: [{ output: 'x\n', silent_ms: 60_000 }] })
  const running = other.start('run', 'build', '--trust')
  await until(() => running.said().includes('Iteration 1 starting'), 'it runs')
  const here = newWorkspace()
  const run = (...words: string[]) =>
    spawnSync(other.bin, words, { cwd: here.workspace, env: other.env, encoding: 'utf8' })
  const refused = run('stop', 'build')
  expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining(other.workspace)])
  expect(run('why', 'build').status).toBe(0)
  fs.cpSync(other.dirOf(), join(other.workspace, 'build'), { recursive: true })
  expect((await other.run('stop', 'build')).code).toBe(0)
  expect((await running).code).toBe(130)
})

test('stop ends a run that nobody runs, at once', async () => {
  const pawl = newWorkspace({ agent: [{ output: 'x\n', silent_ms: 60_000 }] })
  const run = pawl.start('run', 'build', '--trust')
  await until(() => run.said().includes('Iteration 1 starting'), 'it runs')
  run.child.kill('SIGKILL')
  await run
  expect((await pawl.run('stop', 'build')).out).toContain('build is cancelled')
  expect(count(pawl.names(), 'execute/started')).toBe(1)
  const next = await pawl.run('run', 'build', '-n', '1', '--max-time', '1s')
  expect(next.err).not.toContain('WARNING')
})

test('what a killed attempt has spent is estimated where there is a bound, and said to be', async () => {
  const pawl = newWorkspace({
    agent: [{ when: { attempt: 1, task: 'iteration-1' }, output: 'x', silent_ms: 60_000 }, {}],
  })
  const run = pawl.start('run', 'build', '-n', '2', '--trust', '--max-tokens', '99')
  await until(() => run.said().includes('Iteration 1/2 starting'), 'it runs')
  run.child.kill('SIGKILL')
  await run
  await pawl.run('resume', 'build')
  expect((await pawl.run('why')).out).toContain('~20,000 of 99 tokens')
})

test('another agent does not wait for the limit of the one before', async () => {
  const pawl = newWorkspace({ agent: [{ limit: { reset_in_ms: 3_600_000 }, exit: 1 }] })
  const run = pawl.start('run', 'build', '-n', '1', '--trust')
  await until(() => run.said().includes('Waiting until'), 'it waits')
  run.child.kill('SIGTERM')
  await run
  expect((await pawl.run('why')).out).toContain('was interrupted')
  expect((await pawl.run('resume', 'build', '--ai-cmd', 'true')).code).toBe(0)
})

test('two detached starts at once: one runs, the other is told so and leaves no run behind', async () => {
  const pawl = newWorkspace({ agent: [{ output: 'x\n', silent_ms: 60_000 }], procedure: {} })
  const started = await Promise.all([1, 2].map(() => pawl.run('run', 'build', '--detach', '--trust')))
  expect(new Set(started.map(({ code }) => code))).toEqual(new Set([0, 10]))
  expect(pawl.runs()).toHaveLength(1)
  expect((await pawl.run('stop', 'build')).code).toBe(0)
  await until(() => pawl.names().at(-1) === 'run/cancelled', 'it has ended')
})

test('a detached run that is paused stays for its answer', async () => {
  const pawl = newWorkspace({ agent: [{ output: 'x\n', silent_ms: 300 }] })
  await pawl.run('run', 'build', '-n', '3', '--detach', '--trust')
  await pawl.run('pause', 'build')
  await until(() => pawl.names().includes('decide/pause'), 'it pauses')
  expect((await pawl.run('answer', 'build')).out).toContain('build continues')
  await until(() => pawl.names().at(-1) === 'run/completed', 'it completes')
})

test('a silent run says how it ended, and nothing else', async () => {
  const pawl = newWorkspace()
  const { out, err } = await pawl.run('run', 'build', '-n', '1', '-q', '--trust')
  expect([out.replace(/^\[[\d:]+\] /, '').replace(/\d+\.\ds/, 'D'), err]).toEqual([
    'Reached max iterations: 1 (total: D)\n',
    '',
  ])
})
