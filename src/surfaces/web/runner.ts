import { PawlError } from '../../contract/exit.ts'
import type { Caps } from '../../contract/values.ts'
import type { StoredRun } from '../../ports/run-store.ts'
import { endRun } from '../../run/actions/notes.ts'
import { prepareResume } from '../../run/actions/resume.ts'
import { executeRun } from '../../run/execution/execute.ts'
import { type Machine, machineAt } from '../../run/machine.ts'
import type { ModeEntry, Program, Started } from '../../run/mode.ts'
import { openRun } from '../../run/open-run.ts'
import { enqueueRun, machineOf, toQueuedMachine } from '../../run/queue/queued-machine.ts'

/** The mode that this command starts runs of. */
export const findMode = ({ modes }: Program, command: string): ModeEntry | undefined =>
  modes.find(({ starts }) => Object.hasOwn(starts, command))

/** Others wait in line. */
const mostRuns = 32

/**
 * Starts runs for the page: those that start no agents. With a database, workers execute them. Otherwise this server does; then they end with
 * it and can be resumed anywhere.
 */
export function createRunner(program: Program, print: (line: string) => void) {
  const soft = new AbortController()
  const hard = new AbortController()
  const drain = new AbortController()
  const ready = new Map<string, Ready>()
  const line = program.machine.createQueue()
  const working = line.work({ concurrency: mostRuns, signal: drain.signal, onProblem: print }, async ({ run }) => {
    await execute(ready.get(run)!)
    return { is: 'ended' }
  })
  /** Of runs with scripted models. */
  const machines = new Map<string, Machine>()

  /** Starts a run with a command of a mode. `options` are those of its command line. Throws if it needs a terminal. */
  async function start(command: string, options: object, workspace: string, scripted?: Machine): Promise<StoredRun> {
    const load = findMode(program, command)?.starts[command]
    if (!load) throw new PawlError(2, `there is no command ${command}`)
    const starting = await load()
    if (starting.startsAgents)
      throw new PawlError(2, 'runs with agents are started in a terminal', (pawl) => `${pawl} ${command} --help`)
    const forWorkers = starting.form?.forWorkers === true && program.machine.database !== undefined && !scripted
    const machine = machineAt(forWorkers ? toQueuedMachine(program.machine) : (scripted ?? program.machine), workspace)
    const started = await starting.start(machine, options, {
      ask: async () => undefined,
      tell: (text) => print(text),
      show: () => {},
      end: (run) => endRun(program, run, print),
    })
    if (started.is !== 'started') throw new PawlError(2, 'this can be started in a terminal only')
    if (scripted) machines.set(started.run.entry.id, scripted)
    if (forWorkers) {
      await release(started)
      await enqueueRun(machine, started.run, {})
    } else await lineUp(started)
    return started.run
  }

  async function resume(stored: StoredRun, caps: Caps): Promise<void> {
    const { workspace } = stored.entry
    const own = machines.get(stored.entry.id) ?? machineOf(program.machine, stored)
    const at = { ...program, machine: machineAt(own, workspace) }
    const opened = await openRun(at, stored)
    // Workers start the agents of a queued run.
    const hasAgents =
      !stored.entry.queued && opened.use((mode, run) => mode.commands(run.current.request).agents.length > 0)
    // Before anything is posted: a run that somebody holds may be told to go on, others are not touched.
    if (hasAgents && (await stored.owner()) === undefined)
      throw new PawlError(2, 'runs with agents go on in a terminal', (pawl) => `${pawl} resume ${stored.entry.id}`)
    const options = { trust: false, takeOver: false, now: false, caps, flags: {}, cwd: workspace }
    const resumed = await prepareResume(at, stored, options)
    if (resumed.is === 'told') return
    const { lock, reopen, hasEnded } = resumed
    if (stored.entry.queued) {
      await lock.release()
      return enqueueRun(at.machine, stored, { reopen: hasEnded ? reopen : undefined })
    }
    if (hasAgents) {
      await lock.release()
      throw new PawlError(10, 'its process has ended meanwhile', (pawl) => `${pawl} resume ${stored.entry.id}`)
    }
    await lineUp({ run: stored, lock, reopen })
  }

  async function lineUp(started: Ready): Promise<void> {
    const { id, mode } = started.run.entry
    ready.set(id, started)
    await line.add([{ run: id, mode }])
  }

  async function execute(started: Ready): Promise<void> {
    const { run: stored, held, reopen } = started
    const { id, name, workspace } = stored.entry
    const machine = machineAt(machines.get(id) ?? program.machine, workspace)
    try {
      const open = await openRun({ ...program, machine }, stored)
      await executeRun(open, {
        machine,
        stop: { soft: soft.signal, hard: hard.signal, now: hard.signal },
        attended: true,
        held,
        reopen,
        mayShowWords: true,
        surface: { notice: (text) => print(`${name}: ${text}`) },
      })
    } catch (error) {
      print(`${name}: ${(error as Error).message}`)
    } finally {
      await release(started)
      ready.delete(id)
    }
  }

  return {
    start,
    resume,
    count: (): number => ready.size,
    /** Ends the runs after their current step, at once after a while. */
    async close(graceMs: number): Promise<void> {
      drain.abort('SIGTERM')
      soft.abort('SIGTERM')
      const timer = setTimeout(() => hard.abort('SIGTERM'), graceMs)
      await working
      clearTimeout(timer)
      for (const waiting of ready.values()) await release(waiting)
    },
  }
}

type Ready = Pick<Extract<Started, { is: 'started' }>, 'run' | 'lock' | 'held' | 'reopen'>

async function release({ lock, held }: Ready): Promise<void> {
  await lock.release()
  await held?.release()
}

export type Runner = ReturnType<typeof createRunner>
