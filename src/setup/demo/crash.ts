import { setTimeout as delay } from 'node:timers/promises'
import { isSame, type Process } from '../../adapters/shell/processes.ts'
import type { StoredRun } from '../../ports/run-store.ts'
import type { Exit } from '../../ports/shell.ts'
import { readRun } from '../../run/read-run.ts'
import { commitsOf } from './git.ts'
import { daemonsOf, hasProcessTable, processesOf } from './process-table.ts'
import { readEvents } from './read-run.ts'
import type { Misbehaviour } from './seen.ts'
import type { Stage } from './stage.ts'

type Deed = {
  readonly start: () => Promise<Exit>
  readonly kill: (pid: number) => Promise<void>
}

/** Starts a delivery, watches its journal and the process table, and kills it once the agent of S3 and its daemon are up. */
export async function crashInStory3({ repository, newestRun }: Stage, { start, kill }: Deed): Promise<Misbehaviour> {
  const over = new AbortController()
  const exited = start().finally(() => over.abort())
  // Whoever ends the demo meanwhile is answered below, once.
  exited.catch(() => undefined)
  const { left, at } = await watch(newestRun, over.signal)
  const straggler = left && { process: left, ended: !isSame(left) }
  if (!at) {
    await exited
    return { straggler, crash: undefined }
  }
  const running = processesOf(at.run.entry.id)
  const { seq } = (await readRun(at.run)).state
  const commits = await commitsOf(repository)
  await kill(at.pid)
  const { signal } = await exited
  const survivors = running.filter(isSame).length
  return { straggler, crash: { pid: at.pid, signal, seq, commits, running, survivors } }
}

type Watched = {
  readonly left: Process | undefined
  readonly at: { readonly run: StoredRun; readonly pid: number } | undefined
}

/** Until S3 is at work, or the delivery is over first. */
async function watch(newestRun: Stage['newestRun'], over: AbortSignal): Promise<Watched> {
  let left: Process | undefined
  while (!over.aborted) {
    await delay(20)
    const run = await newestRun()
    if (!run) continue
    const { id } = run.entry
    const story = await findStoryAtWork(run)
    if (story === 'S2') left ??= daemonsOf(id)[0]
    if (story !== 'S3') continue
    const daemon = daemonsOf(id).find(({ pid }) => pid !== left?.pid)
    const owner = await run.owner()
    // Killed before its daemon is up, there would be nothing to end.
    if (owner && (daemon || !hasProcessTable())) return { left, at: { run, pid: owner.pid } }
  }
  return { left, at: undefined }
}

async function findStoryAtWork(run: StoredRun): Promise<string | null | undefined> {
  return (await readEvents(run)).findLast(({ type, chore }) => type === 'attempt-started' && !chore)?.task
}
