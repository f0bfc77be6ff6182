import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { stage } from '../../modes/refinement/cli/stage.ts'
import { newWorkspace } from '../cli/pawl.ts'
import { startServing } from '../web/serve.ts'
import {
  listRuns,
  newMachines,
  type Queued,
  readJson,
  startWorker,
  stopWorker,
  until,
  untilStanding,
} from './machines.ts'

test('a queued run is executed by a worker elsewhere, and every machine can look at it', async () => {
  const { here, elsewhere } = await newMachines({ agent: [{ output: 'did it\n' }] })
  const { run } = await readJson<{ run: string }>(
    here,
    'run',
    'build',
    '-n',
    '2',
    '--queue',
    '--trust',
    '--priority',
    '3',
  )
  expect(await listRuns(here)).toMatchObject([{ id: run, standing: 'queued' }])
  expect((await here.run('why', run)).out).toContain('in the queue')
  const before = await readJson<Queued>(elsewhere, 'queue')
  expect(before).toMatchObject({ depth: 1, workers: [], runs: [{ run, standing: 'ready', priority: 3 }] })
  const worker = startWorker(here)
  await untilStanding(elsewhere, run, 'completed')
  expect((await elsewhere.run('logs', run)).out).toContain('Iteration 2/2 completed')
  expect((await elsewhere.run('show', run)).out).toContain('2 of 2 iterations')
  expect((await elsewhere.run('logs', run, '--output')).out).toContain('did it')
  expect(await readJson<Queued>(elsewhere, 'queue')).toMatchObject({
    depth: 0,
    workers: [{ concurrency: 1 }],
    runs: [],
  })
  expect(await stopWorker(worker)).toBe(0)
  expect((await readJson<Queued>(here, 'queue')).workers).toEqual([])
  expect((await here.run('fsck', run)).code).toBe(0)
})

test('stop reaches the worker that executes the run', async () => {
  const { here, elsewhere } = await newMachines({ agent: [{ delay_ms: 120_000 }] })
  const { run } = await readJson<{ run: string }>(here, 'run', 'build', '-n', '2', '--queue', '--trust')
  const worker = startWorker(here)
  await untilStanding(elsewhere, run, 'running')
  expect((await elsewhere.run('stop', run)).code).toBe(0)
  await untilStanding(elsewhere, run, 'cancelled')
  await until(() => worker.said().includes(`${run}: ended`), 'the worker is free')
})

test('a paused run holds no worker, and goes on when it is resumed', async () => {
  const { here, elsewhere } = await newMachines({ agent: [{ delay_ms: 300, output: 'x\n' }] })
  const { run } = await readJson<{ run: string }>(here, 'run', 'build', '-n', '3', '--queue', '--trust')
  expect((await here.run('pause', run)).code).toBe(0)
  const worker = startWorker(here)
  await until(() => worker.said().includes(`${run}: asleep`), 'the run sleeps')
  expect(await readJson<Queued>(elsewhere, 'queue')).toMatchObject({ counts: { asleep: 1, running: 0 } })
  expect((await here.run('resume', run)).out).toContain('in the queue')
  await untilStanding(elsewhere, run, 'completed')
})

test('a worker that is told to stop gives its run back, and another one ends it', async () => {
  const { here } = await newMachines({ agent: [{ delay_ms: 4000, output: 'x\n' }] })
  const { run } = await readJson<{ run: string }>(here, 'run', 'build', '-n', '2', '--queue', '--trust')
  const first = startWorker(here)
  await untilStanding(here, run, 'running')
  expect(await stopWorker(first)).toBe(0)
  expect(await listRuns(here)).toMatchObject([{ id: run, standing: 'queued' }])
  void startWorker(here)
  await untilStanding(here, run, 'completed')
  expect((await here.run('show', run)).out).toContain('2 of 2 iterations')
})

test('10 adaptive loops in parallel through workers keep their caps and escalate at most once each (seed 001)', async () => {
  const beats = Array.from({ length: 100 }, (_, at) => ({ score: at % 3 === 0 ? 40 : 85 }))
  const staged = await stage({ beats })
  let escalated = 0
  const { here, elsewhere } = await newMachines({ env: staged.env })
  const config = join(here.root, '.config', 'pawl')
  mkdirSync(config, { recursive: true })
  writeFileSync(join(config, 'config.yml'), 'ladder: [ollama, grok, claude]\n')
  const words = ['refine', 'Write it', '--adaptive', '--preset', 'sap-0010', '--queue']
  const started = await Promise.all(Array.from({ length: 10 }, () => readJson<{ run: string }>(here, ...words)))
  const ids = started.map(({ run }) => run)
  expect(new Set(ids).size).toBe(10)
  for (const machine of [here, here]) void startWorker(machine, '--concurrency', '5')
  for (const id of ids) {
    await expect
      .poll(async () => (await listRuns(elsewhere)).find((run) => run.id === id)?.standing, { timeout: 60_000 })
      .toMatch(/completed|failed|blocked/)
    const lines = (await elsewhere.run('logs', id, '--json')).out.trim().split('\n')
    const events = lines.map(
      (line) => JSON.parse(line) as { phase: string; status: string; context: { usage?: { tokens: number } } },
    )
    const named = (name: string): number => events.filter(({ phase, status }) => `${phase}/${status}` === name).length
    const { spend } = await readJson<{ spend: Record<'attempts' | 'tokens', { used: number; of: number }> }>(
      elsewhere,
      'show',
      id,
    )
    expect(spend.attempts.used).toBeLessThanOrEqual(spend.attempts.of)
    expect(spend.tokens.used).toBeLessThanOrEqual(spend.tokens.of)
    escalated += named('decide/escalate')
    expect(named('decide/escalate')).toBeLessThanOrEqual(1)
    expect(named('execute/started')).toBeLessThanOrEqual(9)
  }
  expect(escalated).toBeGreaterThan(0)
})

test('a question of a queued run is answered on another machine, where its log is followed', async () => {
  const held = Promise.withResolvers<undefined>()
  let writes = 0
  const staged = await stage({
    beats: [{ score: 75 }, { score: 85 }],
    instead: (_, role) => (role === 'write' && ++writes === 2 ? held.promise : undefined),
  })
  const { here, elsewhere } = await newMachines({ env: staged.env })
  const { run } = await readJson<{ run: string }>(here, 'refine', 'Write it', '--preset', 'sap-0020', '--queue')
  const worker = startWorker(here)
  const log = elsewhere.start('logs', '-f', run)
  await until(() => staged.calls('write').length === 2, 'a second text')
  expect((await elsewhere.run('pause', run)).code).toBe(0)
  held.resolve(undefined)
  await until(() => worker.said().includes(`${run}: wants another turn`), 'the worker is free')
  expect((await elsewhere.run('answer', run, '--text', 'Add more details')).code).toBe(0)
  await untilStanding(elsewhere, run, 'completed')
  expect(staged.calls('write').at(-1)!.prompt).toContain('Human feedback: Add more details')
  expect((await log).out).toContain('Refined with human input')
})

test('a run that is started on the page goes to the workers', async () => {
  const staged = await stage({ beats: [{ score: 85 }] })
  const { here, elsewhere } = await newMachines({ env: staged.env })
  const serving = await startServing(elsewhere)
  const { text } = await serving.post('/start/refine', { text: 'A guide.', preset: 'sap-0020' })
  const { run } = JSON.parse(text) as { run: string }
  expect(await listRuns(here)).toMatchObject([{ id: run, standing: 'queued' }])
  expect(staged.calls('write')).toEqual([])
  void startWorker(here)
  await untilStanding(elsewhere, run, 'completed')
})

test('without a database, everything that needs one says so', async () => {
  const pawl = newWorkspace()
  for (const words of [['worker'], ['queue'], ['run', 'build', '--queue']]) {
    const { code, err } = await pawl.run(...words)
    expect([code, err]).toEqual([2, expect.stringContaining('PAWL_DATABASE_URL')])
  }
  const gone = newWorkspace({ env: { PAWL_DATABASE_URL: 'postgres://pawl:secret-word@127.0.0.1:1/none' } })
  const { code, err } = await gone.run('queue')
  expect([code, err]).toEqual([20, expect.stringContaining('127.0.0.1:1/none')])
  expect(err).not.toContain('secret-word')
})
