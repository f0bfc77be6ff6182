import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { newDatabase } from '../../support/postgres.ts'
import { newWorkspace, until } from './pawl.ts'

type Sent = {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, string>> }[]
}
type Export = {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly Sent[] }[] }[]
}

/** A collector that keeps what it gets. */
async function startCollector() {
  const asked: string[] = []
  const spans: Sent[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => (body += String(part)))
    request.on('end', () => {
      asked.push(`${request.method} ${request.url} ${request.headers['content-type']}`)
      const { resourceSpans } = JSON.parse(body) as Export
      spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)))
      response.end('{}')
    })
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, spans }
}

async function work(url: string, flags: readonly string[]) {
  const env = { PAWL_DATABASE_URL: await newDatabase(), OTEL_EXPORTER_OTLP_ENDPOINT: url }
  const space = newWorkspace({ env, procedure: { ai_cmd: 'sh -c "cat > /dev/null; echo done"', agent: undefined } })
  const queued = await space.run('run', 'build', '-n', '2', '--trust', '--queue', '--json')
  expect(queued.err).toBe('')
  const worker = space.start('worker', ...flags)
  onTestFinished(() => void worker.child.kill('SIGKILL'))
  await until(() => worker.said().includes(': ended'), 'the end of the run')
  worker.child.kill('SIGTERM')
  expect((await worker).code).toBe(0)
  return (JSON.parse(queued.out) as { run: string }).run
}

test('a worker sends the spans of its turns to the collector that it is given', async () => {
  const { url, asked, spans } = await startCollector()
  const run = await work(url, ['--otlp', url])
  expect(new Set(asked)).toEqual(new Set(['POST /v1/traces application/json']))
  const turns = spans.filter(({ name }) => name === 'turn')
  const attempts = spans.filter(({ name }) => name === 'attempt')
  expect(turns.length).toBeGreaterThan(0)
  expect(attempts).toHaveLength(2)
  expect(spans.filter(({ name }) => name === 'call')).toHaveLength(2)
  expect(spans.filter(({ name }) => name === 'evaluation')).toHaveLength(2)
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1)
  expect(attempts[0]!.parentSpanId).toBe(turns[0]!.spanId)
  expect(attempts[0]!.attributes).toContainEqual({ key: 'pawl.run', value: { stringValue: run } })
  expect(attempts[0]!.attributes).toContainEqual({ key: 'pawl.status', value: { stringValue: 'ok' } })
  expect(attempts[0]!.attributes).toContainEqual({ key: 'pawl.attempt', value: { intValue: '1' } })
  for (const { startTimeUnixNano, endTimeUnixNano } of spans) {
    expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano))
    expect(Math.abs(Number(BigInt(startTimeUnixNano) / 1_000_000n) - Date.now())).toBeLessThan(600_000)
  }
})

test('without the flag a worker sends nothing, whatever its environment says', async () => {
  const { url, asked } = await startCollector()
  await work(url, [])
  expect(asked).toEqual([])
})
