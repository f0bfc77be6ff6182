import { accessSync, constants, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import { createShell } from '../adapters/shell/shell.ts'
import { buildEnvironment, findSecretValues } from '../contract/environment.ts'
import type { Environment, ProgramAnswer } from '../run/machine.ts'

type AskOptions = { readonly cwd?: string; readonly boundMs?: number; readonly add?: Readonly<Record<string, string>> }

/** Runs a program for a short answer. Contract: resolves at most a second after the timeout, whatever the program does. */
export async function askProgram(
  { env: ours }: Pick<Environment, 'env'>,
  argv: readonly [string, ...string[]],
  options: AskOptions = {},
): Promise<ProgramAnswer> {
  const { boundMs = 3500 } = options
  const scratch = mkdtempSync(join(tmpdir(), 'pawl-ask-'))
  try {
    const shell = createShell({
      secrets: findSecretValues(ours),
      isolation: 'off',
      ladder: { termMs: 200, killMs: 400 },
      graceMs: 200,
    })
    const env = buildEnvironment(ours, { allow: [], add: options.add ?? {} })
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

/** Finds a command's program as the system would: by path, or in PATH. */
export function findProgram(program: string, cwd: string, path: string): string | undefined {
  const places = program.includes('/')
    ? [isAbsolute(program) ? program : join(cwd, program)]
    : path.split(delimiter).map((folder) => resolve(cwd, folder, program))
  return places.find((place) => allows(place, constants.X_OK))
}

function allows(path: string, access: number): boolean {
  try {
    accessSync(path, access)
    return !statSync(path).isDirectory()
  } catch {
    return false
  }
}
