import { readdirSync, readFileSync } from 'node:fs'

type Used = { readonly pid: number; readonly parent: number; readonly ms: number }

/** The usual unit of /proc. */
const msPerTick = 10

/**
 * Returns the processor time in milliseconds of the descendants of a process, with those that have ended, and of `some` of
 * them with their own descendants. Unlike the time on the clock, it does not depend on the neighbours. 0 where there is no /proc.
 */
export function readCpuTime(pid: number, some: readonly number[]): { readonly all: number; readonly some: number } {
  const processes = readProcesses()
  const below = (root: number): number =>
    processes.filter(({ parent }) => parent === root).reduce((sum, { pid: child, ms }) => sum + ms + below(child), 0)
  const own = processes.filter((one) => some.includes(one.pid))
  return { all: below(pid), some: own.reduce((sum, one) => sum + one.ms + below(one.pid), 0) }
}

function readProcesses(): Used[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (readProcess(Number(name)) ?? []) : []))
}

function readProcess(pid: number): Used | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in brackets may have spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    return { pid, parent: Number(fields[1]), ms: ticks * msPerTick }
  } catch {
    return undefined // It has ended.
  }
}
