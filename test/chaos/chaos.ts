import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startPostgres } from '../../scripts/postgres.ts'
import { openPostgresQueue } from '../../src/adapters/postgres/queue.ts'
import { openSql, type Sql } from '../../src/adapters/postgres/sql.ts'
import { openPostgresStore } from '../../src/adapters/postgres/store.ts'
import { openMemoryStore } from '../../src/adapters/stores/memory/store.ts'
import { mulberry32 } from '../torture/kill.ts'
import { startProxy } from './proxy.ts'
import { newSteps } from './steps-mode.ts'

export type ChaosOptions = {
  readonly runs: number
  readonly workers: number
  readonly seed: number
  /** Faults go on for at least this long, and until all runs have ended. */
  readonly ms: number
  /** Only kills workers. Otherwise everything breaks. */
  readonly onlyKills?: boolean
}

export type ChaosReport = {
  readonly faults: Readonly<Record<string, number>>
  readonly problems: readonly string[]
  /** Times from the death of a worker until another one held its run. */
  readonly takeovers: readonly number[]
  readonly refused: number
  readonly acknowledged: number
  readonly seconds: number
}

const steps = 5
const stoppedMs = 16_000

/** Executes runs with real workers on a real server, and breaks what can break. */
export async function runChaos({
  runs,
  workers: count,
  seed,
  ms,
  onlyKills = false,
}: ChaosOptions): Promise<ChaosReport> {
  const random = mulberry32(seed)
  const folder = mkdtempSync(join(tmpdir(), 'pawl-chaos-'))
  const server = await startPostgres({ durable: true })
  const proxy = await startProxy(Number(new URL(server.url()).port))
  const proxied = new URL(server.url())
  proxied.port = String(proxy.port)
  const sql = openSql({ url: server.url() })
  const queue = openPostgresQueue(sql)
  const faults: Record<string, number> = { kill: 0, stop: 0, cut: 0, 'lost acknowledgement': 0, restart: 0, crash: 0 }
  const deaths: { run: string; epoch: number; at: number }[] = []
  const workers: Worker[] = []
  const paused: Promise<void>[] = []
  const started = performance.now()
  try {
    await addRuns()
    for (let index = 0; index < count; index++) workers.push(startWorker())
    while (performance.now() - started < ms || !(await isOver())) {
      await delay(200 + random() * 800)
      if (performance.now() - started < ms) await breakSomething().catch(() => {})
      if (performance.now() - started > ms + 240_000) break
    }
    await Promise.all(paused)
    for (const worker of workers) worker.child.kill('SIGTERM')
    await Promise.all(workers.map(({ over }) => over))
    return { ...(await judge()), faults: { ...faults, 'lost acknowledgement': proxy.lost() }, seconds: seconds() }
  } finally {
    for (const { child } of workers) child.kill('SIGKILL')
    await queue.close()
    await sql.close()
    await proxy.close()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }

  function seconds(): number {
    return Math.round((performance.now() - started) / 1000)
  }

  type Worker = { readonly child: ChildProcess; readonly over: Promise<unknown>; isStopped: boolean }

  function startWorker(): Worker {
    const log = join(folder, `worker-${workers.length}-${Math.floor(random() * 1e9)}.log`)
    const words = [join(import.meta.dirname, 'fixtures', 'worker.ts'), proxied.href, log]
    const env = { PATH: process.env.PATH ?? '', HOME: folder }
    const child = spawn(process.execPath, words, { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] })
    return { child, over: once(child, 'exit'), isStopped: false }
  }

  async function addRuns(): Promise<void> {
    await sql.query('create table effect (key text primary key, pid int not null)')
    const store = openPostgresStore({ sql, folders: openMemoryStore() })
    const ids = Array.from({ length: runs }, (_, index) => `chaos-${index}`)
    for (const id of ids) {
      await store.create(newSteps(id, folder, { steps, stepMs: 100 + Math.floor(random() * 700) }))
    }
    await queue.add(ids.map((run) => ({ run, mode: 'steps' })))
  }

  async function isOver(): Promise<boolean> {
    return (await queue.list().catch(() => [{}])).length === 0
  }

  async function breakSomething(): Promise<void> {
    const victim = workers[Math.floor(random() * workers.length)]!
    const dice = onlyKills ? 0 : random()
    if (onlyKills && (await holdsOf(sql, victim.child.pid!)).length === 0) return
    if (dice < 0.35) await kill(victim)
    else if (dice < 0.5) stop(victim)
    else if (dice < 0.7) {
      proxy.cut()
      faults.cut!++
    } else if (dice < 0.92) proxy.loseNextAcknowledgement()
    else await restart(dice < 0.96 ? 'fast' : 'crash')
  }

  async function kill(victim: Worker): Promise<void> {
    if (victim.isStopped) return
    const { pid } = victim.child
    victim.child.kill('SIGKILL')
    await victim.over
    const at = Date.now()
    faults.kill!++
    workers[workers.indexOf(victim)] = startWorker()
    for (const row of await holdsOf(sql, pid!)) deaths.push({ ...row, at })
  }

  /** Stops a worker for longer than its lease, and lets it go on. */
  function stop(victim: Worker): void {
    if (victim.isStopped || workers.filter(({ isStopped }) => isStopped).length * 2 >= count) return
    victim.isStopped = true
    victim.child.kill('SIGSTOP')
    faults.stop!++
    paused.push(
      delay(stoppedMs).then(() => {
        victim.child.kill('SIGCONT')
        victim.isStopped = false
      }),
    )
  }

  async function restart(how: 'fast' | 'crash'): Promise<void> {
    await server.restart(how)
    faults[how === 'fast' ? 'restart' : 'crash']!++
  }

  async function judge() {
    const problems: string[] = []
    const journals = await readJournals(sql)
    const effects = await sql.query<{ key: string }>('select key from effect')
    for (let index = 0; index < runs; index++) {
      const id = `chaos-${index}`
      problems.push(...judgeRun(id, journals.get(id) ?? []))
      const own = effects.filter(({ key }) => key.startsWith(`${id}/`))
      if (own.length !== steps) problems.push(`${id}: ${own.length} effects`)
    }
    let [acknowledged, refused] = [0, 0]
    for (const line of readLogs(folder)) {
      const [kind, run = '', seq, epoch] = line.split(' ')
      if (kind === 'refused') refused++
      if (kind !== 'event') continue
      acknowledged++
      const stored = journals.get(run)?.[Number(seq) - 1]
      if (stored?.epoch !== Number(epoch))
        problems.push(`${run}: event ${seq} of epoch ${epoch} was acknowledged and is lost`)
    }
    const held = readLogs(folder).filter((line) => line.startsWith('held '))
    const takeovers = deaths.flatMap(({ run, epoch, at }) => {
      const next = held
        .map((line) => line.split(' '))
        .filter(([, id, number]) => id === run && Number(number) > epoch)
        .map(([, , , time]) => Number(time))
      return next.length > 0 ? [Math.min(...next) - at] : []
    })
    return { problems, takeovers, refused, acknowledged }
  }
}

async function holdsOf(sql: Sql, pid: number): Promise<readonly { run: string; epoch: number }[]> {
  return sql.query<{ run: string; epoch: number }>(
    `select l.run, l.epoch from pawl.lease l where holder is not null and (owner->>'pid')::int = $1
     and not exists (select 1 from pawl.event e where e.run = l.run and e.line->>'phase' = 'run' and e.line->>'status' = 'completed')`,
    [pid],
  )
}

type Row = { readonly seq: number; readonly epoch: number; readonly what: string; readonly task: string | null }

async function readJournals(sql: Sql): Promise<Map<string, Row[]>> {
  const rows = await sql.query<{ run: string } & Row>(
    `select run, seq, (line->>'epoch')::int as epoch, (line->>'phase') || '/' || (line->>'status') as what, line->>'story_id' as task
     from pawl.event order by run, seq`,
  )
  const journals = new Map<string, Row[]>()
  for (const { run, ...row } of rows) journals.set(run, [...(journals.get(run) ?? []), row])
  return journals
}

/** Every event once and in order, epochs that never fall, every step done once, and an end. */
function judgeRun(id: string, events: readonly Row[]): string[] {
  const problems: string[] = []
  if (events.some(({ seq }, index) => seq !== index + 1)) problems.push(`${id}: events are missing`)
  if (events.some(({ epoch }, index) => epoch < (events[index - 1]?.epoch ?? 0))) problems.push(`${id}: a stale event`)
  const done = events.filter(({ what }) => what === 'decide/done').map(({ task }) => task)
  const wanted = Array.from({ length: steps }, (_, index) => `step-${index + 1}`)
  if (done.join() !== wanted.join()) problems.push(`${id}: done ${done.join()}`)
  const ends = events.filter(({ what }) => what === 'run/completed').length
  if (ends !== 1 || events.at(-1)?.what !== 'run/completed') problems.push(`${id}: ended ${ends} times`)
  return problems
}

const readLogs = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.startsWith('worker-') && name.endsWith('.log'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n').slice(0, -1))
