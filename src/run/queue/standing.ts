import type { Waiting } from '../../ports/queue.ts'

const standings = ['ready', 'running', 'later', 'asleep', 'failed'] as const
export type QueueStanding = (typeof standings)[number]

export type QueueFigures = {
  readonly rows: readonly (Waiting & { readonly standing: QueueStanding })[]
  readonly counts: Readonly<Record<QueueStanding, number>>
  /** How long the oldest ready run has been ready. */
  readonly oldestMs: number
}

/** Says where each run of the queue stands, and counts them. */
export function countQueue(waiting: readonly Waiting[], now: number): QueueFigures {
  const rows = waiting.map((one) => ({ ...one, standing: decideStanding(one, now) }))
  const counts = Object.fromEntries(standings.map((name) => [name, rows.filter((row) => row.standing === name).length]))
  const oldest = rows.reduce(
    (least, { standing, due = now }) => (standing === 'ready' ? Math.min(least, due) : least),
    now,
  )
  return { rows, counts: counts as QueueFigures['counts'], oldestMs: now - oldest }
}

function decideStanding({ due, owner, problem }: Waiting, now: number): QueueStanding {
  if (problem !== undefined) return 'failed'
  if (owner) return 'running'
  if (due === undefined) return 'asleep'
  return due <= now ? 'ready' : 'later'
}
