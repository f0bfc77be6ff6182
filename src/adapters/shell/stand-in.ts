import { existsSync, mkdirSync, readdirSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive, readProcess } from './processes.ts'

/**
 * A mount needs something to lie on. Where a protected folder is missing, an empty one stands in for it while a
 * command runs. Only folders are made, which git does not see, and only empty ones removed, so nothing can be lost.
 * Each command holds a claim of its own: the last one to let go takes the stand-in away, whichever process it is in.
 */
export function claimStandIn(path: string): () => void {
  count += 1
  const claim = join(path, mark, `${process.pid}-${readProcess(process.pid)?.startTime}-${count}`)
  for (let tries = 1; ; tries += 1) {
    try {
      mkdirSync(claim, { recursive: true })
      break
    } catch (error) {
      // Another process may be taking the same stand-in away at this moment.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || tries === mostTries) throw error
    }
  }
  dropStale(join(path, mark))
  return () => {
    for (const folder of [claim, join(path, mark), path]) if (!removeEmpty(folder)) return
  }
}

export function isStandIn(path: string): boolean {
  return existsSync(join(path, mark))
}

const mark = '.pawl-stand-in'
const mostTries = 20
let count = 0

/** Claims of processes that were killed before they could let go. */
function dropStale(folder: string): void {
  for (const name of readdirSync(folder)) {
    const [pid, startTime] = name.split('-')
    const owner = readProcess(Number(pid))
    const alive = owner !== null && owner.startTime === startTime && isAlive(owner)
    if (!alive) removeEmpty(join(folder, name))
  }
}

function removeEmpty(folder: string): boolean {
  try {
    rmdirSync(folder)
    return true
  } catch {
    return false
  }
}
