import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { PawlError } from '../../contract/exit.ts'
import { createListener, type Listener, waitAtMost } from './listener.ts'
import { migrate } from './migrations.ts'
import type { Query } from './query.ts'

export type Sql = {
  /** Runs one statement, again after a lost connection. Contract: the caller's statement may run twice. */
  query: <Row extends object>(text: string, values?: readonly unknown[], options?: Patience) => Promise<readonly Row[]>
  /** Runs statements in one transaction, again from the start after a lost connection. */
  transaction<Result>(body: (query: Query) => Promise<Result>): Promise<Result>
  /** Runs statements once. For libraries that have a rule of their own for lost connections. */
  once(text: string, values?: readonly unknown[]): Promise<{ rows: object[] }>
  /** Repeats an action that failed because of a lost connection. */
  persist<Result>(action: () => Promise<Result>): Promise<Result>
  readonly listener: Listener
  close(): Promise<void>
}

/** A lost connection is tried again for this long, or until the signal fires. */
type Patience = { readonly ms?: number; readonly signal?: AbortSignal }

export type SqlOptions = {
  readonly url: string
  /** The most connections of this process, besides the one that listens. */
  readonly connections?: number
}

/** Rung instead of a run when the queue has changed. */
export const queueBell = ''

/** Rung when a run has a new note. Its own events do not ring it, or the run would look for notes after each of them. */
export const noteBell = (run: string): string => `note ${run}`

const patienceMs = 10_000
const firstMs = 2000
const queryMs = 15_000
const closeMs = 2000
const idleMs = 3000

/** Opens a database lazily: connects with the first statement, and creates or updates its tables before that. */
export function openSql({ url, connections = 8 }: SqlOptions): Sql {
  const config = {
    connectionString: url,
    application_name: 'pawl',
    connectionTimeoutMillis: 5000,
    query_timeout: queryMs,
    // A process that is stopped in a transaction keeps its locks: the server ends it.
    idle_in_transaction_session_timeout: idleMs,
    keepAlive: true,
  }
  let opened: Promise<pg.Pool> | undefined
  let prepared: Promise<void> | undefined
  let isClosed = false
  let hasAnswered = false
  const pool = async (): Promise<pg.Pool> => {
    opened ??= openPool()
    return opened
  }
  const listener = createListener({
    connect: async () => new (await loadPg()).Client(config),
    query: (text, values) => query(text, values),
  })

  async function openPool(): Promise<pg.Pool> {
    const { Pool } = await loadPg()
    // An idle connection does not keep a command from ending.
    const made = new Pool({ ...config, max: connections, allowExitOnIdle: true })
    made.on('error', () => {}) // The next statement gets a new connection.
    return made
  }

  async function query<Row extends object>(
    text: string,
    values: readonly unknown[] = [],
    patience: Patience = {},
  ): Promise<readonly Row[]> {
    await ready()
    return persist(patience, async () => (await (await pool()).query(text, [...values])).rows as Row[])
  }

  async function transaction<Result>(
    body: (query: Query) => Promise<Result>,
    patience: Patience = {},
  ): Promise<Result> {
    return persist(patience, async () => {
      const client = await (await pool()).connect()
      let broken: Error | undefined
      try {
        await client.query('begin')
        const result = await body(async (text, values = []) => (await client.query(text, [...values])).rows)
        await client.query('commit')
        return result
      } catch (error) {
        broken = error as Error
        await client.query('rollback').catch(() => {})
        throw error
      } finally {
        client.release(broken && isTransient(broken) ? broken : undefined)
      }
    })
  }

  /** Creates the tables once for this process. Tried again with the next statement if the database was not there. */
  async function ready(): Promise<void> {
    prepared ??= migrate({
      ask: (text) => persist({}, async () => (await (await pool()).query(text)).rows),
      transaction,
    })
    try {
      await prepared
    } catch (error) {
      prepared = undefined
      throw error
    }
  }

  async function persist<Result>(patience: Patience, action: () => Promise<Result>): Promise<Result> {
    // A server that was never reached is probably the wrong one; one that was comes back after a restart.
    const { ms = hasAnswered ? patienceMs : firstMs, signal } = patience
    const until = performance.now() + ms
    for (let pauseMs = 20; ; pauseMs = Math.min(500, pauseMs * 2)) {
      try {
        const result = await action()
        hasAnswered = true
        return result
      } catch (error) {
        const isOver = isClosed || signal?.aborted || performance.now() + pauseMs > until
        if (!isTransient(error) || isOver) throw toDatabaseError(error, url)
        await delay(pauseMs)
      }
    }
  }

  return {
    query,
    transaction: async (body) => {
      await ready()
      return transaction(body)
    },
    async once(text, values = []) {
      await ready()
      const result = await (await pool()).query(text, [...values])
      // Several statements have a result each.
      return Array.isArray(result) ? { rows: (result as pg.QueryResult[]).flatMap(({ rows }) => rows) } : result
    },
    persist: (action) => persist({}, action),
    listener,
    async close() {
      isClosed = true
      await listener.close()
      const pool = await opened?.catch(() => undefined)
      await waitAtMost(closeMs, pool?.end())
    },
  }
}

async function loadPg(): Promise<typeof pg> {
  try {
    return (await import('pg')).default
  } catch {
    throw new PawlError(10, 'the package pg is not installed', 'It is optional: npm install pg pg-boss', 'no_database')
  }
}

const transientCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '53300', // too_many_connections
  '40001', // serialization_failure
  '40P01', // deadlock_detected
  '25006', // read_only_sql_transaction: a standby that is about to take over
])
const transientWords = /Connection terminated|Query read timeout|timeout exceeded when trying to connect|not queryable/i

/** Whether the same statement may succeed a moment later. */
function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code = '' } = error as { code?: string }
  return transientCodes.has(code) || code.startsWith('08') || transientWords.test(error.message)
}

/** The error for people. Names the server, never the password. */
function toDatabaseError(error: unknown, url: string): unknown {
  const isOurs = error instanceof PawlError || !(error instanceof Error)
  if (isOurs || !(isTransient(error) || typeof (error as { code?: unknown }).code === 'string')) return error
  const what = `the database ${describeUrl(url)} cannot be used: ${error.message || (error as { code?: string }).code}`
  const known = new PawlError(
    20,
    what,
    'Stored events are kept. Check the server, then try again. Without PAWL_DATABASE_URL, only runs of this machine are used.',
    'no_database',
  )
  known.cause = error
  return known
}

/** Returns host, port and name of a database, without user and password. */
function describeUrl(url: string): string {
  try {
    const { host, pathname } = new URL(url)
    return `${host}${pathname}`
  } catch {
    return 'at that address'
  }
}

/** Returns JSON that Postgres accepts: it can store neither NUL nor half of a surrogate pair. Both become U+FFFD. */
export function toJson(value: unknown): string {
  const text = JSON.stringify(value)
  return text.includes('\\u') ? text.replace(unstorable, '\\ufffd') : text
}

/** An escape after an even number of backslashes. JSON.stringify escapes a surrogate only if its other half is missing. */
const unstorable = /(?<=(?:^|[^\\])(?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/g
