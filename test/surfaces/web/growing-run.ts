import { appendFileSync } from 'node:fs'
import { get as httpGet, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { toLine } from '../../../src/contract/line.ts'
import { eventsOf, iteration } from '../../support/written-events.ts'
import { until } from '../cli/pawl.ts'
import { writeRun } from '../cli/written-run.ts'
import type { Serving } from './serve.ts'

/** A run that grows when the test says so, as if another process worked on it. */
export function writeGrowingRun(workspace: string, options: { readonly id?: string } = {}) {
  const { id, dir } = writeRun(workspace, [], options)
  let [seq, iterations] = [1, 0]
  /** Adds iterations of six events, one of which says this many characters. Returns the number of the last event. */
  const grow = (more: number, characters = 10): number => {
    const data = { by: 'gate', gate: 0, gates: 1 }
    const verdict = { status: 'failed', detail: 'x'.repeat(characters), data } as const
    const facts = Array.from({ length: more }, () => iteration(++iterations, verdict)).flat()
    const lines = eventsOf(facts).map((event) => JSON.stringify(toLine({ ...event, seq: event.seq + seq }, id)))
    appendFileSync(join(dir, 'progress.ndjson'), `${lines.join('\n')}\n`)
    seq += facts.length
    return seq
  }
  return { id, path: `/runs/${id}/stream`, grow }
}

/** What a stream sent. `id` is the number of an event. */
type Frame = { readonly is: 'lines' | 'reset'; readonly id: number }

/** Frames of these events, one after the other. */
export const framesOf = (first: number, last: number): readonly Frame[] =>
  Array.from({ length: last - first + 1 }, (_, at) => ({ is: 'lines', id: first + at }))

/** Connects to a stream. Nothing is read before `read` is called. */
export async function listen({ port, token }: Pick<Serving, 'port' | 'token'>, path: string, after = 0) {
  const headers = { Authorization: `Bearer ${token}`, 'Last-Event-ID': String(after) }
  const request = httpGet({ port, host: '127.0.0.1', path: `/api/v1${path}`, agent: false, headers })
  onTestFinished(() => void request.destroy())
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.on('response', resolve)
    request.on('error', reject)
  })
  response.on('error', () => {})
  response.setEncoding('utf8')
  const got: Frame[] = []
  let rest = ''
  return {
    status: response.statusCode!,
    got,
    read: () =>
      void response.on('data', (part: string) => {
        const frames = (rest + part).split('\n\n')
        rest = frames.pop()!
        for (const frame of frames) {
          const is = /^event: (lines|reset)$/m.exec(frame)?.[1] as Frame['is'] | undefined
          if (is) got.push({ is, id: Number(/^id: (\d+)$/m.exec(frame)?.[1]) })
        }
      }),
    reach: (id: number) => until(() => got.at(-1)?.id === id, `event ${id}`, 60_000),
    close: () => void request.destroy(),
  }
}
