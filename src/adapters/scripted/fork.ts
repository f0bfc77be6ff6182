import { spawn } from 'node:child_process'
import type { AgentStep } from '../../contract/script.ts'

/** Leaves child processes behind on purpose, as agents do. They keep this process's output open. */
export function leaveChildren(forks: NonNullable<AgentStep['fork']>): void {
  for (const { seconds, setsid, clear_env } of forks) {
    const env = clear_env ? {} : process.env
    spawn('sleep', [String(seconds)], { detached: setsid ?? false, env, stdio: 'inherit' }).unref()
  }
}
