import { readFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import type { RunsPayload, StreamFrame } from '../../../src/contract/web.ts'
import { startServer } from '../../../src/surfaces/web/server.ts'
import { programAt } from '../../support/runs.ts'
import { newWorkspace, until } from '../cli/pawl.ts'
import { framesOf, listen, writeGrowingRun } from './growing-run.ts'
import { type Serving, startServing } from './serve.ts'

const readMegabytes = ({ started }: Serving): number => {
  const status = readFileSync(`/proc/${started.child.pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)![1]) / 1024
}

test('clients that do not read wait for no more than some events; others get all of them', async () => {
  const space = newWorkspace()
  const { path, grow } = writeGrowingRun(space.workspace)
  const serving = await startServing(space)
  const quick = await listen(serving, path)
  quick.read()
  const idle = await Promise.all(Array.from({ length: 60 }, () => listen(serving, path)))
  /** Sends a megabyte to each client. The quick one has all of it at the end. */
  const sendMegabytes = async (count: number): Promise<number> => {
    let last = 0
    for (let turn = 0; turn < count; turn++) {
      last = grow(250, 3500)
      await quick.reach(last)
      expect((await serving.get<RunsPayload>('/runs')).runs).toHaveLength(1)
    }
    return last
  }
  // The system takes some megabytes for each client before any wait in the server.
  await sendMegabytes(10)
  const before = readMegabytes(serving)
  const last = await sendMegabytes(10)
  const grown = Math.round(readMegabytes(serving) - before)
  console.log(`60 clients that do not read: the server grew by ${grown} MB while 10 MB were sent to each`)
  expect(grown).toBeLessThan(150)
  expect(quick.got).toEqual(framesOf(1, last))

  const slow = idle[0]!
  slow.read()
  await until(() => slow.got.some(({ is }) => is === 'reset'), 'reset', 60_000)
  const seen = slow.got.length - 1
  expect(seen).toBeLessThan(last)
  expect(slow.got).toEqual([...framesOf(1, seen), { is: 'reset', id: last }])
  const next = grow(2)
  await slow.reach(next)
  expect(slow.got.slice(seen + 1)).toEqual(framesOf(last + 1, next))
})

test('whoever is more than 5,000 events behind loads the present state and goes on from there', async () => {
  const space = newWorkspace()
  const { path, grow } = writeGrowingRun(space.workspace)
  const last = grow(1000)
  const serving = await startServing(space)
  const near = await listen(serving, path, last - 5000)
  near.read()
  await near.reach(last)
  expect(near.got).toEqual(framesOf(last - 4999, last))
  const far = await listen(serving, path, last - 5001)
  far.read()
  await far.reach(last)
  const next = grow(3)
  await far.reach(next)
  expect(far.got).toEqual([{ is: 'reset', id: last }, ...framesOf(last + 1, next)])
  far.close()
  const end = grow(3)
  const again = await listen(serving, path, next)
  again.read()
  await again.reach(end)
  expect(again.got).toEqual(framesOf(next + 1, end))
})

test('an event is encoded once, however many clients get it', async () => {
  const space = newWorkspace()
  const { path, grow } = writeGrowingRun(space.workspace)
  const program = programAt(space.workspace, space.root, space.env)
  const server = await startServer(program, { port: 0, host: '127.0.0.1', demo: false, print: () => {} })
  const encode = vi.spyOn(JSON, 'stringify')
  try {
    const clients = await Promise.all(Array.from({ length: 5 }, () => listen(server, path)))
    const last = grow(20)
    clients.push(await listen(server, path))
    for (const client of clients) {
      client.read()
      await client.reach(last)
    }
    clients.push(await listen(server, path, 7))
    clients.at(-1)!.read()
    await clients.at(-1)!.reach(last)
    const encoded = encode.mock.calls.flatMap(([value]) => (isFrame(value) ? [value.seq] : []))
    expect(encoded).toEqual(Array.from({ length: last }, (_, at) => at + 1))
  } finally {
    encode.mockRestore()
    await server.close()
  }
})

const isFrame = (value: unknown): value is StreamFrame =>
  typeof value === 'object' && value !== null && 'seq' in value && 'lines' in value

test('ten pages that look at ten runs all get what happens next', async () => {
  const space = newWorkspace()
  const ids = Array.from({ length: 10 }, (_, at) => `20260214-22000${at}-0a1b2c`)
  const runs = ids.map((id) => writeGrowingRun(space.workspace, { id }))
  const serving = await startServing(space)
  const pages = await Promise.all(runs.map(({ path }) => listen(serving, path)))
  for (const page of pages) page.read()
  const last = runs.map(({ grow }) => grow(1))
  for (const [at, page] of pages.entries()) await page.reach(last[at]!)
})
