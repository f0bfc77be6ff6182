import { accessSync, constants, rmSync, statSync } from 'node:fs'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import { createShell } from '../adapters/shell/shell.ts'
import { makeTempFolder } from '../adapters/shell/temp-folder.ts'
import { buildEnvironment, findSecretValues } from '../contract/environment.ts'
import type { Environment } from '../run/machine.ts'
import { describeProblem, openPrograms } from './programs.ts'

export type ProgramAnswer = {
  readonly status: 'answered' | 'refused' | 'silent' | 'missing'
  /** The last 64 KiB of standard output, with secrets removed. */
  readonly text: string
  /** One line that says what failed. */
  readonly problem: string
}

type Here = Pick<Environment, 'cwd' | 'env' | 'home'>
type AskOptions = { readonly cwd?: string; readonly boundMs?: number }

/**
 * Runs a program for a short answer. A program that an agent can have written runs only in a sandbox. Contract: resolves
 * at most a second after the timeout, whatever the program does.
 */
export async function askProgram(
  environment: Here,
  [name, ...args]: readonly [string, ...string[]],
  options: AskOptions = {},
): Promise<ProgramAnswer> {
  const { boundMs = 3500 } = options
  const { env } = environment
  const programs = openPrograms(environment, environment.cwd)
  const found = name.includes('/') ? { path: name } : programs.find(name)
  if ('problem' in found) return { status: 'missing', text: '', problem: describeProblem(name, found) }
  const scratch = makeTempFolder()
  try {
    const isSafe = !programs.isWritable(found.path)
    const isolation = isSafe ? ({ isolation: 'off' } as const) : { isolation: 'auto' as const, confine: readOnly }
    const shell = createShell({
      secrets: findSecretValues(env),
      ...isolation,
      bubblewrap: programs.bubblewrap,
      ...times,
    })
    if (!isSafe && (await shell.confinement()) === 'none') {
      return { status: 'missing', text: '', problem: 'agents can write it, and there is no sandbox to try it in' }
    }
    const command = {
      argv: [found.path, ...args] as const,
      cwd: options.cwd ?? scratch,
      env: buildEnvironment(env, { allow: [], add: { PATH: programs.path } }),
      log: join(scratch, 'log'),
      scope: `ask-${process.pid}`,
      wallMs: boundMs,
    }
    const exit = await shell.run(command, never)
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

const readOnly = { writable: [], protectedFolders: [], protectedFiles: [] }
const times = { ladder: { termMs: 200, killMs: 400 }, graceMs: 200 }

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
