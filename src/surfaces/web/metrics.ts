import { standings } from '../../contract/show.ts'
import type { Database } from '../../run/machine.ts'
import type { Program } from '../../run/mode.ts'
import { countQueue } from '../../run/queue/standing.ts'
import { listRows } from './rows.ts'

export const metricsType = 'text/plain; version=0.0.4'

/** However many programs ask, the runs and the queue are counted once in this time. */
const freshMs = 1000
/** Prometheus gives up after 10 s. An answer without the figures of the database is better than none. */
const patienceMs = 5000

type Sample = { readonly labels?: string; readonly value: number }
type Metric = { readonly name: string; readonly help: string; readonly samples: readonly Sample[] }

/** Returns a function that writes the figures of this server in the text form of Prometheus. All are gauges. */
export function createMetrics(program: Program): () => Promise<string> {
  let last: { readonly text: Promise<string>; until: number } | undefined
  const now = (): number => program.machine.clock.elapsed()
  return () => {
    if (last && now() < last.until) return last.text
    const made = { text: writeMetrics(program), until: Number.POSITIVE_INFINITY }
    const expire = (): void => {
      made.until = now() + freshMs
    }
    made.text.then(expire, expire)
    last = made
    return made.text
  }
}

async function writeMetrics(program: Program): Promise<string> {
  const { database } = program.machine
  const [runs, queue] = await Promise.all([within(countRuns(program)), database && within(readQueue(database))])
  const up = queue ? 1 : 0
  const metrics = [
    ...(runs ?? []),
    ...(database ? [gauge('pawl_database_up', 'Whether the database of the queue answers.', up)] : []),
    ...(queue ?? []),
    gauge('process_resident_memory_bytes', 'Memory of this server.', process.memoryUsage.rss()),
    gauge('process_start_time_seconds', 'When this server started.', Date.now() / 1000 - process.uptime()),
  ]
  return metrics.map(formatMetric).join('')
}

/** Undefined if the figures cannot be had now: a missing sample is honest, a zero would not be. */
async function within(figures: Promise<readonly Metric[]>): Promise<readonly Metric[] | undefined> {
  const late = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => late.resolve(undefined), patienceMs)
  try {
    return await Promise.race([figures, late.promise])
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
  }
}

async function countRuns(program: Program): Promise<readonly Metric[]> {
  const { counts } = await listRows(program, { limit: 0 })
  const names = [...standings, 'damaged'] as const
  const samples = names.map((name) => ({ labels: `{standing="${name}"}`, value: counts[name] }))
  return [{ name: 'pawl_runs', help: 'Runs that this server lists, by standing.', samples }]
}

async function readQueue({ queue }: Database): Promise<readonly Metric[]> {
  const [waiting, workers] = await Promise.all([queue.list(), queue.workers()])
  const { counts, oldestMs } = countQueue(waiting, Date.now())
  const sum = (pick: (worker: (typeof workers)[number]) => number): number =>
    workers.reduce((total, worker) => total + pick(worker), 0)
  return [
    gauge('pawl_queue_ready', 'Runs that could be executed now.', counts.ready),
    gauge('pawl_queue_running', 'Queued runs that a worker executes.', counts.running),
    gauge('pawl_queue_later', 'Runs that wait for a time.', counts.later),
    gauge('pawl_queue_asleep', 'Runs that wait for a person.', counts.asleep),
    gauge('pawl_queue_failed', 'Runs that are tried no more until somebody resumes them.', counts.failed),
    gauge('pawl_queue_oldest_seconds', 'How long the oldest ready run has been ready.', oldestMs / 1000),
    gauge('pawl_workers', 'Workers heard of in the last 15 seconds.', workers.length),
    gauge(
      'pawl_worker_slots',
      'Runs that these workers can execute at once.',
      sum(({ concurrency }) => concurrency),
    ),
    gauge(
      'pawl_worker_slots_busy',
      'Runs that these workers execute.',
      sum(({ active }) => active),
    ),
  ]
}

const gauge = (name: string, help: string, value: number): Metric => ({ name, help, samples: [{ value }] })

const formatMetric = ({ name, help, samples }: Metric): string =>
  [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} gauge`,
    ...samples.map(({ labels = '', value }) => `${name}${labels} ${value}`),
    '',
  ].join('\n')
