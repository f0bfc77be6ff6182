import { findRun } from '../../../run/reports/find-run.ts'
import { checkRun } from '../../../run/reports/fsck.ts'
import type { Handler } from '../../terminal/command.ts'

export const handle: Handler = async ({ program, args, io }) => {
  const stored = await findRun(program.machine, args[0])
  const { id, name } = stored.entry
  const check = await checkRun(program, stored)
  io.result({ run: id, ...check }, () => [
    ...check.problems,
    check.ok
      ? `${name} (${id}) is intact: ${check.events} events, every decision replayed the same`
      : `${name} (${id}) is damaged: see above. Nothing was changed.`,
  ])
  return check.ok ? 0 : 30
}
