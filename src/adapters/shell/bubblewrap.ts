import { type StdioOptions, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, join } from 'node:path'

/** The status pipe's place among the file descriptors. bwrap does not hand it on. */
export const statusFd = 3

/**
 * Everything stays visible and writable; only the process numbers are the command's own, so that when its first
 * process ends the kernel ends all the others. A new session keeps the stop ladder's signals from bwrap itself.
 */
export function insideBubblewrap(program: string, argv: readonly string[]): [string, ...string[]] {
  const view = ['--dev-bind', '/', '/', '--proc', '/proc']
  const life = ['--unshare-pid', '--die-with-parent', '--new-session', '--json-status-fd', String(statusFd)]
  return [program, ...view, ...life, '--', ...argv]
}

/** The path of a bwrap that works, found out by running it: a kernel or a container may forbid what it needs. */
export function probeBubblewrap(): Promise<string | null> {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder.startsWith('/'))
  const found = folders.map((folder) => join(folder, 'bwrap')).find((path) => existsSync(path))
  if (process.platform !== 'linux' || found === undefined) return Promise.resolve(null)
  const [program, ...args] = insideBubblewrap(found, ['true'])
  return new Promise((resolve) => {
    const stdio: StdioOptions = ['ignore', 'ignore', 'ignore', 'pipe']
    const child = spawn(program, args, { stdio, timeout: probeMs, killSignal: 'SIGKILL' })
    child.once('error', () => resolve(null))
    child.once('exit', (code) => resolve(code === 0 ? found : null))
  })
}

const probeMs = 5000

export type BubblewrapStatus = {
  /** The namespace's first process as seen from outside. */
  readonly initPid: number | null
  /** False when bwrap ended without ever starting the command. */
  readonly started: boolean
}

/** bwrap writes one JSON document per line: first the pid, at the end the exit code, which a failed start lacks. */
export function readStatus(text: string): BubblewrapStatus {
  const pid = /"child-pid": (\d+)/.exec(text)?.[1]
  return { initPid: pid === undefined ? null : Number(pid), started: text.includes('"exit-code"') }
}

/** bwrap tells a death by signal as 128 + n, as shells do. */
export function signalOf(code: number | null): NodeJS.Signals | null {
  if (code === null || code <= 128) return null
  const found = Object.entries(constants.signals).find(([, number]) => number === code - 128)
  return (found?.[0] as NodeJS.Signals | undefined) ?? null
}

/** In the words that a start without bwrap would have used. */
export function startProblem(stderr: string): string {
  const [, program, cause] = /^bwrap: execvp (.*): (.*)$/m.exec(stderr) ?? []
  if (program === undefined) return `bubblewrap failed: ${stderr.trim()}`
  return cause?.startsWith('No such file') ? `no such program: ${program}` : `cannot start ${program}: ${cause}`
}
