import { findRun } from '../../../run/reports/find-run.ts'
import type { Handler } from '../../../surfaces/terminal/command.ts'
import { undoStory } from '../start/undo.ts'

export const handle: Handler = async ({ program, args, io }) => {
  // A single argument is a story of the newest run here, or a run.
  const [first, second] = args
  const isStory = first !== undefined && second === undefined && /^s[1-9][0-9]*$/i.test(first)
  const run = await findRun(program.machine, isStory ? undefined : first, 'act')
  const undone = await undoStory(program, run, isStory ? first : second)
  io.result({ run: run.entry.id, ...undone }, () => [
    undone.commit
      ? `${undone.story} (${undone.title}) was reverted by ${undone.commit.slice(0, 10)}; its work is still in ${undone.undid.slice(0, 10)}.`
      : `${undone.story} (${undone.title}) was reverted in the work tree; its work is still in ${undone.undid.slice(0, 10)}.`,
    `It is no longer done. To do it again: ${program.machine.environment.program} resume ${run.entry.name}`,
  ])
  return 0
}
