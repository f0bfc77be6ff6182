import { readFileSync } from 'node:fs'
import { uptime } from 'node:os'

/** A name for this boot of the machine: a process of another boot is gone. */
export function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    // Without /proc the moment of boot is the name, in steps that outlast clock corrections.
    return `boot-${Math.round(bootedAt() / 60_000)}`
  }
}

export const bootedAt = (): number => Date.now() - uptime() * 1000

/** When the process with this pid began, as the system counts; undefined if there is none. */
export function processStart(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may hold anything, so fields are counted behind it. A zombie runs no more.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? undefined : fields[19]
  } catch {
    return hasNoProc() && isAlive(pid) ? 'unknown' : undefined
  }
}

const hasNoProc = (): boolean => process.platform !== 'linux'

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
