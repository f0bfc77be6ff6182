import type { Owner } from '../../ports/lease.ts'
import type { Waiting, WorkerSeen } from '../../ports/queue.ts'
import type { Sql } from './sql.ts'

/** Returns the queue for people, at most 10,000 runs. */
export async function listTurns({ query }: Sql): Promise<readonly Waiting[]> {
  const rows = await query<{
    run: string
    mode: string
    name: string
    priority: number
    since: Date
    due: Date | number
    owner: Owner | null
    epoch: number
    problem: string | null
  }>(
    `select t.run, t.mode, r.name, t.priority, t.since, t.due, t.problem, l.epoch,
       case when l.holder is not null and l.until >= clock_timestamp() then l.owner end as owner
     from pawl.turn t join pawl.run r on r.id = t.run left join pawl.lease l on l.run = t.run
     order by t.priority desc, t.since limit 10000`,
  )
  return rows.map(({ since, due, owner, epoch, problem, ...row }) => ({
    ...row,
    since: since.getTime(),
    due: due instanceof Date ? due.getTime() : undefined,
    owner: owner ? { ...owner, epoch } : undefined,
    problem: problem ?? undefined,
  }))
}

export async function listWorkers({ query }: Sql): Promise<readonly WorkerSeen[]> {
  const rows = await query<{ owner: Owner; concurrency: number; active: number; seen: Date }>(
    `select owner, concurrency, active, seen from pawl.worker where seen > clock_timestamp() - interval '15 seconds' order by id`,
  )
  return rows.map(({ seen, ...row }) => ({ ...row, seen: seen.getTime() }))
}
