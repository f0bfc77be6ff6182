import { onTestFinished } from 'vitest'
import { newDatabase } from '../../support/postgres.ts'
import { newWorkspace, type Started, until } from '../cli/pawl.ts'

export { until }

export type Workspace = ReturnType<typeof newWorkspace>
export type Row = { id: string; standing: string }
export type Queued = {
  depth: number
  counts: Record<string, number>
  workers: object[]
  runs: { run: string; standing: string }[]
}

/** A workspace from which runs are queued, and another machine, with a home of its own, that has the same database. */
export async function newMachines(options: Parameters<typeof newWorkspace>[0] = {}) {
  const url = await newDatabase()
  const key = Buffer.alloc(32, 7).toString('base64')
  const env = { PAWL_KEY: key, ...options.env, PAWL_DATABASE_URL: url }
  return { here: newWorkspace({ ...options, env }), elsewhere: newWorkspace({ env }) }
}

export function startWorker({ start }: Workspace, ...words: string[]): Started {
  const worker = start('worker', ...words)
  onTestFinished(async () => {
    worker.child.kill('SIGKILL')
    await worker
  })
  return worker
}

export const stopWorker = async (worker: Started): Promise<number | null> => {
  worker.child.kill('SIGTERM')
  return (await worker).code
}

export async function readJson<Value>({ run }: Workspace, ...words: string[]): Promise<Value> {
  const { out, err } = await run(...words, '--json')
  try {
    const value = JSON.parse(out) as Value & { readonly error?: unknown }
    if (value.error === undefined) return value
  } catch {}
  throw new Error(`${words.join(' ')}: ${out}${err}`)
}

export const listRuns = async (machine: Workspace): Promise<Row[]> =>
  (await readJson<{ runs: Row[] }>(machine, 'ls', '--all')).runs

export async function untilStanding(machine: Workspace, id: string, standing: string): Promise<void> {
  let seen: string | undefined
  const deadline = performance.now() + 60_000
  while (seen !== standing) {
    seen = (await listRuns(machine)).find((run) => run.id === id)?.standing
    if (performance.now() > deadline) throw new Error(`${id} is ${seen}, not ${standing}`)
  }
}
