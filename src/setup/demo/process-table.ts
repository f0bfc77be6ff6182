import { readFileSync } from 'node:fs'
import { allPids, carriesMark, isAlive, type Process, readProcess } from '../../adapters/shell/processes.ts'

/** macOS has none that can be read like this. */
export const hasProcessTable = (): boolean => allPids().length > 0

/** Whatever carries a run's mark: its agents, and what they started. */
export function processesOf(run: string): Process[] {
  return allPids()
    .filter((pid) => carriesMark(pid, `PAWL_SCOPE=${run}`))
    .flatMap((pid) => readProcess(pid) ?? [])
    .filter(isAlive)
}

/** What the scripted agent leaves behind. */
export const daemonsOf = (run: string): Process[] => processesOf(run).filter(({ pid }) => programOf(pid) === 'sleep')

function programOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0', 1)[0]
  } catch {
    return undefined
  }
}
