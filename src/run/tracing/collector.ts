import { hostname } from 'node:os'
import { PawlError } from '../../contract/exit.ts'
import type { Span } from './spans.ts'

export type Collector = {
  /** Contract: returns at once and never throws. */
  send(spans: readonly Span[]): void
  /** Sends the rest. Contract: never rejects, and takes 3 s at most. */
  close(): Promise<void>
}

const gatherMs = 1000
const boundMs = 3000
/** Spans of one request, and those that wait for the next one: newer ones are dropped. */
const mostSpans = 2000

/** Opens a sender of spans to an OpenTelemetry collector: OTLP over HTTP, as JSON. What cannot be sent is dropped, and said once. */
export function openCollector(url: string, onProblem: (text: string) => void): Collector {
  const { address, host } = readAddress(url)
  let waiting: Span[] = []
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<void> | undefined
  let hasSaid = false

  const complain = (why: string): void => {
    if (!hasSaid) onProblem(`traces: ${why}. The runs go on; spans are dropped for as long as this lasts.`)
    hasSaid = true
  }

  async function sendWaiting(signal: AbortSignal): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const spans = waiting
    waiting = []
    if (spans.length === 0) return
    const problem = await post(address, JSON.stringify(toExport(spans)), signal)
    if (problem !== undefined) complain(`${host} ${problem}`)
  }

  /** One request at a time, so that a slow collector gets larger ones and not more of them. */
  function start(): void {
    sending = sendWaiting(AbortSignal.timeout(boundMs)).finally(() => {
      sending = undefined
      plan()
    })
  }

  function plan(): void {
    if (sending || timer || waiting.length === 0) return
    timer = setTimeout(start, gatherMs).unref()
  }

  return {
    send(spans) {
      const room = mostSpans - waiting.length
      waiting.push(...spans.slice(0, room))
      if (spans.length > room) complain(`${host} is too slow`)
      plan()
    },
    async close() {
      const late = AbortSignal.timeout(boundMs)
      const isLate = new Promise<void>((resolve) => late.addEventListener('abort', () => resolve()))
      await Promise.race([sending, isLate])
      if (late.aborted) return
      await sendWaiting(late)
    },
  }
}

/** Posts once. Says what went wrong, without the address, which may contain a secret. */
async function post(address: string, body: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'pawl' },
      body,
      // A redirect could send the data to another server.
      redirect: 'manual',
      signal,
    })
    await response.body?.cancel()
    return response.ok ? undefined : `answered with ${response.status}`
  } catch (error) {
    if (signal.aborted) return `did not answer within ${boundMs / 1000} s`
    const { cause, message } = error as Error
    return `could not be reached (${(cause as NodeJS.ErrnoException)?.code ?? message})`
  }
}

function readAddress(given: string): { readonly address: string; readonly host: string } {
  const url = URL.parse(given)
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '')
    throw new PawlError(
      2,
      '--otlp takes the address of a collector, without user and password',
      'For example: --otlp http://127.0.0.1:4318',
    )
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/v1/traces`
  return { address: url.href, host: url.host }
}

/** The body of `POST /v1/traces`. Exported numbers above 32 bits are strings, as in all JSON of Protocol Buffers. */
function toExport(spans: readonly Span[]) {
  const resource = { 'service.name': 'pawl', 'host.name': hostname(), 'process.pid': process.pid }
  return {
    resourceSpans: [
      {
        resource: { attributes: toAttributes(resource) },
        scopeSpans: [{ scope: { name: 'pawl' }, spans: spans.map(toSpan) }],
      },
    ],
  }
}

const internalKind = 1
const errorCode = 2

const toSpan = ({ start, end, isError, attributes, ...span }: Span) => ({
  ...span,
  kind: internalKind,
  startTimeUnixNano: toNanos(start),
  endTimeUnixNano: toNanos(end),
  attributes: toAttributes(attributes),
  status: isError ? { code: errorCode } : {},
})

const toNanos = (ms: number): string => String(BigInt(Math.round(ms)) * 1_000_000n)

const toAttributes = (values: Span['attributes']) =>
  Object.entries(values).map(([key, value]) => ({
    key,
    value: typeof value === 'string' ? { stringValue: value } : { intValue: String(Math.round(value)) },
  }))
