import { randomUUID } from 'node:crypto'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono } from 'hono'
import { PawlError } from '../../contract/exit.ts'
import type { AttemptPayload, ErrorPayload, LogPayload, RunJsonPayload } from '../../contract/web.ts'
import type { StoredRun } from '../../ports/run-store.ts'
import { isFault, toPawlError } from '../../run/errors.ts'
import { readAttempt } from '../../run/reports/attempt.ts'
import { reportRun } from '../../run/reports/report.ts'
import { compareRuns } from '../../show/compare.ts'
import type { Feed } from './feed.ts'
import { type AppContext, type AppParts, type Bindings, findRun } from './parts.ts'
import { hidePeopleIn } from './people.ts'
import { describeRun, listRows, listWaiting } from './rows.ts'
import { addSap } from './sap.ts'
import { addStarts } from './starts.ts'
import { formatReset, type Streams } from './streams.ts'
import { addWrites } from './writes.ts'

/** The API, version 1. Requests have passed the guard. */
export function createApp(parts: AppParts): Hono<{ Bindings: Bindings }> {
  const { program, feeds, streams, watch } = parts
  const api = new Hono<{ Bindings: Bindings }>()

  api.get('/runs', async (c) => {
    const limit = readNumber(c.req.query('limit'), 1, 1000) ?? 200
    const [status, mode, workspace, search] = ['status', 'mode', 'workspace', 'search'].map((key) => c.req.query(key))
    return c.json(await listRows(program, { status, mode, workspace, search: search?.slice(0, 200), limit }))
  })
  api.get('/waiting', async (c) => c.json(await listWaiting(program)))
  api.get('/compare', async (c) => {
    const [a, b] = await Promise.all(['a', 'b'].map(async (side) => findRun(program, c.req.query(side) ?? '')))
    return c.json(compareRuns(await describeRun(program, a!), await describeRun(program, b!)))
  })
  api.get('/runs/:id', async (c) => {
    const stored = await findRun(program, c.req.param('id'))
    return c.json(await describeRun(program, stored, readNumber(c.req.query('at'), 1, 1e9)))
  })
  api.get('/runs/:id/json', async (c) => {
    const stored = await findRun(program, c.req.param('id'))
    const { json, page } = await reportRun(program, stored, readNumber(c.req.query('at'), 1, 1e9))
    return c.json(hidePeopleIn(json as RunJsonPayload, new Set(page.steered.map(({ by }) => by))) as RunJsonPayload)
  })
  api.get('/runs/:id/log', async (c) => c.json(readLog(await feeds.get(await findRun(program, c.req.param('id'))), c)))
  api.get('/runs/:id/attempts/:task/:attempt', async (c) => {
    const stored = await findRun(program, c.req.param('id'))
    return c.json(await describeAttempt(parts, stored, c.req.param('task'), Number(c.req.param('attempt'))))
  })
  api.get('/stream', (c) => {
    refuseWhenFull(streams)
    const client = streams.open(c.env.outgoing)
    client.onClose(watch.subscribe((id) => client.send(`event: run\ndata: ${JSON.stringify({ id })}\n\n`)))
    return RESPONSE_ALREADY_SENT
  })
  api.get('/runs/:id/stream', async (c) => {
    const feed = await feeds.get(await findRun(program, c.req.param('id')))
    const after = readNumber(c.req.header('last-event-id') ?? c.req.query('after') ?? '0', 0, 1e9) ?? 0
    refuseWhenFull(streams)
    sendEvents(feed, after, streams.open(c.env.outgoing))
    return RESPONSE_ALREADY_SENT
  })
  addWrites(api, parts)
  addSap(api, parts)
  addStarts(api, parts)

  const app = new Hono<{ Bindings: Bindings }>()
  app.route('/api/v1', api)
  app.onError((error, c) => explain(error, c, parts))
  app.notFound((c) => explain(new PawlError(2, 'there is no such address', undefined, 'not_found'), c, parts))
  return app
}

/** A client that is further behind loads the present state instead. */
const mostMissed = 5000

function sendEvents(feed: Feed, after: number, client: ReturnType<Streams['open']>): void {
  const missed = feed.frames.filter(({ seq }) => seq > after)
  if (missed.length > mostMissed) client.send(formatReset(missed.at(-1)!.seq))
  else if (missed.length > 0) client.send(missed.map(({ text }) => text).join(''))
  client.onClose(feed.subscribe(({ seq, text }) => client.send(text, seq)))
}

function refuseWhenFull(streams: Streams): void {
  if (streams.isFull()) throw new PawlError(10, 'too many pages listen already', 'Close one.', 'too_many')
}

const mostLines = 1000
const mostMatches = 10_000

function readLog({ lines, firstError }: Feed, c: AppContext): LogPayload {
  const count = readNumber(c.req.query('count'), 1, mostLines) ?? mostLines
  const from = readNumber(c.req.query('from'), -1e9, 1e9) ?? -count
  const start = from < 0 ? Math.max(0, lines.length + from) : Math.max(0, from - 1)
  const search = c.req.query('search')?.slice(0, 200).toLowerCase()
  const found = search ? lines.filter(({ line }) => toText(line).toLowerCase().includes(search)) : []
  return {
    lines: lines.slice(start, start + count),
    total: lines.length,
    matches: found.slice(0, mostMatches).map(({ n }) => n),
    matchCount: found.length,
    firstError,
  }
}

const toText = (line: LogPayload['lines'][number]['line']): string =>
  line.map((span) => (typeof span === 'string' ? span : 'text' in span ? span.text : '')).join('')

async function describeAttempt(
  { program, feeds }: AppParts,
  stored: StoredRun,
  task: string,
  attempt: number,
): Promise<AttemptPayload> {
  const [read, run, feed] = await Promise.all([
    readAttempt(program, stored, task, attempt),
    describeRun(program, stored),
    feeds.get(stored),
  ])
  const of = run.timeline.tasks.find(({ id }) => id === task)
  const found = of?.attempts.find(({ n }) => n === attempt)
  if (!of || !found) throw new PawlError(2, `there is no attempt ${attempt} of ${task}`, undefined, 'not_found')
  const seqs = new Set(read.events.map(({ seq }) => seq))
  return {
    ...read,
    run: run.row,
    task: { id: of.id, title: of.title },
    attempt: found,
    attempts: of.attempts,
    lines: feed.lines.filter(({ seq }) => seqs.has(seq)),
  }
}

function readNumber(text: string | undefined, least: number, most: number): number | undefined {
  if (text === undefined || text === '') return undefined
  const value = /^-?\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  throw new PawlError(2, `${text.slice(0, 20)} is not a number from ${least} to ${most}`, undefined, 'invalid')
}

/** Answers with what happened and what to do. What goes wrong in a write, and every fault, also goes to the terminal. */
function explain(error: unknown, c: AppContext, { program, print }: AppParts): Response {
  const known = toPawlError(error)
  const { message, exit, code } = known
  const correlation_id = c.req.header('x-correlation-id')?.match(/^[\w-]{8,64}$/)?.[0] ?? randomUUID()
  const hint = known.hintFor(program.machine.environment) ?? null
  const status = isFault(known) ? 500 : code === 'not_found' ? 404 : exit === 10 ? 409 : 400
  if (c.req.method === 'POST' || status === 500) print(`error: ${message} (correlation_id ${correlation_id})`)
  const body: ErrorPayload = { error: { message, hint, code: code ?? 'refused', correlation_id } }
  return c.json(body, status)
}
