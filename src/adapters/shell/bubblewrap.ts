import { constants } from 'node:os'
import type { Mount } from './mounts.ts'

/** File descriptor of the status pipe. bwrap does not pass it on to the command. */
export const statusFd = 3

/** A working bwrap and the mounts of a command. With null everything is writable. */
export type Bubblewrap = { readonly program: string; readonly mounts: readonly Mount[] | null }

/**
 * Wraps a command in bwrap. A new pid namespace makes the kernel kill all its processes when the first one exits. A new
 * session keeps stop signals away from bwrap itself. All files stay visible, and writable unless `mounts` is given.
 */
export function insideBubblewrap({ program, mounts }: Bubblewrap, argv: readonly string[]): [string, ...string[]] {
  const view = mounts ? confinedView(mounts) : ['--dev-bind', '/', '/', '--proc', '/proc']
  const life = ['--unshare-pid', '--die-with-parent', '--new-session', '--json-status-fd', String(statusFd)]
  return [program, ...view, ...life, '--', ...argv]
}

function confinedView(mounts: readonly Mount[]): string[] {
  // Mounts do not cover System V shared memory, so the command gets its own IPC namespace.
  const world = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--unshare-ipc', '--cap-drop', 'ALL']
  return [...world, ...(isRoot() ? forRoot : []), ...mounts.flatMap(mountOption)]
}

function mountOption({ path, as, from }: Mount): string[] {
  if (as === 'writable') return ['--bind', path, path]
  if (as === 'read-only') return ['--ro-bind', path, path]
  if (as === 'copy') return ['--bind', from!, path]
  // The mode stops every user but root. Only root needs the remount, which costs more than the mount itself.
  return ['--perms', '0555', '--tmpfs', path, ...(isRoot() ? ['--remount-ro', path] : [])]
}

function isRoot(): boolean {
  return process.getuid?.() === 0
}

/**
 * Root keeps the capabilities that installers and databases need: none of them gets past a read-only mount. But root
 * could write /proc/sys, and one of its files names a program that the kernel runs.
 */
const forRoot = [
  ...['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETGID', 'SETUID'].flatMap((name) => ['--cap-add', `CAP_${name}`]),
  '--ro-bind',
  '/proc/sys',
  '/proc/sys',
]

export type BubblewrapStatus = {
  /** Pid of the namespace's init process, seen from outside. */
  readonly initPid: number | null
  /** False if bwrap exited without starting the command. */
  readonly started: boolean
}

/** bwrap prints one JSON document per line: first the pid, last the exit code, which a failed start lacks. */
export function readStatus(text: string): BubblewrapStatus {
  const pid = /"child-pid": (\d+)/.exec(text)?.[1]
  return { initPid: pid === undefined ? null : Number(pid), started: text.includes('"exit-code"') }
}

/** bwrap reports death by signal n as exit code 128 + n, like shells. */
export function toSignal(code: number | null): NodeJS.Signals | null {
  if (code === null || code <= 128) return null
  const found = Object.entries(constants.signals).find(([, number]) => number === code - 128)
  return (found?.[0] as NodeJS.Signals | undefined) ?? null
}

/** Returns the same message as a failed start without bwrap. */
export function startProblem(stderr: string): string {
  const [, program, cause] = /^bwrap: execvp (.*): (.*)$/m.exec(stderr) ?? []
  if (program === undefined) return `bubblewrap failed: ${stderr.trim()}`
  return cause?.startsWith('No such file') ? `no such program: ${program}` : `cannot start ${program}: ${cause}`
}
