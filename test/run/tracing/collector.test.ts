import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openCollector } from '../../../src/run/tracing/collector.ts'
import { beginTurn, endTurn } from '../../../src/run/tracing/spans.ts'

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const spans = endTurn(beginTurn({ run: 'r', mode: 'm', job: 'j', start: 1 }), 2, 'ended')

test('a collector that never answers costs three seconds at the end, and one line', async () => {
  const said: string[] = []
  const collector = openCollector(await serve(() => {}), (text) => said.push(text))
  const begun = performance.now()
  for (let n = 0; n < 1000; n++) collector.send(spans)
  expect(performance.now() - begun).toBeLessThan(1000)
  await collector.close()
  await collector.close()
  expect(performance.now() - begun).toBeLessThan(5000)
  expect(said).toEqual([expect.stringContaining('did not answer within 3 s')])
})

test('what does not fit is dropped, and said', async () => {
  const said: string[] = []
  let bytes = 0
  const url = await serve((request, response) => {
    request.on('data', (part: Buffer) => (bytes += part.length)).on('end', () => response.end())
  })
  const collector = openCollector(url, (text) => said.push(text))
  for (let n = 0; n < 20_000; n++) collector.send(spans)
  await collector.close()
  expect(bytes).toBeLessThan(2_000_000)
  expect(said).toEqual([expect.stringContaining('is too slow')])
})

test('refusals are said once, whatever follows', async () => {
  const said: string[] = []
  let asked = 0
  const url = await serve((_, response) => {
    asked++
    response.writeHead(503).end()
  })
  const collector = openCollector(`${url}/otlp/`, (text) => said.push(text))
  for (let n = 0; n < 3; n++) {
    collector.send(spans)
    await collector.close()
  }
  expect(asked).toBe(3)
  expect(said).toEqual([expect.stringContaining('answered with 503')])
})

test.each(['collector:4318', 'ftp://collector', 'http://me@collector', 'http://:secret@collector', ''])(
  '%j is no collector',
  (url) => {
    expect(() => openCollector(url, () => {})).toThrow('--otlp takes the address of a collector')
  },
)
