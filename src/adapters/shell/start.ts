import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, constants, createReadStream, fstatSync, openSync, statSync } from 'node:fs'
import { pipeline } from 'node:stream'
import type { Command } from '../../ports/shell.ts'
import { type Bubblewrap, insideBubblewrap } from './bubblewrap.ts'
import { insidePlace } from './place.ts'

export type Started = { readonly child: ChildProcess } | { readonly problem: string; readonly exhausted?: true }

/** Starts the command in its own session. Contract: returns a failed start as `problem`. */
export async function start(
  command: Command,
  bubblewrap: Bubblewrap | null,
  marks: Record<string, string>,
): Promise<Started> {
  let input: number | null = null
  try {
    if (command.stdin && 'path' in command.stdin) input = openInput(command.stdin.path)
    if (!bubblewrap?.mounts || input === null) return await spawnChild(command, { bubblewrap, marks, input })
    // An inherited file could be reopened for writing inside the sandbox through /proc. A pipe cannot.
    const started = await spawnChild(command, { bubblewrap, marks, input: null })
    if ('problem' in started) return started
    pipeline(createReadStream('', { fd: input }), started.child.stdin!, ignore)
    input = null
    return started
  } catch (error) {
    return describeProblem(command, error as NodeJS.ErrnoException)
  } finally {
    if (input !== null) closeSync(input)
  }
}

type StartDeps = {
  readonly bubblewrap: Bubblewrap | null
  readonly marks: Record<string, string>
  readonly input: number | null
}

function spawnChild(command: Command, { bubblewrap, marks, input }: StartDeps): Promise<Started> {
  const inner = bubblewrap ? insideBubblewrap(bubblewrap, command.argv) : command.argv
  const { place } = command
  const [program, ...args] = place?.mounts ? insidePlace(place.at, place.mounts, inner) : inner
  const child = spawn(program, args, {
    cwd: command.cwd,
    env: { ...command.env, ...marks },
    detached: true,
    stdio: [input ?? (command.stdin ? 'pipe' : 'ignore'), 'pipe', 'pipe', ...(bubblewrap ? ['pipe' as const] : [])],
  })
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(describeProblem(command, error)))
    child.once('spawn', () => {
      feed(child, command)
      resolve({ child })
    })
  })
}

/** Ignores stream errors: a process may exit without reading its input. */
function feed(child: ChildProcess, { stdin }: Command): void {
  child.on('error', ignore)
  for (const stream of child.stdio) stream?.on('error', ignore)
  if (stdin && 'text' in stdin) child.stdin?.end(stdin.text)
}

function ignore(): void {}

/** Opens without blocking, in case the path is a named pipe. */
function openInput(path: string): number {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const kind = fstatSync(file)
  if (kind.isFile() || kind.isCharacterDevice()) return file
  closeSync(file)
  throw new Error(`cannot read input ${path}: not a file`)
}

const exhaustion = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM', 'ENOSPC', 'EDQUOT'])

/** Returns whether the machine is out of memory, disk space, processes or file descriptors. */
export function isExhaustion({ code }: NodeJS.ErrnoException): boolean {
  return exhaustion.has(code ?? '')
}

function describeProblem(command: Command, error: NodeJS.ErrnoException): Started {
  const problem = nameProblem(command, error)
  return isExhaustion(error) ? { problem, exhausted: true } : { problem }
}

/** Checks the folder first, because the system reports a missing folder like a missing program. */
function nameProblem({ argv, cwd, stdin }: Command, error: NodeJS.ErrnoException): string {
  if (error.syscall === 'open' && stdin && 'path' in stdin) return `cannot read input ${stdin.path}: ${error.code}`
  if (!error.syscall?.startsWith('spawn')) return error.message
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) return `no such folder: ${cwd}`
  return error.code === 'ENOENT' ? `no such program: ${argv[0]}` : `cannot start ${argv[0]}: ${error.code}`
}
