import { setTimeout as delay } from 'node:timers/promises'
import {
  allPids,
  carriesMark,
  isAlive,
  isInExec,
  isSame,
  isThread,
  newestPid,
  ourselves,
  type Process,
  pidsBetween,
  readProcess,
} from './processes.ts'

/** What is looked for: everything that carries the mark, or stays in the group or session of `leader`. */
export type SweepTarget = {
  readonly mark: string
  readonly leader?: number | undefined
}

/**
 * Ends every process of the quarry and returns how many there were. `pids` is where the first round looks.
 * Contract: outruns a fork bomb, for a round first stops all it can find and kills only then; never ends this process
 * or one above it. What cleared its environment and left the session is out of reach: only a namespace holds that.
 */
export async function sweep(quarry: SweepTarget, pids: readonly number[]): Promise<number> {
  const spared = ourselves()
  const ended = new Map<string, Process>()
  let found = await findSurely(quarry, pids, spared)
  for (let round = 0; found.length > 0 && round < mostRounds; round += 1) {
    for (const process of freezeAll(quarry, found, spared)) {
      ended.set(`${process.pid}:${process.startTime}`, process)
      send(process, 'SIGKILL')
    }
    await untilGone([...ended.values()])
    found = await findSurely(quarry, allPids(), spared)
  }
  return ended.size
}

const mostRounds = 20
const mostFreezes = 50
const mostSweeps = 100
const deathMs = 5000
const execMs = 250

/** Stops what was found, and what that started meanwhile, until nobody is left who could start more. */
function freezeAll(quarry: SweepTarget, found: readonly Process[], spared: ReadonlySet<number>): Process[] {
  const frozen = new Map<number, Process>()
  let fresh = found
  for (let round = 0; fresh.length > 0 && round < mostFreezes; round += 1) {
    for (const process of fresh) {
      send(process, 'SIGSTOP')
      frozen.set(process.pid, process)
    }
    fresh = findAll(quarry, allPids(), spared).filter(({ pid }) => !frozen.has(pid))
  }
  return [...frozen.values(), ...fresh]
}

/**
 * A process may start another and end while we look elsewhere. So when nobody was found, the pids given out meanwhile
 * are looked at too: that is a few reads, quicker than anything can start.
 */
function findAll(quarry: SweepTarget, pids: readonly number[], spared: ReadonlySet<number>): Process[] {
  let seen = newestPid() ?? 0
  let found = findAmong(quarry, pids, spared)
  for (let chase = 0; found.length === 0 && chase < mostSweeps; chase += 1) {
    const newest = newestPid() ?? 0
    if (newest === seen) break
    found = findAmong(quarry, pidsBetween(seen, newest), spared)
    seen = newest
  }
  return found
}

function findAmong(quarry: SweepTarget, pids: readonly number[], spared: ReadonlySet<number>): Process[] {
  const alive = pids.flatMap((pid) => (spared.has(pid) ? [] : (readProcess(pid) ?? []))).filter(isAlive)
  const found = new Map(alive.filter((process) => belongs(quarry, process)).map((process) => [process.pid, process]))
  // A child that cleared its environment is still known by its parent.
  for (let before = -1; before !== found.size; ) {
    before = found.size
    for (const process of alive) if (found.has(process.parent)) found.set(process.pid, process)
  }
  return [...found.values()].filter(({ pid }) => !isThread(pid))
}

function belongs(quarry: SweepTarget, { pid, group, session }: Process): boolean {
  if (group === 0) return false // the kernel's own
  if (quarry.leader !== undefined && (group === quarry.leader || session === quarry.leader)) return true
  return carriesMark(pid, quarry.mark)
}

function send(process: Process, signal: NodeJS.Signals): void {
  if (!isSame(process)) return
  try {
    globalThis.process.kill(process.pid, signal)
  } catch {}
}

/**
 * What is just becoming another program carries no mark for a moment, and whoever hops from process to process may
 * always be in that moment when we look. So nobody found counts only after a look during which nobody was in the middle
 * of an exec and no process was started. Waiting comes only when there is someone to wait for.
 */
async function findSurely(
  quarry: SweepTarget,
  pids: readonly number[],
  spared: ReadonlySet<number>,
): Promise<Process[]> {
  let found = findAll(quarry, pids, spared)
  const deadline = performance.now() + execMs
  for (let look = 0; found.length === 0 && look < mostLooks && performance.now() < deadline; look += 1) {
    const last = newestPid()
    const recent = pidsBetween(Math.max(0, (last ?? 0) - lastStarted), last ?? 0)
    const inExec = pids.some(isInExecAt) || recent.some(isInExecAt)
    found = findAll(quarry, [...pids, ...recent], spared)
    if (found.length === 0 && !inExec && newestPid() === last) break
    if (found.length === 0 && inExec) await delay(1)
  }
  return found
}

const mostLooks = 60
const lastStarted = 32

function isInExecAt(pid: number): boolean {
  const process = readProcess(pid)
  return process !== null && isAlive(process) && isInExec(process)
}

async function untilGone(processes: readonly Process[]): Promise<void> {
  const deadline = performance.now() + deathMs
  while (processes.some(isSame) && performance.now() < deadline) await delay(2)
}
