import * as fs from 'node:fs'
import { uptime } from 'node:os'

/**
 * Removes a lock file from before this machine started, because its git died with the power, or one that is ours in any case. Returns
 * whether there was one.
 */
export function dropOldLock(path: string, isOurs = false): boolean {
  const lock = fs.lstatSync(path, { throwIfNoEntry: false })
  const startedMs = Date.now() - uptime() * 1000
  if (!lock || !(isOurs || lock.mtimeMs < startedMs)) return false
  fs.rmSync(path, { force: true })
  return true
}
