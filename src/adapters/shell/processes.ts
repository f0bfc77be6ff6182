import { readdirSync, readFileSync } from 'node:fs'

/** A process as shown in /proc. Pids are reused, so a process is identified by pid and start time. */
export type Process = {
  readonly pid: number
  readonly parent: number
  readonly group: number
  readonly session: number
  readonly startTime: string
  readonly state: string
}

/** Null if the process is gone, or without /proc (macOS). */
export function readProcess(pid: number): Process | null {
  const stat = readProc(`/proc/${pid}/stat`)?.toString('latin1')
  if (!stat) return null
  // The program's name is in parentheses and may itself contain parentheses and spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state, parent, group, session] = fields
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    startTime: fields[19]!,
    state: state!,
  }
}

export function isAlive(process: Process): boolean {
  return process.state !== 'Z' && process.state !== 'X'
}

export function isSame(process: Process): boolean {
  const now = readProcess(process.pid)
  return now !== null && now.startTime === process.startTime && isAlive(now)
}

export function hasChild(pid: number): boolean {
  return allPids().some((other) => readProcess(other)?.parent === pid)
}

export function carriesMark(pid: number, mark: string): boolean {
  const environ = readEnvironment(pid)
  if (!environ) return false
  const entry = Buffer.from(`${mark}\0`)
  const at = environ.indexOf(entry)
  if (at < 0) return false
  return at === 0 || environ[at - 1] === 0 || environ.includes(Buffer.concat([Buffer.of(0), entry]))
}

/** Retries while the environment is empty: it is during exec, for microseconds or longer on a busy machine. */
function readEnvironment(pid: number): Buffer | null {
  for (let tries = 0; tries < 50; tries += 1) {
    const environ = readProc(`/proc/${pid}/environ`)
    if (environ?.length !== 0) return environ
  }
  return null
}

/** Returns whether a process started recently and has no environment yet, so its mark cannot be read. */
export function isInExec({ pid, group, startTime }: Process): boolean {
  if (group === 0 || readProc(`/proc/${pid}/environ`)?.length !== 0) return false
  const uptime = Number(readProc('/proc/uptime')?.toString('latin1').split(' ')[0] ?? 0)
  return uptime - Number(startTime) / ticksPerSecond < recentSeconds
}

const ticksPerSecond = 100
const recentSeconds = 5

export function isThread(pid: number): boolean {
  const status = readProc(`/proc/${pid}/status`)?.toString('latin1') ?? ''
  return !status.includes(`\nTgid:\t${pid}\n`)
}

export function allPids(): number[] {
  try {
    return readdirSync('/proc').filter(isNumber).map(Number)
  } catch {
    return []
  }
}

/** Returns the newest pid (or thread id) of our pid namespace: the last field of /proc/loadavg. */
export function newestPid(): number | null {
  const last = readProc('/proc/loadavg')?.toString('latin1').trim().split(' ').at(-1)
  return last ? Number(last) : null
}

/** Returns the pids after `first` up to `last`, or all existing ones if pids wrapped around or the range is large. */
export function pidsBetween(first: number, last: number): number[] {
  const count = last - first
  return count < 0 || count > 256 ? allPids() : Array.from({ length: count }, (_, index) => first + 1 + index)
}

/** Returns the pids of this process, its ancestors and init. They must never be killed. */
export function listOwnPids(): Set<number> {
  const line = new Set<number>()
  for (let pid = process.pid; pid > 0 && !line.has(pid); pid = readProcess(pid)?.parent ?? 0) line.add(pid)
  return line.add(1)
}

function readProc(path: string): Buffer | null {
  try {
    return readFileSync(path)
  } catch {
    return null
  }
}

function isNumber(name: string): boolean {
  return name.charCodeAt(0) >= 48 && name.charCodeAt(0) <= 57
}
