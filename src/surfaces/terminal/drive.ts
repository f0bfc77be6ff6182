import { capsFromFlags } from '../../config/run-settings.ts'
import type { ExitCode } from '../../contract/exit.ts'
import type { StoredRun } from '../../ports/run-store.ts'
import { prepareResume } from '../../run/actions/resume.ts'
import { machineAt } from '../../run/machine.ts'
import type { Started } from '../../run/mode.ts'
import { enqueueRun, machineOf } from '../../run/queue/queued-machine.ts'
import type { Invocation } from './command.ts'
import { detachRun, detachStart } from './detach.ts'
import { type Driven, driveRun } from './drive-run.ts'
import { createRendering, renderAction } from './render.ts'
import { renderBlocks } from './render-blocks.ts'

/** Handles the outcome of a start: shows it, drives the run here, or hands it to a background process. */
export async function driveStarted(
  invocation: Invocation,
  started: Started,
  { again }: Pick<Driven, 'again'> = {},
): Promise<ExitCode> {
  const { program, options, io } = invocation
  switch (started.is) {
    case 'shown':
      io.result(started.facts, () => renderBlocks(started.blocks, createRendering(program, undefined, io)))
      return 0
    case 'resume':
      return resumeRun(invocation, started.run)
    case 'detach':
      return detachStart(invocation, started)
    case 'started': {
      const { run: stored, lock, held, reopen } = started
      if (invocation.queue) {
        await held?.release()
        await lock.release()
        return queueRun(invocation, stored, invocation.queue)
      }
      if (options.detach !== true) return driveRun(invocation, { stored, lock, held, reopen, again })
      await held?.release()
      await lock.release()
      return detachRun(invocation, stored)
    }
  }
}

/** Leaves a run to the workers and says how to watch it. */
async function queueRun(
  { program: { machine }, io }: Invocation,
  stored: StoredRun,
  turn: Parameters<typeof enqueueRun>[2],
): Promise<ExitCode> {
  await enqueueRun(machine, stored, turn)
  const { id, name } = stored.entry
  const rendering = { program: machine.environment.program, run: id }
  io.result({ run: id, queued: true }, () => [
    `${name} is in the queue as ${id}. The next free worker takes it.`,
    `  watch   ${renderAction({ do: 'watch' }, rendering)}`,
    `  report  ${renderAction({ do: 'show' }, rendering)}`,
    `  stop    ${renderAction({ do: 'stop' }, rendering)}`,
  ])
  return 0
}

/** Resumes a run in its own folder. Its request is frozen; only flags change anything. */
export async function resumeRun(invocation: Invocation, stored: StoredRun): Promise<ExitCode> {
  const { options, io } = invocation
  const { id, name, workspace } = stored.entry
  const machine = machineAt(machineOf(invocation.program.machine, stored), workspace)
  const at = { ...invocation, program: { ...invocation.program, machine } }
  const takeOver = options.takeOver === true
  const resumed = await prepareResume(at.program, stored, {
    trust: options.trust === true,
    takeOver,
    now: options.now === true,
    caps: capsFromFlags((await machine.configShape()).rules, options),
    flags: options,
    cwd: process.cwd(),
  })
  if (resumed.is === 'told') {
    const { note, owner } = resumed
    const watch = renderAction({ do: 'watch' }, { program: machine.environment.program, run: name })
    const what = note.say === 'unpause' ? 'continuing' : 'skipping the wait'
    io.result({ run: id, note }, () => [`${name}: ${what} in its own process (pid ${owner.pid}). To watch: ${watch}`])
    return 0
  }
  const { open, lock, reopen, hasEnded, notices } = resumed
  for (const notice of notices) io.err(`${machine.environment.program}: ${notice}`)
  if (stored.entry.queued) {
    await lock.release()
    return queueRun(at, stored, { reopen: hasEnded ? reopen : undefined })
  }
  if (options.detach !== true) return driveRun(at, { stored, open, lock, reopen, takeOver })
  await lock.release()
  return detachRun(at, stored, [...(hasEnded ? boundFlags(options) : []), ...(takeOver ? ['--take-over'] : [])])
}

/** Bounds to pass on when the background process reopens an ended run. An open run gets its new bounds as a note. */
const boundFlags = (options: Invocation['options']): string[] =>
  Object.entries({
    maxIterations: '-n',
    maxTime: '--max-time',
    maxCost: '--max-cost',
    maxTokens: '--max-tokens',
  }).flatMap(([name, flag]) => (typeof options[name] === 'string' ? [flag, options[name]] : []))
