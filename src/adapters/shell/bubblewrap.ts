import { constants } from 'node:os'
import type { Mount } from './mounts.ts'

/** The status pipe's place among the file descriptors. bwrap does not hand it on. */
export const statusFd = 3

/** A bwrap that works, and what a command may write in it; null is everything. */
export type Bubblewrap = { readonly program: string; readonly mounts: readonly Mount[] | null }

/**
 * The process numbers are the command's own, so that when its first process ends the kernel ends all the others. A new
 * session keeps the stop ladder's signals from bwrap itself. Everything stays visible, and writable unless `mounts` say
 * what is.
 */
export function insideBubblewrap({ program, mounts }: Bubblewrap, argv: readonly string[]): [string, ...string[]] {
  const view = mounts ? confinedView(mounts) : ['--dev-bind', '/', '/', '--proc', '/proc']
  const life = ['--unshare-pid', '--die-with-parent', '--new-session', '--json-status-fd', String(statusFd)]
  return [program, ...view, ...life, '--', ...argv]
}

function confinedView(mounts: readonly Mount[]): string[] {
  // Shared memory is no file: no mount would keep a command from that of others.
  const world = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--unshare-ipc', '--cap-drop', 'ALL']
  return [...world, ...(isRoot() ? forRoot : []), ...mounts.flatMap(mountOption)]
}

function mountOption({ path, as }: Mount): string[] {
  if (as === 'writable') return ['--bind', path, path]
  if (as === 'read-only') return ['--ro-bind', path, path]
  // Its mode stops everyone but root. A remount costs more than the mount itself.
  return ['--perms', '0555', '--tmpfs', path, ...(isRoot() ? ['--remount-ro', path] : [])]
}

function isRoot(): boolean {
  return process.getuid?.() === 0
}

/**
 * Root may still work on files of other owners and become another user, as installers and databases do: none of that
 * gets past a read-only mount. But the kernel's settings are files of root's, and one of them names a program to run.
 */
const forRoot = [
  ...['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETGID', 'SETUID'].flatMap((name) => ['--cap-add', `CAP_${name}`]),
  '--ro-bind',
  '/proc/sys',
  '/proc/sys',
]

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
export function toSignal(code: number | null): NodeJS.Signals | null {
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
