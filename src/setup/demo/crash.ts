import { setTimeout as delay } from 'node:timers/promises'
import { isSame, type Process } from '../../adapters/shell/processes.ts'
import type { Exit } from '../../ports/shell.ts'
import type { RunEntry } from '../../run/index-of-runs.ts'
import { eventsOf, readRun } from '../../run/read-run.ts'
import { commitsOf } from './git.ts'
import { daemonsOf, hasProcessTable, processesOf } from './process-table.ts'
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
  const running = processesOf(at.run.id)
  const { events: seq } = readRun(at.run.dir)
  const commits = await commitsOf(repository)
  await kill(at.pid)
  const { signal } = await exited
  const survivors = running.filter(isSame).length
  return { straggler, crash: { pid: at.pid, signal, seq, commits, running, survivors } }
}

type Watched = {
  readonly left: Process | undefined
  readonly at: { readonly run: RunEntry; readonly pid: number } | undefined
}

/** Until S3 is at work, or the delivery is over first. */
async function watch(newestRun: Stage['newestRun'], over: AbortSignal): Promise<Watched> {
  let left: Process | undefined
  while (!over.aborted) {
    await delay(20)
    const run = newestRun()
    const story = run && storyAtWork(run.dir)
    if (story === 'S2') left ??= daemonsOf(run!.id)[0]
    if (story !== 'S3') continue
    const daemon = daemonsOf(run!.id).find(({ pid }) => pid !== left?.pid)
    const { owner } = readRun(run!.dir)
    // Killed before its daemon is up, there would be nothing to end.
    if (owner && (daemon || !hasProcessTable())) return { left, at: { run: run!, pid: owner.pid } }
  }
  return { left, at: undefined }
}

function storyAtWork(dir: string): string | null | undefined {
  return [...eventsOf(dir)].findLast(({ type, chore }) => type === 'attempt-started' && !chore)?.task
}
