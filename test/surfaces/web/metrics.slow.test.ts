import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { Program } from '../../../src/run/mode.ts'
import { createMetrics } from '../../../src/surfaces/web/metrics.ts'
import { newDatabase } from '../../support/postgres.ts'
import { newWorkspace } from '../cli/pawl.ts'
import { type Serving, startServing } from './serve.ts'

const scrape = async ({ ask, token }: Serving): Promise<string> => {
  const { status, headers, text } = await ask('/metrics', { headers: { Authorization: `Bearer ${token}` } })
  expect([status, headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4'])
  return text
}

/** Asks until the answer has all of these lines. */
async function scrapeUntil(serving: Serving, ...lines: string[]): Promise<string> {
  for (const deadline = performance.now() + 30_000; ; await delay(200)) {
    const text = await scrape(serving)
    if (lines.every((line) => text.split('\n').includes(line))) return text
    if (performance.now() > deadline) throw new Error(`without ${lines.join(', ')}:\n${text}`)
  }
}

test('metrics show the queue, its workers and the runs', async () => {
  const space = newWorkspace({ env: { PAWL_DATABASE_URL: await newDatabase() } })
  const serving = await startServing(space)
  expect((await space.run('run', 'build', '-n', '1', '--trust', '--queue')).code).toBe(0)
  const waiting = await scrapeUntil(
    serving,
    'pawl_queue_ready 1',
    'pawl_runs{standing="queued"} 1',
    'pawl_runs{standing="completed"} 0',
    'pawl_database_up 1',
    'pawl_workers 0',
    'pawl_worker_slots 0',
    'pawl_queue_running 0',
    'pawl_queue_later 0',
    'pawl_queue_asleep 0',
    'pawl_queue_failed 0',
  )
  expect(Number(/^pawl_queue_oldest_seconds (.+)$/m.exec(waiting)?.[1])).toBeGreaterThan(0)
  expect(Number(/^process_resident_memory_bytes (.+)$/m.exec(waiting)?.[1])).toBeGreaterThan(10e6)
  const started = Number(/^process_start_time_seconds (.+)$/m.exec(waiting)?.[1]) * 1000
  expect(Math.abs(Date.now() - started)).toBeLessThan(120_000)
  for (const line of waiting.trimEnd().split('\n'))
    expect(line).toMatch(/^(?:# (?:HELP|TYPE) \w+ .+|\w+(?:\{\w+="\w+"\})? [\d.]+)$/)

  const worker = space.start('worker', '--concurrency', '3')
  onTestFinished(async () => {
    worker.child.kill('SIGTERM')
    await worker
  })
  await scrapeUntil(
    serving,
    'pawl_queue_ready 0',
    'pawl_queue_oldest_seconds 0',
    'pawl_runs{standing="queued"} 0',
    'pawl_workers 1',
    'pawl_worker_slots 3',
    'pawl_worker_slots_busy 0',
  )
})

test('metrics need the token', async () => {
  const { ask, signIn } = await startServing()
  expect((await ask('/metrics')).status).toBe(401)
  expect((await ask('/metrics', { headers: { Authorization: 'Bearer wrong' } })).status).toBe(401)
  const metrics = await ask('/metrics', { headers: await signIn() })
  expect(metrics.text).toContain('pawl_runs{standing="running"} 0')
  expect(metrics.text).not.toMatch(/pawl_queue|pawl_worker|pawl_database/)
})

test('without its database the server still tells that it is gone', async () => {
  const space = newWorkspace({ env: { PAWL_DATABASE_URL: 'postgres://pawl@127.0.0.1:1/none' } })
  const text = await scrape(await startServing(space))
  expect(text).toContain('\npawl_database_up 0\n')
  expect(text).toContain('\nprocess_resident_memory_bytes ')
  expect(text).not.toMatch(/^pawl_(?:queue|runs)/m)
})

test('a database that never answers does not hold the answer up', async () => {
  const never = () => new Promise<never>(() => {})
  const clock = { now: () => 0, elapsed: () => 0 }
  const machine = { clock, store: { list: never }, database: { queue: { list: never, workers: never } } }
  expect(await createMetrics({ machine } as unknown as Program)()).toContain('pawl_database_up 0\n')
})

test('a token file keeps the token when the server starts again', async () => {
  const space = newWorkspace()
  const file = join(space.root, 'token')
  const { token, started } = await startServing(space, '--token-file', file)
  expect(readFileSync(file, 'utf8').trim()).toBe(token)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  started.child.kill('SIGTERM')
  await started
  expect((await startServing(space, '--token-file', file)).token).toBe(token)
  writeFileSync(file, 'short\n')
  expect((await space.run('serve', '--port', '0', '--token-file', file)).err).toContain('contains no token')
})

test('however often somebody asks, runs are counted once a second', async () => {
  let lists = 0
  let elapsed = 0
  const list = async () => {
    lists++
    return []
  }
  const clock = { now: () => 0, elapsed: () => elapsed }
  const read = createMetrics({ machine: { clock, store: { list } } } as unknown as Program)
  await Promise.all([read(), read()])
  elapsed = 999
  await read()
  expect(lists).toBe(1)
  elapsed = 1001
  await read()
  expect(lists).toBe(2)
})
