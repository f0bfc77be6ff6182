import type { ExitCode } from '../../contract/exit.ts'
import type { Started } from '../../run/mode.ts'
import type { Invocation } from './command.ts'
import { detachRun, detachStart } from './detach.ts'
import { type Driven, driveRun } from './drive-run.ts'
import { renderingAt } from './render.ts'
import { renderBlocks } from './render-blocks.ts'
import { resumeRun } from './resume.ts'

/** What became of a start: a run to be driven, something to be shown, or a run that another process is to drive. */
export async function driveStarted(
  invocation: Invocation,
  started: Started,
  { again }: Pick<Driven, 'again'> = {},
): Promise<ExitCode> {
  const { program, options, io } = invocation
  switch (started.is) {
    case 'shown':
      io.result(started.facts, () => renderBlocks(started.blocks, renderingAt(program)))
      return 0
    case 'resume':
      return resumeRun(invocation, started.run)
    case 'detach':
      return detachStart(invocation, started)
    case 'started': {
      const { run: stored, lock, held, reopen } = started
      if (options.detach !== true) return driveRun(invocation, { stored, lock, held, reopen, again })
      await held?.release()
      await lock.release()
      return detachRun(invocation, stored)
    }
  }
}
