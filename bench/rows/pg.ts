import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { createDatabase } from '../../scripts/postgres.ts'
import type { LoopTime } from '../lanes.ts'
import type { Bench, Line } from '../line.ts'
import { type Compared, compare, type Pair, takeTurns } from '../pairs.ts'
import { type PgRival, pgRivals } from '../pg-rivals.ts'
import { withPostgres } from '../postgres.ts'
import { runProgram } from '../program.ts'
import { round } from '../table.ts'

const mostRatio = 2
/** Many short turns: a checkpoint of the server or a neighbour then hits few of them. */
const appendTurns = 41
const loopTurns = 5
const loops = 60

/** `events`: what each writer adds in a turn. */
const manners = [
  { writers: 1, events: 50, says: 'one run' },
  { writers: 10, events: 20, says: '10 runs at once' },
] as const

/** A durable step in Postgres, compared with a raw insert, and a loop of five steps with those of others. */
export async function pg(bench: Bench): Promise<Line[]> {
  return withPostgres(async (url) => {
    const lines: Line[] = []
    for (const manner of manners) lines.push(await measureAppend(bench, url, manner))
    for (const rival of pgRivals) lines.push(...(await measureRival(bench, url, rival)))
    return lines
  })
}

type Manner = (typeof manners)[number]

const nothing = { row: 'pg', ratio: null, spread: null, bound: null, durability: '-' }
const durability = 'both: every commit synced'

async function measureAppend({ scratch, signal }: Bench, url: string, manner: Manner): Promise<Line> {
  const { writers, events, says } = manner
  const folder = mkdtempSync(join(scratch, 'pg-'))
  const args = [url, folder, ...[writers, events, appendTurns].map(String)]
  const { pairs } = await runProgram<{ pairs: Pair[] }>('pg-append', args, { signal })
  const compared = compare(pairs)
  return {
    ...nothing,
    ...ratioOf(compared),
    subject: `journal.append, ${says}`,
    anchor: 'insert of the same line',
    bound: { value: compared.ratio, most: mostRatio, unit: 'x' },
    durability,
    figures: `${Math.round(compared.subject)} and ${Math.round(compared.anchor)} us/event`,
  }
}

/** Each turn is a separate process. Both have a database of their own on one server. */
async function measureRival({ scratch, signal }: Bench, url: string, rival: PgRival): Promise<Line[]> {
  const found = rival.install()
  const subject = 'loop of 5 steps'
  if ('missing' in found)
    return [{ ...nothing, subject, anchor: rival.name, figures: `not measured: ${found.missing}` }]
  const [ours, theirs] = [await createDatabase(url), await createDatabase(url)]
  const folder = mkdtempSync(join(scratch, 'pg-'))
  // The checkpointer of LangGraph uses pg in a way that pg warns of.
  const quiet = { signal, flags: ['--no-deprecation'] }
  let events = 0
  const lines: Line[] = []
  for (const { writers, says } of manners) {
    const counts = [String(writers), String(loops)]
    const own = async (): Promise<number> => {
      const timed = await runProgram<Looped>('pg-loop-own', [ours.url, folder, ...counts], { signal })
      events = timed.events
      return timed.usPerStep
    }
    const their = async (): Promise<number> =>
      (await runProgram<LoopTime>(rival.program, [found.folder, theirs.url, ...counts], quiet)).usPerStep
    const compared = compare(await takeTurns(loopTurns, own, their))
    lines.push({
      ...nothing,
      ...ratioOf(compared),
      subject: `${subject}, ${says}`,
      anchor: rival.name,
      durability,
      figures: `${describe(compared)} us/step; ours writes ${events} events in a loop`,
    })
  }
  return lines
}

type Looped = LoopTime & { readonly events: number }

const ratioOf = ({ ratio, spread }: Compared): Pick<Line, 'ratio' | 'spread'> => ({ ratio, spread })

const describe = ({ subject, anchor }: Compared): string => `${round(subject)} and ${round(anchor)}`
