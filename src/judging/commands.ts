import type { Progress } from '../contract/progress.ts'
import { type Exit, noPlace, type Place, type Shell } from '../ports/shell.ts'

export type CommandTools = {
  readonly shell: Shell
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** The run that the processes belong to. */
  readonly scope: string
  /** The commands run in this place instead of the real `cwd`. */
  readonly place?: Place | undefined
  readonly logOf: (index: number) => string
  /** Time left for the next command. */
  readonly leftMs: () => number
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

/** The first command that did not exit with code 0. */
export type FailedCommand = {
  readonly index: number
  readonly command: string
  readonly exit: Exit
  readonly log: string
}

/** Runs commands in order until one fails. Undefined if all succeeded. */
export async function runUntilFailure(
  commands: readonly string[],
  tools: CommandTools,
  signal: AbortSignal,
): Promise<FailedCommand | undefined> {
  const { shell, cwd, env, scope, place, logOf, leftMs, onProgress } = tools
  for (const [index, command] of commands.entries()) {
    onProgress?.({ phase: 'gate', says: command })
    const log = logOf(index)
    const left = leftMs()
    const wallMs = Number.isFinite(left) ? left : undefined
    const given = { argv: ['/bin/sh', '-c', command] as const, cwd: place?.at ?? cwd, env, log, scope, wallMs, place }
    const exit = orNoPlace(await shell.run({ ...given, argv: [...given.argv] }, signal), place)
    if (exit.status !== 'exited' || exit.code !== 0) return { index, command, exit, log }
  }
  return undefined
}

/** A command that could not be started says nothing about the work. */
const orNoPlace = (exit: Exit, place: Place | undefined): Exit =>
  place?.mounts && exit.code === 125 && exit.stderrTail.includes(`${noPlace} ${place.mounts.word}`)
    ? { ...exit, status: 'not-started', code: null, exhausted: true, detail: noPlace }
    : exit

/** Formats how a command failed: "exit 1", "timed-out". */
export function describeExit({ status, code, signal, stdoutTail, stderrTail }: Exit): string {
  if (status !== 'exited') return status
  const refused = [stdoutTail, stderrTail].some((text) => /Read-only file system|\bEROFS\b/.test(text))
  return `exit ${code ?? signal}${refused ? `; ${writeRefused}` : ''}`
}

const writeRefused = 'a write was refused: in the sandbox, commands can write to the repository and to $TMPDIR'

const maxCharacters = 4000
const colorCodes = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*[A-Za-z]`, 'g')

/** Hashes a failure without numbers, times, addresses and colors, so that the same failure gives the same hash. */
export function fingerprintFailure(what: string, output: string): string {
  const normalized = output
    .slice(-maxCharacters)
    .replace(colorCodes, '')
    .replace(/0x[0-9a-f]+|[0-9a-f]{8,}/gi, '#')
    .replace(/[0-9]+/g, '#')
    .replace(/\s+/g, ' ')
  return hash(`${what}\n${normalized}`)
}

/** FNV-1a: it only distinguishes a handful of failures and needs no security. */
function hash(text: string): string {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  return (value >>> 0).toString(16).padStart(8, '0')
}

/** Exponential backoff without a known reset time: 15 s, doubled each time, at most 15 minutes. */
export const computeBackOffMs = (times: number): number => Math.min(15 * 60_000, 15_000 * 2 ** Math.max(0, times - 1))
