import { setTimeout as delay } from 'node:timers/promises'
import {
  allPids,
  carriesMark,
  isAlive,
  isInExec,
  isSame,
  isThread,
  listOwnPids,
  newestPid,
  type Process,
  pidsBetween,
  readProcess,
} from './processes.ts'

/** Processes with this mark in their environment, or in the process group or session of `leader`. */
export type SweepTarget = {
  readonly mark: string
  readonly leader?: number | undefined
}

/**
 * Kills the processes of the target, in at most 20 rounds, and returns how many there were. The first round searches
 * `pids`. Contract: each round stops all processes it finds before it kills any, so that a fork bomb cannot outrun it;
 * never kills this process or its ancestors. Cannot find a process that cleared its environment, left the session and lost its parent: only a pid
 * namespace holds those.
 */
export async function sweep(target: SweepTarget, pids: readonly number[]): Promise<number> {
  const spared = listOwnPids()
  const ended = new Map<string, Process>()
  let found = await findReliably(target, pids, spared)
  for (let round = 0; found.length > 0 && round < maxRounds; round += 1) {
    for (const process of freezeAll(target, found, spared)) {
      ended.set(`${process.pid}:${process.startTime}`, process)
      send(process, 'SIGKILL')
    }
    await untilGone([...ended.values()])
    found = await findReliably(target, allPids(), spared)
  }
  return ended.size
}

const maxRounds = 20
const maxFreezes = 50
const maxChases = 100
const deathMs = 5000
const execMs = 250

/** Sends SIGSTOP to the found processes and to any they have started meanwhile, until no new ones appear. */
function freezeAll(target: SweepTarget, found: readonly Process[], spared: ReadonlySet<number>): Process[] {
  const frozen = new Map<number, Process>()
  let fresh = found
  for (let round = 0; fresh.length > 0 && round < maxFreezes; round += 1) {
    for (const process of fresh) {
      send(process, 'SIGSTOP')
      frozen.set(process.pid, process)
    }
    fresh = findAll(target, allPids(), spared).filter(({ pid }) => !frozen.has(pid))
  }
  return [...frozen.values(), ...fresh]
}

/**
 * Searches `pids`. A process may fork and exit while we look at others, so if none was found, the pids assigned in the
 * meantime are searched too. Reading these few pids is faster than a fork, so the search catches up.
 */
function findAll(target: SweepTarget, pids: readonly number[], spared: ReadonlySet<number>): Process[] {
  let seen = newestPid() ?? 0
  let found = findAmong(target, pids, spared)
  for (let chase = 0; found.length === 0 && chase < maxChases; chase += 1) {
    const newest = newestPid() ?? 0
    if (newest === seen) break
    found = findAmong(target, pidsBetween(seen, newest), spared)
    seen = newest
  }
  return found
}

function findAmong(target: SweepTarget, pids: readonly number[], spared: ReadonlySet<number>): Process[] {
  const alive = pids.flatMap((pid) => (spared.has(pid) ? [] : (readProcess(pid) ?? []))).filter(isAlive)
  const found = new Map(alive.filter((process) => belongs(target, process)).map((process) => [process.pid, process]))
  // Descendants belong too, even if they cleared their environment.
  for (let before = -1; before !== found.size; ) {
    before = found.size
    for (const process of alive) if (found.has(process.parent)) found.set(process.pid, process)
  }
  return [...found.values()].filter(({ pid }) => !isThread(pid))
}

function belongs(target: SweepTarget, { pid, group, session }: Process): boolean {
  if (group === 0) return false // kernel threads
  if (target.leader !== undefined && (group === target.leader || session === target.leader)) return true
  return carriesMark(pid, target.mark)
}

function send(process: Process, signal: NodeJS.Signals): void {
  if (!isSame(process)) return
  try {
    globalThis.process.kill(process.pid, signal)
  } catch {}
}

/**
 * Searches until the result is certain. During exec a process has no environment, hence no mark, and one that keeps
 * forking may be in that state whenever we look. So an empty result counts only if no process was in exec and none was
 * started during the search. Sleeps only if a process is in exec.
 */
async function findReliably(
  target: SweepTarget,
  pids: readonly number[],
  spared: ReadonlySet<number>,
): Promise<Process[]> {
  let found = findAll(target, pids, spared)
  const deadline = performance.now() + execMs
  for (let look = 0; found.length === 0 && look < maxLooks && performance.now() < deadline; look += 1) {
    const last = newestPid()
    const recent = pidsBetween(Math.max(0, (last ?? 0) - lastStarted), last ?? 0)
    const inExec = pids.some(isInExecAt) || recent.some(isInExecAt)
    found = findAll(target, [...pids, ...recent], spared)
    if (found.length === 0 && !inExec && newestPid() === last) break
    if (found.length === 0 && inExec) await delay(1)
  }
  return found
}

const maxLooks = 60
const lastStarted = 32

function isInExecAt(pid: number): boolean {
  const process = readProcess(pid)
  return process !== null && isAlive(process) && isInExec(process)
}

async function untilGone(processes: readonly Process[]): Promise<void> {
  const deadline = performance.now() + deathMs
  while (processes.some(isSame) && performance.now() < deadline) await delay(2)
}
