import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { openPostgresQueue } from '../src/adapters/postgres/queue.ts'
import { openSql, type Sql } from '../src/adapters/postgres/sql.ts'
import type { NewTurn, Queue } from '../src/ports/queue.ts'
import { readCpuTime } from './cpu-time.ts'

export type Crew = {
  readonly url: string
  readonly size: number
  /** The command line of one worker, after `node`. */
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/** What one turn took. `workerMs` and `serverMs` are processor time; a commit is a statement of its own or a transaction. */
export type TurnCost = {
  readonly ms: number
  readonly workerMs: number
  readonly serverMs: number
  readonly commits: number
  readonly walBytes: number
}

/** The most turns that are added in one statement. */
const batch = 1000

/** Starts workers, lets them do `warmUp`, adds `turns`, and measures until none is left. Ends the workers. */
export async function emptyQueue(
  { url, size, argv, env, signal }: Crew,
  warmUp: readonly NewTurn[],
  turns: readonly NewTurn[],
): Promise<TurnCost> {
  const sql = openSql({ url })
  const queue = openPostgresQueue(sql)
  const workers = Array.from({ length: size }, () => startWorker(argv, env, signal))
  const pids = workers.map(({ pid }) => pid!)
  try {
    await sql.query('select 1')
    await waitFor(sql, 'select count(*)::int as n from pawl.worker', size, signal)
    await addAll(queue, warmUp)
    await waitFor(sql, countTurns, 0, signal)
    const before = await readUse(sql, pids)
    await addAll(queue, turns)
    await waitFor(sql, countTurns, 0, signal)
    const after = await readUse(sql, pids)
    const each = (of: keyof TurnCost): number => (after[of] - before[of]) / turns.length
    return {
      ms: each('ms'),
      workerMs: each('workerMs'),
      serverMs: each('serverMs'),
      commits: each('commits'),
      walBytes: each('walBytes'),
    }
  } finally {
    await Promise.all(workers.map(endWorker))
    await queue.close()
    await sql.close()
  }
}

const countTurns = 'select count(*)::int as n from pawl.turn'

async function addAll(queue: Queue, turns: readonly NewTurn[]): Promise<void> {
  for (let at = 0; at < turns.length; at += batch) await queue.add(turns.slice(at, at + batch))
}

/** A turn that failed stays in the queue, so this would wait for ever: it says so instead. */
async function waitFor(sql: Sql, statement: string, n: number, signal: AbortSignal): Promise<void> {
  for (;;) {
    const [row] = await sql.query<{ n: number }>(statement)
    if (row!.n === n) return
    const [failed] = await sql.query<{ problem: string }>('select problem from pawl.turn where problem is not null')
    if (failed) throw new Error(`a turn failed: ${failed.problem}`)
    await delay(100, undefined, { signal })
  }
}

/** The server and the workers are the only children of this process. */
async function readUse({ query }: Sql, workers: readonly number[]): Promise<TurnCost> {
  const [row] = await query<{ commits: string; wal: string }>(
    `select xact_commit as commits, pg_current_wal_lsn() - '0/0'::pg_lsn as wal
     from pg_stat_database where datname = current_database()`,
  )
  const used = readCpuTime(process.pid, workers)
  return {
    ms: performance.now(),
    workerMs: used.some,
    serverMs: used.all - used.some,
    commits: Number(row!.commits),
    walBytes: Number(row!.wal),
  }
}

function startWorker(argv: readonly string[], env: Readonly<Record<string, string>>, signal: AbortSignal) {
  const path = process.env.PATH ?? ''
  return spawn(process.execPath, argv, { stdio: 'ignore', env: { PATH: path, ...env }, signal })
}

async function endWorker(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const over = once(child, 'exit')
  child.kill('SIGTERM')
  await over
}
