// One table of ratios. `node bench/run.ts [row...] [--json]`; exit code 1 when a bound is exceeded.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createBigJournal } from './big-journal.ts'
import type { Bench, Line, Row } from './line.ts'
import { help } from './rows/help.ts'
import { kernel } from './rows/kernel.ts'
import { loop } from './rows/loop.ts'
import { pg } from './rows/pg.ts'
import { pgWorkers } from './rows/pg-workers.ts'
import { plan } from './rows/plan.ts'
import { replay } from './rows/replay.ts'
import { resume } from './rows/resume.ts'
import { room } from './rows/room.ts'
import { spawnOwn } from './rows/spawn-own.ts'
import { start } from './rows/start.ts'
import { step, stepMem } from './rows/step.ts'
import { write } from './rows/write.ts'
import { isOver, renderTable } from './table.ts'

const rows: Readonly<Record<string, Row>> = {
  kernel,
  'spawn-own': spawnOwn,
  help,
  start,
  loop,
  resume,
  replay,
  plan,
  step,
  'step-mem': stepMem,
  write,
  room,
  pg,
  'pg-workers': pgWorkers,
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { json: { type: 'boolean' } } })
const unknown = positionals.filter((name) => !(name in rows))
if (unknown.length > 0) {
  console.error(`unknown row: ${unknown.join(', ')}. Known rows: ${Object.keys(rows).join(', ')}`)
  process.exitCode = 2
} else {
  process.exitCode = await runRows(positionals.length > 0 ? positionals : Object.keys(rows))
}

async function runRows(names: readonly string[]): Promise<number> {
  const scratch = mkdtempSync(join(tmpdir(), 'pawl-bench-'))
  const stop = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort(new Error(name)))
  try {
    const lines = await measure(names, {
      scratch,
      signal: stop.signal,
      journal: createBigJournal(scratch, stop.signal),
    })
    const machine = { node: process.version, platform: `${process.platform} ${process.arch}` }
    console.log(values.json ? JSON.stringify({ ...machine, lines }) : renderTable(lines))
    return lines.some(isOver) ? 1 : 0
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

async function measure(names: readonly string[], bench: Bench): Promise<Line[]> {
  const lines: Line[] = []
  for (const name of names) {
    process.stderr.write(`${name} ...\n`)
    lines.push(...(await rows[name]!(bench)))
  }
  return lines
}
