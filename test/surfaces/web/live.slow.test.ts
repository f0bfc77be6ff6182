import { type ClientRequest, get as httpGet } from 'node:http'
import { expect, test } from 'vitest'
import type { LogPayload, RunPayload, RunsPayload, StreamFrame, WaitingPayload } from '../../../src/contract/web.ts'
import { newFolder } from '../../support/folder.ts'
import { gateFailed, iteration, passed } from '../../support/written-events.ts'
import { newWorkspace } from '../cli/pawl.ts'
import { writeRun } from '../cli/written-run.ts'
import { type Serving, startServing } from './serve.ts'

const poll = { timeout: 60_000, interval: 50 }

const bigRun = (iterations: number) =>
  Array.from({ length: iterations }, (_, at) => iteration(at + 1, at % 50 === 49 ? gateFailed(0, 1) : passed(1))).flat()

/** Connects after an event, takes some frames, and cuts the connection. */
function takeFrames(serving: Serving, id: string, after: number, most: number): Promise<readonly StreamFrame[]> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${serving.token}`, 'Last-Event-ID': String(after) }
    const request: ClientRequest = httpGet(
      { port: serving.port, host: '127.0.0.1', path: `/api/v1/runs/${id}/stream`, headers },
      (response) => {
        if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode}`))
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (part: string) => {
          text += part
          const whole = text
            .split('\n\n')
            .slice(0, -1)
            .filter((frame) => frame.includes('event: lines'))
          if (whole.length < most) return
          request.destroy()
          resolve(whole.slice(0, most).map((frame) => JSON.parse(/^data: (.*)$/m.exec(frame)![1]!) as StreamFrame))
        })
        response.on('error', () => {})
      },
    )
    request.on('error', (error) => (request.destroyed ? undefined : reject(error)))
  })
}

test('ui-A03: 1,000 reconnects lose and double no event', async () => {
  const space = newWorkspace()
  const { id } = writeRun(space.workspace, bigRun(340))
  const serving = await startServing(space)
  const seen: number[] = []
  for (let turn = 0; turn < 1000; turn++) {
    const frames = await takeFrames(serving, id, seen.at(-1) ?? 0, 1 + (turn % 3))
    seen.push(...frames.map(({ seq }) => seq))
  }
  expect(seen).toEqual(Array.from({ length: seen.length }, (_, at) => at + 1))
  expect(seen.length).toBeGreaterThan(1900)
})

test('a run of 20,000 events: its page, the end of its log, and a search with a true count', async () => {
  const space = newWorkspace()
  const { id } = writeRun(space.workspace, bigRun(3334))
  const serving = await startServing(space)
  const start = performance.now()
  const run = await serving.get<RunPayload>(`/runs/${id}`)
  const opened = performance.now() - start
  expect([run.seq, run.timeline.tasks.length]).toEqual([20_005, 3334])
  const log = await serving.get<LogPayload>(`/runs/${id}/log?from=-100&count=100&search=gate`)
  const read = performance.now() - start
  console.log(`20,000 events: run ${Math.round(opened)} ms, log ${Math.round(read - opened)} ms`)
  expect(log.lines).toHaveLength(100)
  expect(log.lines.at(-1)!.n).toBe(log.total)
  expect(log.matchCount).toBeGreaterThanOrEqual(66)
  const first = await serving.get<LogPayload>(`/runs/${id}/log?from=${log.firstError}&count=1`)
  expect(first.lines[0]!.isError).toBe(true)
  // Far above what it takes: the figure is printed, and the bench measures it.
  expect(read).toBeLessThan(20_000)
})

test('ui-A02: runs of other folders and other terminals are found, watched and steered', async () => {
  const env = { HOME: newFolder() }
  const homes = [0, 1, 2].map(() => newWorkspace({ env, agent: [{ delay_ms: 200, output: 'done\n' }] }))
  const running = homes.map((space) => space.start('run', 'build', '--trust', '-n', '400', '--detach'))
  expect((await Promise.all(running)).map(({ code }) => code)).toEqual([0, 0, 0])
  const serving = await startServing(newWorkspace({ env }))
  await expect.poll(async () => (await serving.get<RunsPayload>('/runs')).counts.running, poll).toBe(3)
  const listed = await serving.get<RunsPayload>('/runs')
  const { id } = listed.runs[0]!
  expect((await serving.post(`/runs/${id}/raise`, { caps: { tasks: 500 } })).status).toBe(200)
  expect((await serving.post(`/runs/${id}/pause`)).status).toBe(200)
  await expect.poll(async () => (await serving.get<WaitingPayload>('/waiting')).items.length, poll).toBe(1)
  const paused = await serving.get<RunPayload>(`/runs/${id}`)
  expect(paused.can).toMatchObject({ pause: false, unpause: true, stop: true, resume: false })
  expect(paused.steered.map(({ says }) => says.replace(/^\S+ /, ''))).toEqual(['set new limits', 'paused the run'])
  expect(paused.bounds.find(({ cap }) => cap === 'tasks')?.of).toBe(500)
  expect((await serving.post(`/runs/${id}/unpause`)).status).toBe(200)
  for (const run of listed.runs) expect((await serving.post(`/runs/${run.id}/stop`)).status).toBe(200)
  await expect.poll(async () => (await serving.get<RunsPayload>('/runs')).counts.cancelled, poll).toBe(3)
})
