import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { createDatabase } from '../../scripts/postgres.ts'
import { emptyQueue, type TurnCost } from '../crew.ts'
import type { Bench, Line } from '../line.ts'
import { compare, median } from '../pairs.ts'
import { openStoreAt, withPostgres } from '../postgres.ts'
import { benchFolder, root } from '../program.ts'
import { createRuns } from '../queued-runs.ts'
import { round } from '../table.ts'

const sizes = [1, 2, 4, 8] as const
const concurrency = '4'
const times = 3
const runsPerTurn = 300
const emptyTurns = 2000
/** For each worker, so that its code is loaded and compiled before anything counts. */
const warmUp = 20

type Size = (typeof sizes)[number]
type Costs = Record<Size, TurnCost[]>
type Stored = { readonly bytes: number; readonly events: number; readonly tables: string }

/** Whole queued runs through 1 to 8 worker processes, the same for the queue alone, and the size of a run. */
export async function pgWorkers(bench: Bench): Promise<Line[]> {
  if (!existsSync(join(root, 'dist', 'main.js')))
    return [{ ...nothing, subject: 'queued runs', figures: 'skipped: dist is not built (npm run build)' }]
  return withPostgres(async (url) => {
    const runs = newCosts()
    const empty = newCosts()
    let stored: Stored | undefined
    for (let turn = 0; turn < times; turn++) {
      for (const size of sizes) {
        const measured = await workOnRuns(bench, url, size)
        runs[size].push(measured.cost)
        stored = measured.stored
        empty[size].push(await workOnNothing(bench, url, size))
      }
    }
    return [
      ...sizes.map((size) => lineOf('runs', runs, size)),
      ...sizes.map((size) => lineOf('empty turns', empty, size)),
      sizeLine(stored!),
    ]
  })
}

const newCosts = (): Costs => ({ 1: [], 2: [], 4: [], 8: [] })

const nothing = {
  row: 'pg-workers',
  anchor: '-',
  ratio: null,
  spread: null,
  bound: null,
  durability: 'every commit synced',
}

/** The built program executes refinements with a model that answers at once. */
async function workOnRuns({ scratch, signal }: Bench, server: string, size: Size) {
  const { url, drop } = await createDatabase(server)
  const workspace = mkdtempSync(join(scratch, 'workers-'))
  const env = { PAWL_KEY: randomBytes(32).toString('hex'), PAWL_DATABASE_URL: url, HOME: workspace }
  const turns = await createRuns(url, env, workspace, size * warmUp + runsPerTurn)
  const argv = [join(root, 'bin', 'pawl.cjs'), 'worker', '--concurrency', concurrency]
  const parts = [turns.slice(0, size * warmUp), turns.slice(size * warmUp)] as const
  const cost = await emptyQueue({ url, size, argv, env, signal }, ...parts)
  const stored = await readStored(url, workspace)
  await drop()
  return { cost, stored }
}

/** Turns of runs that do not exist, which end at once. */
async function workOnNothing({ signal }: Bench, server: string, size: Size): Promise<TurnCost> {
  const { url, drop } = await createDatabase(server)
  const argv = [join(benchFolder, 'programs', 'pg-turns.ts'), url, concurrency]
  const make = (count: number, name: string) =>
    Array.from({ length: count }, (_, index) => ({ run: `${name}-${index}`, mode: 'any' }))
  const parts = [make(size * warmUp, 'warm'), make(emptyTurns, 'turn')] as const
  const cost = await emptyQueue({ url, size, argv, env: {}, signal }, ...parts)
  await drop()
  return cost
}

function lineOf(what: string, costs: Costs, size: Size): Line {
  const own = costs[size]
  const middle = (of: keyof TurnCost): number => median(own.map((cost) => cost[of]))
  const { ratio, spread } = compare(own.map(({ ms }, turn) => ({ subject: ms, anchor: costs[1][turn]!.ms })))
  const rate = `${round(1000 / middle('ms'))}/s`
  const cpu = `processor ${round(middle('workerMs'))} ms in workers and ${round(middle('serverMs'))} ms in the server each`
  const server = `${Math.round(middle('commits'))} commits, ${round(middle('walBytes') / 1000)} kB of log`
  return {
    ...nothing,
    subject: `${what}, ${size} x ${concurrency} workers`,
    anchor: `1 x ${concurrency}`,
    ratio,
    spread,
    figures: `${rate}; ${cpu}; ${server}`,
  }
}

/** Reads what all runs of a database take, with indexes and free space in the pages. */
async function readStored(url: string, workspace: string): Promise<Stored> {
  const { sql } = openStoreAt(url, workspace)
  const [count] = await sql.query<{ runs: number; events: number }>(
    'select (select count(*)::int from pawl.run) as runs, (select count(*)::int from pawl.event) as events',
  )
  const { runs, events } = count!
  const tables = await sql.query<{ name: string; bytes: string }>(
    `select relname as name, pg_total_relation_size(c.oid) as bytes from pg_class c
     where relnamespace = 'pawl'::regnamespace and relkind = 'r' order by 2 desc`,
  )
  await sql.close()
  const each = tables.map(({ name, bytes }) => ({ name, bytes: Number(bytes) / runs }))
  const largest = each.slice(0, 6).map(({ name, bytes }) => `${name} ${round(bytes / 1000)}`)
  const bytes = each.reduce((sum, table) => sum + table.bytes, 0)
  return { bytes, events: events / runs, tables: largest.join(', ') }
}

const sizeLine = ({ bytes, events, tables }: Stored): Line => ({
  ...nothing,
  subject: 'a run in the database',
  figures: `${round(bytes / 1000)} kB for ${round(events)} events: ${tables} kB`,
})
