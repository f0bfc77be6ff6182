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
export async function runUntilFailure(
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
export const describeExit = ({ status, code, signal }: Exit): string =>
  status === 'exited' ? `exit ${code ?? signal}` : status

const lookedAt = 4000
const colours = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*[A-Za-z]`, 'g')

/**
 * A short mark of a failure, the same for the same failure: numbers, times, addresses and colours differ between two
 * tries that fail alike, so they are left out.
 */
export function fingerprintFailure(what: string, output: string): string {
  const same = output
    .slice(-lookedAt)
    .replace(colours, '')
    .replace(/0x[0-9a-f]+|[0-9a-f]{8,}/gi, '#')
    .replace(/[0-9]+/g, '#')
    .replace(/\s+/g, ' ')
  return hash(`${what}\n${same}`)
}

/** FNV-1a: a handful of marks are told apart, nothing rests on it. */
function hash(text: string): string {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  return (value >>> 0).toString(16).padStart(8, '0')
}

/** 15 s, then twice as long each time up to 15 minutes: nobody said when it will work again. */
export const computeBackOffMs = (times: number): number => Math.min(15 * 60_000, 15_000 * 2 ** Math.max(0, times - 1))
