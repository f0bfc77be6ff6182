import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import type { Command, Exit, Shell } from '../../ports/shell.ts'
import { type Bubblewrap, signalOf, startProblem } from './bubblewrap.ts'
import { type Cage, enterCage } from './cage.ts'
import type { Confine } from './mounts.ts'
import { collectOutput } from './output/collect.ts'
import { createMaskFactory } from './output/mask.ts'
import { probeBubblewrap, probeConfinement } from './probe.ts'
import { allPids } from './processes.ts'
import { isExhaustion, start } from './start.ts'
import { createStopper, type Ladder } from './stopper.ts'
import { sweep } from './sweep.ts'
import { createMarkedTree, createNamespaceTree } from './trees.ts'

export type ShellOptions = {
  /** Values that are never shown, in whatever spelling. Those under 8 characters are left alone. */
  readonly secrets: readonly string[]
  /** `auto` takes bubblewrap where it works; `marker` is weaker: what clears its environment and leaves may survive. */
  readonly isolation: 'auto' | 'off'
  /** What commands may write, where bubblewrap can hold them to it: `confinement` says whether it can. */
  readonly confine?: Confine | undefined
  readonly ladder?: Ladder | undefined
  /** Once it fires, everything that runs is killed at once. */
  readonly kill?: AbortSignal | undefined
  /** How long the output may stay open after the exit. */
  readonly graceMs?: number | undefined
  /** Tells runs apart that were given the same name: leftovers are then only those of the run with this mark. */
  readonly runMark?: string | undefined
}

export type SupervisingShell = Shell & {
  isolation(): Promise<'bubblewrap' | 'marker'>
  /** Commands are held to all of `confine`, or with `none` to nothing of it. */
  confinement(): Promise<'bubblewrap' | 'none'>
}

export function createShell(options: ShellOptions): SupervisingShell {
  const { ladder = { termMs: 5000, killMs: 10_000 }, graceMs = 2000, runMark } = options
  const newMask = createMaskFactory(options.secrets)
  const own = runMark === undefined ? undefined : { [ownMark]: runMark }
  // A bwrap whose parent is killed while it starts may wait for ever: by the mark the next owner of the run finds it.
  const env = { ...process.env, ...own }
  const bubblewrap = once(async () => (options.isolation === 'auto' ? probeBubblewrap(env) : null))
  const confinement = once(async () => {
    const program = options.confine ? await bubblewrap() : null
    return program !== null && (await probeConfinement(program, env)) ? 'bubblewrap' : 'none'
  })

  async function run(command: Command, signal: AbortSignal): Promise<Exit> {
    const startedAt = performance.now()
    const program = await bubblewrap()
    const confined = (await confinement()) === 'bubblewrap'
    if (signal.aborted || options.kill?.aborted) return { ...neverRun, status: 'stopped' }
    if (program === null) return supervise(command, { startedAt, bubblewrap: null }, signal)
    if (!confined) return supervise(command, { startedAt, bubblewrap: { program, mounts: null } }, signal)
    return inCage(options.confine!, ({ mounts, temp }) => {
      const env = { ...command.env, TMPDIR: temp }
      return supervise({ ...command, env }, { startedAt, bubblewrap: { program, mounts } }, signal)
    })
  }

  async function supervise(command: Command, means: Means, signal: AbortSignal): Promise<Exit> {
    const { startedAt, bubblewrap } = means
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
    const { exited, closed } = endOf(child)

    const exit = await exited
    stopper.close()
    const leftovers = await tree.end()
    await within(graceMs, closed)
    for (const stream of child.stdio) stream?.destroy()
    const collected = output.finish()

    const reason = stopper.reason()
    const failedStart = namespace && !reason && !exit.signal && !namespace.status().started
    const innerSignal = namespace ? signalOf(exit.code) : null
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

type Means = { readonly startedAt: number; readonly bubblewrap: Bubblewrap | null }

/** One name per run finds what a crash left; one per process finds what this very command left. */
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

async function inCage(confine: Confine, work: (cage: Cage) => Promise<Exit>): Promise<Exit> {
  const cage = await enterCage(confine).catch((error: NodeJS.ErrnoException) => error)
  if (cage instanceof Error) {
    const detail = `cannot confine the command: ${cage.message}`
    return { ...neverRun, status: 'not-started', detail, ...(isExhaustion(cage) ? { exhausted: true } : {}) }
  }
  const exit = await work(cage).catch(async (error: unknown) => {
    await cage.leave()
    throw error
  })
  const told = await cage.leave()
  return told.length === 0 ? exit : { ...exit, detail: [exit.detail ?? [], told].flat().join('; ') }
}

/** Found out once, when it is first asked for. */
function once<T>(find: () => Promise<T>): () => Promise<T> {
  let found: Promise<T> | null = null
  return () => (found ??= find())
}

type ProcessEnd = { readonly code: number | null; readonly signal: NodeJS.Signals | null }

/** Two different moments: a grandchild may hold the output open long after the exit. */
function endOf(child: ChildProcess) {
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
