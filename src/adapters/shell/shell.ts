import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command, Exit, Shell } from '../../ports/shell.ts'
import { type Bubblewrap, insideBubblewrap, startProblem, toSignal } from './bubblewrap.ts'
import { createMaskFactory, type Mask } from './mask.ts'
import type { Confine } from './mounts.ts'
import { createLog, createOutput, noLog } from './output.ts'
import { allPids } from './processes.ts'
import { findSafeProgram } from './programs.ts'
import { enterSandbox, type Sandbox } from './sandbox.ts'
import { isExhaustion, start } from './start.ts'
import { createStopper, type Ladder } from './stopper.ts'
import { sweep } from './sweep.ts'
import { makeTempFolder } from './temp-folder.ts'
import { createMarkedTree, createNamespaceTree } from './trees.ts'

export type ShellOptions = {
  /** Values to mask in all output, in every common encoding. Values under 8 characters are ignored. */
  readonly secrets: readonly string[]
  /**
   * `auto`: bubblewrap if it works, otherwise marker. `off`: marker. Marker is weaker: a process that clears its environment and
   * leaves the session may survive.
   */
  readonly isolation: 'auto' | 'off'
  /** The path of bwrap, or null for none. Default: one on PATH, outside the current folder. */
  readonly bubblewrap?: string | null | undefined
  /** Paths that commands may write. Enforced by bubblewrap only; see `confinement`. */
  readonly confine?: Confine | undefined
  readonly ladder?: Ladder | undefined
  /** On abort, every running command is killed immediately. */
  readonly kill?: AbortSignal | undefined
  /** How long to wait for the output streams to close after the exit. */
  readonly graceMs?: number | undefined
  /** Identifies this run among runs with the same name. If set, `endLeftovers` searches for it and ignores its `scope`. */
  readonly runMark?: string | undefined
}

export type SupervisingShell = Shell & {
  isolation(): Promise<'bubblewrap' | 'marker'>
  /** `bubblewrap`: mounts enforce `confine`; paths that cannot be mounted are restored afterwards. `none`: nothing is enforced. */
  confinement(): Promise<'bubblewrap' | 'none'>
}

export function createShell(options: ShellOptions): SupervisingShell {
  const { ladder = { termMs: 5000, killMs: 10_000 }, graceMs = 2000, runMark } = options
  const newMask = createMaskFactory(options.secrets)
  const own = runMark === undefined ? undefined : { [ownMark]: runMark }
  // If this process is killed while bwrap starts, bwrap may hang forever. The mark lets the run's next owner find it.
  const env = { ...process.env, ...own }
  const bubblewrap = once(async () => (options.isolation === 'auto' ? probeBubblewrap(options.bubblewrap, env) : null))
  const confinement = once(async () => {
    const program = options.confine ? await bubblewrap() : null
    return program !== null && (await probeConfinement(program, env)) ? 'bubblewrap' : 'none'
  })

  async function run(command: Command, signal: AbortSignal): Promise<Exit> {
    const startedAt = performance.now()
    const program = await bubblewrap()
    const confined = (await confinement()) === 'bubblewrap'
    if (signal.aborted || options.kill?.aborted) return { ...neverRun, status: 'stopped' }
    if (!confined) {
      const deps = { startedAt, bubblewrap: program === null ? null : { program, mounts: null } }
      return command.place
        ? withOwnTemp(command, (own) => supervise(own, deps, signal))
        : supervise(command, deps, signal)
    }
    // Overlays are thrown away, so commands may write there.
    const overlays = command.place?.mounts?.caches.map(({ at }) => at) ?? []
    const confine = { ...options.confine!, writable: [...options.confine!.writable, ...overlays] }
    return runSandboxed(confine, ({ mounts, temp }) => {
      const env = { ...command.env, TMPDIR: temp }
      return supervise({ ...command, env }, { startedAt, bubblewrap: { program: program!, mounts } }, signal)
    })
  }

  async function supervise(command: Command, deps: ShellDeps, signal: AbortSignal): Promise<Exit> {
    const { startedAt, bubblewrap } = deps
    const id = randomUUID()
    const started = await start(command, bubblewrap, { [scopeMark]: command.scope, [processMark]: id, ...own })
    if ('problem' in started) {
      return { ...neverRun, status: 'not-started', detail: started.problem, exhausted: started.exhausted }
    }

    const { child } = started
    const mark = `${processMark}=${id}`
    const namespace = bubblewrap ? createNamespaceTree(child, mark) : null
    const tree = namespace ?? createMarkedTree(child.pid!, mark)
    const { wallMs, silenceMs } = command
    const stopper = createStopper({ ladder, wallMs, silenceMs, send: tree.signal, kill: options.kill }, signal)
    const output = collectOutput(child, command, { newMask, heard: stopper.heard })
    const { exited, closed } = waitForEnd(child)

    const exit = await exited
    stopper.close()
    const leftovers = await tree.end()
    await within(graceMs, closed)
    for (const stream of child.stdio) stream?.destroy()
    const collected = output.finish()

    const reason = stopper.reason()
    const failedStart = namespace && !reason && !exit.signal && !namespace.status().started
    const innerSignal = namespace ? toSignal(exit.code) : null
    return {
      status: reason ?? (failedStart ? 'not-started' : 'exited'),
      code: innerSignal || failedStart ? null : exit.code,
      signal: innerSignal ?? exit.signal,
      durationMs: Math.round(performance.now() - startedAt),
      leftovers,
      ...collected,
      ...(failedStart ? { detail: startProblem(collected.stderrTail) } : {}),
    }
  }

  return {
    run,
    endLeftovers: (scope) => {
      const mark = runMark === undefined ? `${scopeMark}=${scope}` : `${ownMark}=${runMark}`
      return sweep({ mark }, allPids())
    },
    isolation: async () => ((await bubblewrap()) ? 'bubblewrap' : 'marker'),
    confinement,
  }
}

type ShellDeps = { readonly startedAt: number; readonly bubblewrap: Bubblewrap | null }

/** The run's marks find processes left by a crash; the process mark finds those left by this command. */
const scopeMark = 'PAWL_SCOPE'
const ownMark = 'PAWL_RUN_MARK'
const processMark = 'PAWL_PROCESS'

const neverRun = {
  code: null,
  signal: null,
  durationMs: 0,
  stdoutTail: '',
  stderrTail: '',
  outputBytes: 0,
  truncated: false,
  leftovers: 0,
}

async function runSandboxed(confine: Confine, work: (sandbox: Sandbox) => Promise<Exit>): Promise<Exit> {
  const sandbox = await enterSandbox(confine).catch((error: NodeJS.ErrnoException) => error)
  if (sandbox instanceof Error) {
    const detail = `cannot confine the command: ${sandbox.message}`
    return { ...neverRun, status: 'not-started', detail, ...(isExhaustion(sandbox) ? { exhausted: true } : {}) }
  }
  const exit = await work(sandbox).catch(async (error: unknown) => {
    await sandbox.leave()
    throw error
  })
  const notices = await sandbox.leave()
  return notices.length === 0 ? exit : { ...exit, detail: [exit.detail ?? [], notices].flat().join('; ') }
}

/** In a clean room, no command sees the temporary files of another. */
async function withOwnTemp(command: Command, work: (command: Command) => Promise<Exit>): Promise<Exit> {
  const temp = makeTempFolder()
  try {
    return await work({ ...command, env: { ...command.env, TMPDIR: temp } })
  } finally {
    rmSync(temp, { recursive: true, force: true })
  }
}

/** Runs `find` on the first call and returns the same promise from then on. */
function once<T>(find: () => Promise<T>): () => Promise<T> {
  let found: Promise<T> | null = null
  return () => (found ??= find())
}

type ProcessEnd = { readonly code: number | null; readonly signal: NodeJS.Signals | null }

/** Exit and close are two moments: a grandchild may hold the output open long after the exit. */
function waitForEnd(child: ChildProcess) {
  const exited = new Promise<ProcessEnd>((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })))
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  return { exited, closed }
}

async function within(ms: number, event: Promise<void>): Promise<void> {
  const { promise: deadline, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  await Promise.race([event, deadline])
  clearTimeout(timer)
}

type CollectOptions = {
  readonly newMask: () => Mask
  /** Called for every chunk, however small. */
  readonly heard: () => void
}

type Collected = Pick<Exit, 'stdoutTail' | 'stderrTail' | 'outputBytes' | 'truncated' | 'detail'>

/** Writes both streams to one log in order of arrival. Writes are synchronous, so a fast process has to wait. */
function collectOutput(child: ChildProcess, command: Command, { newMask, heard }: CollectOptions) {
  const { log: path, logCap = defaultLogCap, onOutput } = command
  const log = path === undefined ? noLog : createLog(path, logCap)
  let outputBytes = 0
  const stdout = attach('stdout')
  const stderr = attach('stderr')

  function attach(name: 'stdout' | 'stderr') {
    const output = createOutput(newMask(), log, onOutput && ((text) => onOutput(name, text)))
    child[name]?.on('data', (chunk: Buffer) => {
      heard()
      outputBytes += chunk.length
      output.take(chunk)
    })
    return output
  }

  function finish(): Collected {
    stdout.end()
    stderr.end()
    log.close()
    const detail = log.detail()
    const tails = { stdoutTail: stdout.tail(), stderrTail: stderr.tail() }
    return { ...tails, outputBytes, truncated: log.truncated(), ...(detail === undefined ? {} : { detail }) }
  }
  return { finish }
}

const defaultLogCap = 16 * 1024 * 1024

type Env = Readonly<Record<string, string | undefined>>

/** Returns the path of a working bwrap, or null. Runs it, because a kernel or a container may forbid what it needs. */
export async function probeBubblewrap(program = findBubblewrap(), env: Env = process.env): Promise<string | null> {
  if (process.platform !== 'linux' || program === null) return null
  // Nothing is confined here yet, so the command must not be searched on PATH.
  return (await succeeds(insideBubblewrap({ program, mounts: null }, ['/bin/sh', '-c', ':']), env)) ? program : null
}

function findBubblewrap(): string | null {
  const found = findSafeProgram('bwrap', { path: process.env.PATH ?? '', writable: [process.cwd(), tmpdir()] })
  return 'path' in found ? found.path : null
}

/** Returns whether confinement works here: a command tries allowed and forbidden writes, then the files are checked. */
export async function probeConfinement(program: string, env: Env = process.env): Promise<boolean> {
  const folder = makeTempFolder()
  const [open, shut] = [join(folder, 'open'), join(folder, 'shut')]
  const tries = ['open/file', 'open/held/file', 'open/missing/file', 'shut/file'].map((name) => join(folder, name))
  try {
    for (const path of [open, shut, join(open, 'held')]) mkdirSync(path)
    const protectedFolders = [join(open, 'held'), join(open, 'missing')]
    const sandbox = await enterSandbox({ writable: [open], protectedFolders, protectedFiles: [] })
    const script = 'for path; do (echo > "$path"); done; true'
    const argv = ['/bin/sh', '-c', script, 'sh', ...tries]
    const ran = await succeeds(insideBubblewrap({ program, mounts: sandbox.mounts }, argv), env)
    await sandbox.leave()
    return ran && tries.filter((path) => existsSync(path)).join() === tries[0]
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function succeeds([program, ...args]: [string, ...string[]], env: Env): Promise<boolean> {
  return new Promise((resolve) => {
    const stdio: StdioOptions = ['ignore', 'ignore', 'ignore', 'pipe']
    const child = spawn(program, args, { stdio, env, timeout: probeMs, killSignal: 'SIGKILL' })
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code === 0))
  })
}

const probeMs = 5000
