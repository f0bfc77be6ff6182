import { PawlError } from '../../contract/exit.ts'
import type { Caps } from '../../contract/values.ts'
import type { StoredRun } from '../../ports/run-store.ts'
import { endRun } from '../../run/actions/notes.ts'
import { prepareResume } from '../../run/actions/resume.ts'
import { executeRun } from '../../run/execution/execute.ts'
import { type Machine, machineAt } from '../../run/machine.ts'
import type { ModeEntry, Program, Started } from '../../run/mode.ts'
import { openRun } from '../../run/open-run.ts'
import { enqueueRun, machineOf } from '../../run/queue/queued-machine.ts'

/** The mode that this command starts runs of. */
export const findMode = ({ modes }: Program, command: string): ModeEntry | undefined =>
  modes.find(({ starts }) => Object.hasOwn(starts, command))

const mostRuns = 32

/** Runs that this server executes itself: those that start no agents. They end with it and can be resumed anywhere. */
export function createRunner(program: Program, print: (line: string) => void) {
  const soft = new AbortController()
  const hard = new AbortController()
  const running = new Map<string, Promise<void>>()
  /** Of runs with scripted models. */
  const machines = new Map<string, Machine>()

  /** Starts a run with a command of a mode. `options` are those of its command line. Throws if it needs a terminal. */
  async function start(command: string, options: object, workspace: string, scripted?: Machine): Promise<StoredRun> {
    refuseWhenFull()
    const load = findMode(program, command)?.starts[command]
    if (!load) throw new PawlError(2, `there is no command ${command}`)
    const starting = await load()
    if (starting.startsAgents)
      throw new PawlError(2, 'runs with agents are started in a terminal', (pawl) => `${pawl} ${command} --help`)
    const machine = machineAt(scripted ?? program.machine, workspace)
    const started = await starting.start(machine, options, {
      ask: async () => undefined,
      tell: (text) => print(text),
      show: () => {},
      end: (run) => endRun(program, run, print),
    })
    if (started.is !== 'started') throw new PawlError(2, 'this can be started in a terminal only')
    if (scripted) machines.set(started.run.entry.id, scripted)
    execute(started)
    return started.run
  }

  async function resume(stored: StoredRun, caps: Caps): Promise<void> {
    refuseWhenFull()
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
    execute({ run: stored, lock, reopen })
  }

  function refuseWhenFull(): void {
    if (running.size >= mostRuns) throw new PawlError(10, `${mostRuns} runs are at work here already`, 'Wait for one.')
  }

  type Ready = Pick<Extract<Started, { is: 'started' }>, 'run' | 'lock' | 'held' | 'reopen'>

  function execute({ run: stored, lock, held, reopen }: Ready): void {
    const { id, name, workspace } = stored.entry
    const machine = machineAt(machines.get(id) ?? program.machine, workspace)
    const work = async (): Promise<void> => {
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
        await lock.release()
        await held?.release()
        running.delete(id)
      }
    }
    running.set(id, work())
  }

  return {
    start,
    resume,
    count: (): number => running.size,
    /** Ends the runs after their current step, at once after a while. */
    async close(graceMs: number): Promise<void> {
      soft.abort('SIGTERM')
      const timer = setTimeout(() => hard.abort('SIGTERM'), graceMs)
      await Promise.all(running.values())
      clearTimeout(timer)
    },
  }
}
export type Runner = ReturnType<typeof createRunner>
