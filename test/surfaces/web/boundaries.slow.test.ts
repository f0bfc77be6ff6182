import { readdirSync } from 'node:fs'
import { get as httpGet } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RunPayload, RunsPayload } from '../../../src/contract/web.ts'
import { newWorkspace } from '../cli/pawl.ts'
import { startServing } from './serve.ts'

const poll = { timeout: 60_000, interval: 50 }

test('a page that looks at a run goes on to get its events, however many other runs are looked at', async () => {
  const space = newWorkspace({ agent: [{ delay_ms: 100, output: 'x\n' }] })
  for (let at = 0; at < 9; at++) await space.run('run', 'build', '--trust', '-n', '1')
  await space.run('run', 'build', '--trust', '-n', '400', '--detach')
  const serving = await startServing(space)
  const { runs } = await serving.get<RunsPayload>('/runs')
  expect(runs).toHaveLength(10)
  const live = runs.find(({ standing }) => standing === 'running')!.id
  let received = ''
  const headers = { Authorization: `Bearer ${serving.token}` }
  const path = `/api/v1/runs/${live}/stream`
  const request = httpGet({ port: serving.port, host: '127.0.0.1', path, headers }, (response) => {
    response.on('data', (part: Buffer) => {
      received += String(part)
    })
    response.on('error', () => {})
  })
  request.on('error', () => {})
  await expect.poll(() => received.includes('event: lines'), poll).toBe(true)
  for (const { id } of runs.filter((run) => run.id !== live)) await serving.get(`/runs/${id}/log`)
  const { seq } = await serving.get<RunPayload>(`/runs/${live}`)
  await expect.poll(() => received.includes(`id: ${seq + 5}\n`), poll).toBe(true)
  request.destroy()
  await serving.post(`/runs/${live}/stop`)
})

test('a run with agents that nobody holds is not touched by resume: no note is posted, and the command is named', async () => {
  const space = newWorkspace({ agent: [{ delay_ms: 100, output: 'x\n' }] })
  const started = space.start('run', 'build', '--trust', '-n', '400')
  const serving = await startServing(space)
  await expect.poll(async () => (await serving.get<RunsPayload>('/runs')).counts.running, poll).toBe(1)
  const { id } = (await serving.get<RunsPayload>('/runs')).runs[0]!
  await serving.post(`/runs/${id}/pause`)
  // Without a terminal the process leaves, and the question stays.
  expect((await started).code).toBe(10)
  const { address } = await serving.get<RunPayload>(`/runs/${id}`)
  const listNotes = (): readonly string[] => readdirSync(join(address, 'inbox'))
  const before = listNotes()
  const { status, text } = await serving.post(`/runs/${id}/resume`, { caps: { tasks: 900 } })
  expect([status, text]).toEqual([400, expect.stringContaining(`pawl resume ${id}`)])
  expect(listNotes()).toEqual(before)
  await serving.post(`/runs/${id}/stop`)
})

test('other machines reach it only over TLS, or if the person says otherwise', async () => {
  const { run } = newWorkspace()
  expect(await run('serve', '--host', '192.0.2.1')).toMatchObject({
    code: 2,
    err: expect.stringContaining('--tls-cert'),
  })
  expect(await run('serve', '--host', '0.0.0.0', '--insecure')).toMatchObject({
    code: 2,
    err: expect.stringContaining('Name the address'),
  })
  expect(await run('serve', '--tls-cert', 'x.pem')).toMatchObject({ code: 2 })
})
