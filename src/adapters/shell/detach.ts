import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'

export type Detached = {
  readonly argv: readonly [string, ...string[]]
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  /** File for both output streams. An existing one is overwritten. */
  readonly log: string
}

/**
 * Starts a process that outlives this one and its terminal. Rejects if it cannot start. `ended` resolves with its exit
 * code, or null if a signal ended it; it keeps no process waiting.
 */
export async function startDetached({
  argv,
  cwd,
  env,
  log,
}: Detached): Promise<{ readonly pid: number; readonly ended: Promise<number | null> }> {
  const [program, ...args] = argv
  const output = openSync(log, 'w', 0o600)
  try {
    const child = spawn(program, args, { cwd, env, detached: true, stdio: ['ignore', output, output] })
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
    await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject))
    child.unref()
    return { pid: child.pid!, ended }
  } finally {
    closeSync(output)
  }
}
