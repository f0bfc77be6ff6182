import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildEnvironment, secretValues } from '../adapters/shell/output/env.ts'
import { createShell } from '../adapters/shell/shell.ts'
import type { Place } from '../run/paths.ts'

export type Answer = {
  readonly status: 'answered' | 'refused' | 'silent' | 'missing'
  /** Standard output, at most its last 64 KiB, without secrets. */
  readonly text: string
  /** One line about what went wrong. */
  readonly problem: string
}

type AskOptions = { readonly cwd?: string; readonly boundMs?: number; readonly add?: Readonly<Record<string, string>> }

/** A short question to a program on this machine. Contract: answers within the bound and a second, whatever it does. */
export async function askProgram(
  place: Place,
  argv: readonly [string, ...string[]],
  options: AskOptions = {},
): Promise<Answer> {
  const { boundMs = 3500 } = options
  const scratch = mkdtempSync(join(tmpdir(), 'pawl-ask-'))
  try {
    const shell = createShell({
      secrets: secretValues(place.env),
      isolation: 'off',
      ladder: { termMs: 200, killMs: 400 },
      graceMs: 200,
    })
    const env = buildEnvironment(place.env, { allow: [], add: options.add ?? {} })
    const log = join(scratch, 'log')
    const { cwd = scratch } = options
    const exit = await shell.run({ argv, cwd, env, log, scope: `ask-${process.pid}`, wallMs: boundMs }, never)
    const text = exit.stdoutTail.trim()
    if (exit.status === 'not-started') return { status: 'missing', text, problem: exit.detail ?? 'cannot be started' }
    if (exit.status !== 'exited') return { status: 'silent', text, problem: `no answer within ${boundMs / 1000} s` }
    if (exit.code === 0) return { status: 'answered', text, problem: '' }
    const [said = ''] = exit.stderrTail.trim().split('\n', 1)
    return { status: 'refused', text, problem: said || `exit ${exit.code ?? exit.signal}` }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

const never = new AbortController().signal
