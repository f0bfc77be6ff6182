import * as fs from 'node:fs'
import { allPids, carriesMark } from '../../src/adapters/shell/processes.ts'

/** By the mark of the run, and by the folder that they stand in. */
export function processesIn(root: string, run: string): number[] {
  return allPids().filter((pid) => carriesMark(pid, `PAWL_SCOPE=${run}`) || isBelow(pid, root))
}

function isBelow(pid: number, root: string): boolean {
  try {
    return fs.readlinkSync(`/proc/${pid}/cwd`).startsWith(root)
  } catch {
    return false
  }
}
