import { requireDatabase } from '../../../../run/queue/queued-machine.ts'
import { countQueue, type QueueFigures } from '../../../../run/queue/standing.ts'
import { formatCount, formatDuration } from '../../../../show/format.ts'
import type { Handler } from '../../../terminal/command.ts'
import { createRendering } from '../../../terminal/render.ts'
import { layoutTable } from '../../../terminal/table.ts'

/** Shows the queue: what waits and since when, which workers live, and who executes what. */
export const handle: Handler = async ({ program, io }) => {
  const { queue } = requireDatabase(program.machine, 'the queue')
  const [waiting, workers] = await Promise.all([queue.list(), queue.workers()])
  const now = Date.now()
  const { rows, counts, oldestMs } = countQueue(waiting, now)
  const facts = { depth: counts.ready, oldest_ms: oldestMs, counts, workers, runs: rows.map(toFact) }
  io.result(facts, () => {
    const { width } = createRendering(program, undefined, io)
    const slots = workers.reduce((sum, { concurrency }) => sum + concurrency, 0)
    const head = ['RUN', 'NAME', 'KIND', 'STATE', 'PRIORITY', 'IN QUEUE', 'WHERE']
    const table = rows.map((row) => [
      row.run,
      row.name,
      row.mode,
      describe(row, now),
      String(row.priority),
      formatDuration(now - row.since),
      row.owner
        ? `pid ${row.owner.pid} on ${row.owner.host}, for ${formatDuration(now - Date.parse(row.owner.since))}`
        : '',
    ])
    return [
      `${formatCount(counts.ready, 'run')} ready${counts.ready > 0 ? `, the oldest for ${formatDuration(oldestMs)}` : ''}, ${counts.running} running, ${counts.later} later, ${counts.asleep} waiting for a person, ${counts.failed} failed.`,
      workers.length === 0
        ? `No worker is running. To start one: ${program.machine.environment.program} worker`
        : `${formatCount(workers.length, 'worker')} with ${formatCount(slots, 'slot')}: ${workers.map(({ owner, active, concurrency }) => `pid ${owner.pid} on ${owner.host} (${active} of ${concurrency})`).join(', ')}`,
      ...(rows.length > 0
        ? ['', ...layoutTable([head, ...table], { width, headings: 1, shorten: [6, 3, 1], drop: [4, 2, 5] })]
        : []),
    ]
  })
  return 0
}

type Row = QueueFigures['rows'][number]

function describe({ standing, problem, due }: Row, now: number): string {
  if (standing === 'failed') return `failed: ${problem}`
  if (standing === 'asleep') return 'waits for a person'
  return standing === 'later' ? `in ${formatDuration((due ?? now) - now)}` : standing
}

const toFact = ({ run, name, mode, standing, priority, since, due, owner, problem }: Row) => ({
  run,
  name,
  mode,
  standing,
  priority,
  since: new Date(since).toISOString(),
  due: due === undefined ? null : new Date(due).toISOString(),
  owner: owner ? { host: owner.host, pid: owner.pid, since: owner.since, epoch: owner.epoch } : null,
  problem: problem ?? null,
})
