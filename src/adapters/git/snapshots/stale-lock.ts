import * as fs from 'node:fs'
import { uptime } from 'node:os'

/** Removes a lock file from before this machine started, because its git died with the power. Returns whether there was one. */
export function dropOldLock(path: string, root: string): boolean {
  const lock = fs.lstatSync(path, { throwIfNoEntry: false })
  const isOld = lock !== undefined && lock.mtimeMs < Date.now() - uptime() * 1000
  if (!isOld || isGitRunning(root)) return false
  fs.rmSync(path, { force: true })
  return true
}

/** Whether a git may be at work in this folder. If the clock was changed, its lock may look older than it is. */
function isGitRunning(root: string): boolean {
  try {
    return fs.readdirSync('/proc').some((pid) => /^\d+$/.test(pid) && isGitIn(pid, root))
  } catch {
    return true
  }
}

function isGitIn(pid: string, root: string): boolean {
  try {
    const isGit = fs.readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'git'
    return isGit && `${fs.readlinkSync(`/proc/${pid}/cwd`)}/`.startsWith(`${root}/`)
  } catch {
    return false
  }
}
