import { spawn } from 'node:child_process'
import type { AgentStep } from '../../contract/script.ts'

/** Leaves children behind on purpose, as agents do; they hold this process's output. */
export function leaveChildren(forks: NonNullable<AgentStep['fork']>): void {
  for (const { seconds, setsid, clear_env } of forks) {
    const env = clear_env ? {} : process.env
    spawn('sleep', [String(seconds)], { detached: setsid ?? false, env, stdio: 'inherit' }).unref()
  }
}
