import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { PawlError } from '../../contract/exit.ts'
import type { RunListing, StoredRun } from '../../ports/run-store.ts'
import type { Environment, Machine } from '../../run/machine.ts'
import { readRun } from '../../run/read-run.ts'
import type { Invocation } from './command.ts'
import { renderAction } from './render.ts'

/** Marks a detached process. It keeps running while a question is open, because the answer comes from another terminal. */
const detachedVariable = 'PAWL_DETACHED'

/** Whether this process has no terminal and prints to a log file. */
export const isDetached = ({ env }: Pick<Environment, 'env'>): boolean => env[detachedVariable] === '1'

/** A run that the detached process may have started or resumed. */
type Candidate = Pick<RunListing, 'id' | 'name' | 'address' | 'seq' | 'owner'>
type FindCandidates = () => Promise<readonly Candidate[]>

/** Resumes a run in a background process. */
export const detachRun = (invocation: Invocation, stored: StoredRun, flags: readonly string[] = []): Promise<0> =>
  detach(invocation, ['resume', stored.entry.id, '--trust', ...flags], async () => [await readCandidate(stored)])

/** Runs this command again in a background process, which starts a run of this name. */
export function detachStart(
  invocation: Invocation,
  { name, workspace, add }: { readonly name: string; readonly workspace: string; readonly add: readonly string[] },
): Promise<0> {
  const { store } = invocation.program.machine
  const dropped = ['--detach', '-d', '--json', ...add]
  const words = [...invocation.argv.filter((word) => !dropped.includes(word)), ...add]
  return detach(invocation, words, async () =>
    (await store.list({ workspace })).filter((run) => run.name === name).slice(0, 3),
  )
}

/** Starts the background process and prints the commands for its run. */
async function detach(
  { program: { machine }, io }: Invocation,
  words: readonly string[],
  find: FindCandidates,
): Promise<0> {
  const { pid, run } = await startDetached(machine, words, find)
  const rendering = { program: machine.environment.program, run: run.name }
  io.result({ run: run.id, dir: run.address, pid, detached: true }, () => [
    `${run.name} runs in the background as ${run.id} (pid ${pid}). You may close this terminal.`,
    `  watch   ${renderAction({ do: 'watch' }, rendering)}`,
    `  report  ${renderAction({ do: 'show' }, rendering)}`,
    `  stop    ${renderAction({ do: 'stop' }, rendering)}`,
  ])
  return 0
}

const startTimeoutMs = 30_000
const exitTimeoutMs = 1000
const pollMs = 50

/** Runs the command in a process that survives this terminal. Resolves once that process owns its run. */
async function startDetached(
  machine: Machine,
  words: readonly string[],
  find: FindCandidates,
): Promise<{ readonly pid: number; readonly run: Candidate }> {
  const { program, stateFolder } = machine.environment
  const folder = join(stateFolder, 'detached')
  machine.files.makeFolder(folder)
  const log = join(folder, `${randomUUID()}.log`)
  const known = new Map((await find()).map(({ id, seq }) => [id, seq]))
  const add = { PAWL_INVOKED_AS: program, [detachedVariable]: '1' }
  const { pid, ended } = await machine.startDetached({ words: [...words, '--plain'], log, add })
  for (const deadline = performance.now() + startTimeoutMs; performance.now() < deadline; await delay(pollMs)) {
    const alive = machine.isAlive(pid)
    const run = (await find()).find((candidate) => isTakenUp(candidate, pid, known.get(candidate.id)))
    if (run) {
      const stored = await machine.store.open(run.address)
      await stored?.attach('detached.log', log)
      return { pid, run }
    }
    if (!alive) break
  }
  const exit = await Promise.race([ended, delay(exitTimeoutMs, null)])
  throw readRefusal(log, exit)
}

/** Whether the process owns the run, or has already finished with it. */
const isTakenUp = ({ owner, seq }: Candidate, pid: number, before: number | undefined): boolean =>
  owner?.pid === pid || (owner === undefined && seq > (before ?? 0))

async function readCandidate(stored: StoredRun): Promise<Candidate> {
  try {
    const { state, owner } = await readRun(stored)
    return { ...stored.entry, seq: state.seq, owner }
  } catch {
    // The detached process reports the problem.
    return { ...stored.entry, seq: 0 }
  }
}

/** Turns the output and exit code of a process that started no run into an error. */
function readRefusal(log: string, exit: number | null): PawlError {
  const output = readFileSync(log, 'utf8').trim().slice(-2000)
  const code = refusals.find((known) => known === exit) ?? 20
  return new PawlError(code, output.replace(/^\w+: /, '') || 'the background process started no run')
}
const refusals = [2, 10, 20, 30] as const
