import { expect, onTestFinished, test } from 'vitest'
import { stage } from '../../modes/refinement/cli/stage.ts'
import { newDatabase } from '../../support/postgres.ts'
import { newWorkspace, type Started, until } from '../cli/pawl.ts'

type Workspace = ReturnType<typeof newWorkspace>
type Row = { id: string; standing: string }
type Queued = {
  depth: number
  counts: Record<string, number>
  workers: object[]
  runs: { run: string; standing: string }[]
}

/** A workspace from which runs are queued, and another machine, with a home of its own, that has the same database. */
async function newMachines(options: Parameters<typeof newWorkspace>[0] = {}) {
  const url = await newDatabase()
  const env = { ...options.env, PAWL_DATABASE_URL: url }
  return { here: newWorkspace({ ...options, env }), elsewhere: newWorkspace({ env }) }
}

function startWorker({ start }: Workspace, ...words: string[]): Started {
  const worker = start('worker', ...words)
  onTestFinished(async () => {
    worker.child.kill('SIGKILL')
    await worker
  })
  return worker
}

const stopWorker = async (worker: Started): Promise<number | null> => {
  worker.child.kill('SIGTERM')
  return (await worker).code
}

async function readJson<Value>({ run }: Workspace, ...words: string[]): Promise<Value> {
  const { out, err } = await run(...words, '--json')
  try {
    const value = JSON.parse(out) as Value & { readonly error?: unknown }
    if (value.error === undefined) return value
  } catch {}
  throw new Error(`${words.join(' ')}: ${out}${err}`)
}

const listRuns = async (machine: Workspace): Promise<Row[]> =>
  (await readJson<{ runs: Row[] }>(machine, 'ls', '--all')).runs

async function untilStanding(machine: Workspace, id: string, standing: string): Promise<void> {
  let seen: string | undefined
  const deadline = performance.now() + 60_000
  while (seen !== standing) {
    seen = (await listRuns(machine)).find((run) => run.id === id)?.standing
    if (performance.now() > deadline) throw new Error(`${id} is ${seen}, not ${standing}`)
  }
}

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
  const staged = await stage({ beats: [{ score: 40 }, { score: 85 }] })
  const { here, elsewhere } = await newMachines({ env: staged.env })
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
    expect(named('decide/escalate')).toBeLessThanOrEqual(1)
    expect(named('execute/started')).toBeLessThanOrEqual(9)
  }
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
