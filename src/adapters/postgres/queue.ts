import { randomUUID } from 'node:crypto'
import type { PgBoss } from 'pg-boss'
import { PawlError } from '../../contract/exit.ts'
import type { Caps } from '../../contract/values.ts'
import type { AfterTurn, NewTurn, Queue, Turn, WorkOptions } from '../../ports/queue.ts'
import { newOwner } from '../stores/shared/values.ts'
import { listTurns, listWorkers } from './queue-lists.ts'
import { queueBell, type Sql } from './sql.ts'

const schema = 'pawl_queue'
const queueName = 'runs'
const deadName = 'dead-runs'
/** A job whose worker is not heard of for this long goes to another one. The shortest that pg-boss allows. */
const heartbeatSeconds = 10
const touchMs = 3000
const pollMs = 500
const sweepMs = 2000
const maxTries = 10
/** The planner of Postgres picks a slow plan for a queue that has just grown by this much and was never analyzed. */
const bulk = 500

type Job = { readonly id: string; readonly retryCount: number; readonly data: { readonly run: string } }
type TurnRow = { run: string; mode: string; priority: number; version: number; reopen: { caps: Caps } | null }

/**
 * A queue in Postgres. The table `turn` says which runs want a turn; pg-boss brings them to workers, notices dead ones and counts
 * tries. A turn without a job gets one from the next sweep of any worker, so nothing is lost between the two.
 */
export function openPostgresQueue(sql: Sql): Queue {
  const starters = new Map<boolean, Promise<PgBoss>>()
  /** Only workers supervise: they look for dead jobs and clean up. */
  const start = async (supervises: boolean): Promise<PgBoss> => {
    const started = starters.get(supervises) ?? startBoss(sql, supervises)
    starters.set(supervises, started)
    started.catch(() => starters.delete(supervises))
    return started
  }

  return {
    async add(turns) {
      await sql.query(
        `insert into pawl.turn as t (run, mode, priority, due, reopen)
         select run, mode, coalesce(priority, (select priority from pawl.turn o where o.run = given.run), 0), clock_timestamp(), reopen
         from jsonb_to_recordset($1::jsonb) as given (run text, mode text, priority int, reopen jsonb)
         on conflict (run) do update set due = clock_timestamp(), priority = excluded.priority,
           reopen = coalesce(excluded.reopen, t.reopen), version = t.version + 1, tries = 0, problem = null`,
        [JSON.stringify(turns)],
      )
      const boss = await start(false)
      // Without a job, the next sweep of a worker makes one.
      await send(boss, turns).catch(() => {})
      if (turns.length >= bulk) for (const table of [`${schema}.job`, 'pawl.turn']) await sql.query(`analyze ${table}`)
      sql.listener.ring(queueBell)
    },
    work: async (options, take) => work(sql, await start(true), options, take),
    list: () => listTurns(sql),
    workers: () => listWorkers(sql),
    async close() {
      for (const started of starters.values()) {
        const boss = await started.catch(() => undefined)
        await boss?.stop({ graceful: false, close: false }).catch(() => {})
      }
    },
  }
}

async function startBoss(sql: Sql, supervises: boolean): Promise<PgBoss> {
  const { PgBoss } = await import('pg-boss').catch(() => {
    throw new PawlError(
      10,
      'the package pg-boss is not installed',
      'It is optional: npm install pg pg-boss',
      'no_database',
    )
  })
  const boss = new PgBoss({
    db: { executeSql: (text, values) => sql.once(text, values) },
    schema,
    schedule: false,
    supervise: supervises,
    superviseIntervalSeconds: 2,
    monitorIntervalSeconds: 2,
  })
  boss.on('error', () => {}) // It goes on by itself after a lost connection.
  await sql.persist(() => boss.start())
  await sql.persist(() => boss.createQueue(deadName))
  const options = {
    // At most one job of a run, waiting or at work.
    policy: 'exclusive' as const,
    heartbeatSeconds,
    // Tries again at once: only the death of a worker fails a job. A turn that fails is put off by its row.
    retryLimit: maxTries,
    retryDelay: 0,
    expireInSeconds: 24 * 60 * 60 - 1,
    deleteAfterSeconds: 60 * 60,
    deadLetter: deadName,
  }
  await sql.persist(() => boss.createQueue(queueName, options))
  return boss
}

/** Adds jobs. A run that has one already gets no second. */
async function send(boss: PgBoss, turns: readonly Pick<NewTurn, 'run' | 'mode' | 'priority'>[]): Promise<void> {
  const jobs = turns.map(({ run, mode, priority = 0 }) => ({
    data: { run },
    singletonKey: run,
    priority,
    group: { id: mode },
  }))
  if (jobs.length > 0) await boss.insert(queueName, jobs)
}

async function work(
  sql: Sql,
  boss: PgBoss,
  options: WorkOptions,
  take: (turn: Turn) => Promise<AfterTurn>,
): Promise<void> {
  const { concurrency, signal, onProblem } = options
  const id = randomUUID()
  const owner = newOwner(0)
  const active = new Map<string, { readonly job: Job; readonly mode: string; readonly done: Promise<void> }>()
  let lastSweep = Number.NEGATIVE_INFINITY
  let wake = new AbortController()
  const call = (): void => wake.abort()
  const hear = (): void => {
    lastSweep = Number.NEGATIVE_INFINITY
    call()
  }
  const deaf = sql.listener.on(queueBell, hear)
  signal.addEventListener('abort', call)
  const touching = setInterval(() => void touch(), touchMs)

  /** Tells pg-boss that this worker lives. */
  async function touch(): Promise<void> {
    const jobs = [...active.values()].map(({ job }) => ({ id: job.id, retryCount: job.retryCount }))
    if (jobs.length > 0) await boss.touch(queueName, jobs).catch(() => {})
  }

  try {
    while (!signal.aborted) {
      wake = new AbortController()
      try {
        if (performance.now() - lastSweep >= sweepMs) {
          lastSweep = performance.now()
          await sweep(sql, boss)
          await markSeen()
        }
        await takeJobs()
      } catch (error) {
        onProblem((error as Error).message)
      }
      if (!signal.aborted && !wake.signal.aborted) await sql.listener.wait(queueBell, pollMs, wake.signal)
    }
    // Those at work are told to stop by the same signal.
    await Promise.all([...active.values()].map(({ done }) => done))
  } finally {
    clearInterval(touching)
    deaf()
    signal.removeEventListener('abort', call)
    await sql.query('delete from pawl.worker where id = $1', [id]).catch(() => {})
  }

  async function takeJobs(): Promise<void> {
    for (const batchSize of splitByMode(concurrency - active.size)) {
      if (signal.aborted) return
      const ignoreGroups = await fullModes()
      const jobs = (await boss.fetch(queueName, { batchSize, ignoreGroups })) as Job[]
      for (const job of jobs) begin(job)
      if (jobs.length < batchSize) return
    }
  }

  /** With a limit per mode, jobs are fetched one by one, so that a batch does not exceed it. */
  function splitByMode(free: number): number[] {
    if (free <= 0) return []
    return options.perMode || options.modes ? Array.from({ length: free }, () => 1) : [free]
  }

  async function fullModes(): Promise<string[]> {
    const count = (mode: string): number => [...active.values()].filter((one) => one.mode === mode).length
    const full = Object.entries(options.perMode ?? {}).flatMap(([mode, most]) => (count(mode) >= most ? [mode] : []))
    if (!options.modes) return full
    const rows = await sql.query<{ mode: string }>('select distinct mode from pawl.turn')
    return [...full, ...rows.map(({ mode }) => mode).filter((mode) => !options.modes!.includes(mode))]
  }

  function begin(job: Job): void {
    const mode = (job as { groupId?: string }).groupId ?? ''
    const done = giveTurn(job).then((wantsMore) => {
      active.delete(job.id)
      // A sweep looks at the whole queue, so it does not follow every turn.
      if (wantsMore) hear()
      else call()
    })
    active.set(job.id, { job, mode, done })
  }

  /** What the run wants next is stored before the job is completed: a crash between the two costs only an empty turn. */
  async function giveTurn(job: Job): Promise<boolean> {
    const attempt = { id: job.id, retryCount: job.retryCount }
    const { run } = job.data
    try {
      const [turn] = await sql.query<TurnRow>(
        'select run, mode, priority, version, reopen from pawl.turn where run = $1 and due <= clock_timestamp() and problem is null',
        [run],
      )
      const wantsMore = turn !== undefined && (await settle(run, turn.version, await tryTurn(turn)))
      await boss.complete(queueName, attempt)
      return wantsMore
    } catch (error) {
      // The database cannot be reached. The job's heartbeat ends, and another worker gets it.
      onProblem(`${run}: ${(error as Error).message}`)
      return true
    }

    async function tryTurn({ mode, priority, reopen }: TurnRow): Promise<AfterTurn | Error> {
      try {
        return await take({ run, mode, priority, job: job.id, ...(reopen && { reopen }) })
      } catch (error) {
        onProblem(`${run}: ${(error as Error).message}`)
        return error as Error
      }
    }
  }

  /** Stores what the run wants next. True if that is a turn soon: it asked for one, or somebody woke it during its turn. */
  async function settle(run: string, version: number, after: AfterTurn | Error): Promise<boolean> {
    const [change, ...values] = describeChange(after)
    const settled = await sql.query(`${change} where run = $1 and version = $2 returning 1`, [run, version, ...values])
    const isSoon = !(after instanceof Error) && after.is === 'again' && after.at < Date.now() + sweepMs
    return isSoon || settled.length === 0
  }

  async function markSeen(): Promise<void> {
    await sql.query(
      `insert into pawl.worker (id, owner, concurrency, active, seen) values ($1, $2, $3, $4, clock_timestamp())
       on conflict (id) do update set active = excluded.active, seen = excluded.seen`,
      [id, JSON.stringify(owner), concurrency, active.size],
    )
  }
}

/** The beginning of the statement for what a run wants next, and its values from $3 on. */
function describeChange(after: AfterTurn | Error): [statement: string, ...values: unknown[]] {
  if (after instanceof Error) {
    const later = `due = clock_timestamp() + least(60, 2 ^ tries) * interval '1 s'`
    const change = `update pawl.turn set tries = tries + 1, ${later}, problem = case when tries + 1 >= $3 then $4 end`
    return [change, maxTries, after.message]
  }
  if (after.is === 'ended') return ['delete from pawl.turn']
  const due = after.is === 'asleep' ? 'infinity' : new Date(after.at)
  return ['update pawl.turn set due = $3, tries = 0, reopen = null', due]
}

/** More than any priority of a person. */
const firstPriority = 1_000_000

/** Gives every due turn a job, takes up dead letters, and forgets workers that are not heard of. */
async function sweep(sql: Sql, boss: PgBoss): Promise<void> {
  // A run that has begun does not wait behind those that have not: its worker died, or it had to wait for something.
  await sql.query(
    `update ${schema}.job set priority = priority + $1 where name = '${queueName}' and state = 'retry' and priority < $1 / 2`,
    [firstPriority],
  )
  const due = await sql.query<Pick<TurnRow, 'run' | 'mode' | 'priority'>>(
    `select t.run, t.mode, t.priority + case when l.epoch > 0 then ${firstPriority} else 0 end as priority
     from pawl.turn t left join pawl.lease l on l.run = t.run
     where t.due <= clock_timestamp() and t.problem is null
       and (l.holder is null or l.until < clock_timestamp())
       and not exists (select 1 from ${schema}.job j where j.name = '${queueName}' and coalesce(j.singleton_key, '') = t.run
         and j.state <= 'active' and j.policy = 'exclusive')
     order by priority desc, t.due limit 1000`,
  )
  await send(boss, due)
  for (const { id, retryCount, data, output } of await boss.fetch<{ run: string }>(deadName, {
    batchSize: 100,
    includeMetadata: true,
  })) {
    const says = (output as { message?: string; value?: { message?: string } } | null) ?? {}
    const problem = says.message ?? says.value?.message ?? 'its workers died'
    await sql.query(`update pawl.turn set problem = $2, due = 'infinity' where run = $1`, [data.run, problem])
    await boss.complete(deadName, { id, retryCount })
  }
  await sql.query(`delete from pawl.worker where seen < clock_timestamp() - interval '1 minute'`)
}
