import type { Progress } from '../contract/progress.ts'
import type { Exit, Shell } from '../ports/shell.ts'

export type CommandTools = {
  readonly shell: Shell
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** The run that they belong to. */
  readonly scope: string
  readonly logOf: (index: number) => string
  /** What is left for the next one. */
  readonly leftMs: () => number
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

/** The first command that did not exit with 0. */
export type FailedCommand = {
  readonly index: number
  readonly command: string
  readonly exit: Exit
  readonly log: string
}

/** Runs commands in their order up to the first that fails. undefined: all went well. */
export async function firstFailing(
  commands: readonly string[],
  tools: CommandTools,
  signal: AbortSignal,
): Promise<FailedCommand | undefined> {
  const { shell, cwd, env, scope, logOf, leftMs, onProgress } = tools
  for (const [index, command] of commands.entries()) {
    onProgress?.({ phase: 'gate', says: command })
    const log = logOf(index)
    const left = leftMs()
    const wallMs = Number.isFinite(left) ? left : undefined
    const exit = await shell.run({ argv: ['/bin/sh', '-c', command], cwd, env, log, scope, wallMs }, signal)
    if (exit.status !== 'exited' || exit.code !== 0) return { index, command, exit, log }
  }
  return undefined
}

/** "exit 1", "timed-out": how a command went wrong, in two words. */
export const howItEnded = ({ status, code, signal }: Exit): string =>
  status === 'exited' ? `exit ${code ?? signal}` : status
