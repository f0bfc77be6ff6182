import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { RunsPayload } from '../../../src/contract/web.ts'
import { newWorkspace, until } from '../cli/pawl.ts'
import { listen, writeGrowingRun } from './growing-run.ts'
import { type Serving, startServing } from './serve.ts'

const bodyLimit = 256 * 1024

const authorize = ({ host, token }: Serving): string => `Host: ${host}\r\nAuthorization: Bearer ${token}\r\n`
const post = (serving: Serving): string =>
  `POST /api/v1/start/refine HTTP/1.1\r\n${authorize(serving)}X-Pawl: 1\r\nContent-Type: application/json\r\n`
const firstLine = (text: string): string => text.split('\r\n')[0]!

/** The server answers. */
const answers = async ({ get }: Serving): Promise<boolean> => (await get<RunsPayload>('/runs')).counts.all >= 0

test('64 streams are open at a time: the next is refused, and taken once one has left', async () => {
  const serving = await startServing()
  const open = await Promise.all(Array.from({ length: 64 }, () => listen(serving, '/stream')))
  expect(open.map(({ status }) => status)).toEqual(open.map(() => 200))
  expect((await listen(serving, '/stream')).status).toBe(409)
  const { status, text } = await serving.ask('/api/v1/stream', {
    headers: { Authorization: `Bearer ${serving.token}` },
  })
  expect([status, JSON.parse(text)]).toEqual([
    409,
    {
      error: expect.objectContaining({
        message: 'too many pages listen already',
        hint: 'Close one.',
        code: 'too_many',
      }),
    },
  ])
  expect(await answers(serving)).toBe(true)
  open[0]!.close()
  await expect.poll(async () => (await listen(serving, '/stream')).status, { timeout: 60_000 }).toBe(200)
})

test('256 connections are open at a time: more are closed at once, and those that are open go on', async () => {
  const space = newWorkspace()
  const { path, grow } = writeGrowingRun(space.workspace)
  const serving = await startServing(space)
  const page = await listen(serving, path)
  page.read()
  let closed = 0
  const sockets = Array.from({ length: 300 }, () =>
    connect(serving.port, '127.0.0.1')
      .on('error', () => {})
      .on('close', () => (closed += 1)),
  )
  onTestFinished(() => sockets.forEach((socket) => void socket.destroy()))
  await until(() => closed >= 300 - 255, 'refused connections')
  expect(await serving.raw(`GET /api/v1/runs HTTP/1.1\r\n${authorize(serving)}\r\n`)).toBe('')
  await page.reach(grow(1))
  for (const socket of sockets) socket.destroy()
  await expect.poll(() => answers(serving).catch(() => false), { timeout: 60_000 }).toBe(true)
})

test('a body has a known length of at most 256 KiB', async () => {
  const serving = await startServing()
  const most = ' '.repeat(bodyLimit)
  expect(
    await serving.raw(`${post(serving)}Connection: close\r\nContent-Length: ${bodyLimit}\r\n\r\n${most}`, 60_000),
  ).toContain('the request is not JSON')
  // Refused as soon as the length is known, without the body.
  const tooLong = await serving.raw(`${post(serving)}Content-Length: ${bodyLimit + 1}\r\n\r\n`, 60_000)
  expect([firstLine(tooLong), tooLong]).toEqual([
    'HTTP/1.1 413 Payload Too Large',
    expect.stringContaining('the request is too long'),
  ])
  const endless = await serving.raw(`${post(serving)}Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n`, 60_000)
  expect([firstLine(endless), endless]).toEqual([
    'HTTP/1.1 400 Bad Request',
    expect.stringContaining('the length of the body is missing'),
  ])
  expect(await answers(serving)).toBe(true)
})

test('an address has at most 4,096 characters', async () => {
  const serving = await startServing()
  const ask = (length: number): Promise<string> => {
    const path = '/api/v1/runs?search='
    return serving.raw(
      `GET ${path}${'x'.repeat(length - path.length)} HTTP/1.1\r\n${authorize(serving)}Connection: close\r\n\r\n`,
      60_000,
    )
  }
  expect(firstLine(await ask(4096))).toBe('HTTP/1.1 200 OK')
  const tooLong = await ask(4097)
  expect([firstLine(tooLong), tooLong]).toEqual([
    'HTTP/1.1 414 URI Too Long',
    expect.stringContaining('the address is too long'),
  ])
  expect(firstLine(await ask(20_000))).toBe('HTTP/1.1 431 Request Header Fields Too Large')
  expect(await answers(serving)).toBe(true)
})

test('a request that does not come to its end is refused after 15 seconds, and others are answered meanwhile', async () => {
  const serving = await startServing()
  const begun = performance.now()
  const slow = Promise.all([
    trickle(serving, '', ''),
    trickle(serving, `GET /api/v1/runs HTTP/1.1\r\n${authorize(serving)}`, 'X-More: x\r\n'),
    trickle(serving, `${post(serving)}Content-Length: 10000\r\n\r\n`, ' '),
  ])
  let isOver = false
  void slow.then(() => (isOver = true))
  let answered = 0
  const askMeanwhile = async (): Promise<boolean> => {
    answered += Number(await answers(serving))
    return isOver
  }
  await expect.poll(askMeanwhile, { timeout: 120_000, interval: 100 }).toBe(true)
  expect((await slow).map(firstLine)).toEqual(Array.from({ length: 3 }, () => 'HTTP/1.1 408 Request Timeout'))
  expect(performance.now() - begun).toBeLessThan(25_000)
  expect(answered).toBeGreaterThan(10)
  await until(() => serving.started.said().includes('error: the request ended before its body was complete'), 'error')
  expect(serving.started.said()).not.toContain('unexpected')
})

/** Sends the beginning of a request, and then a little at a time. Returns what comes back. */
function trickle({ port }: Serving, beginning: string, more: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    let text = ''
    const timer = setInterval(() => socket.write(more), 200)
    socket.on('data', (part) => {
      text += part.toString('latin1')
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      clearInterval(timer)
      resolve(text)
    })
    socket.write(beginning)
  })
}
