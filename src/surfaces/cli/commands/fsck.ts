import { findRun } from '../../../run/find-run.ts'
import { checkRun } from '../../../run/fsck.ts'
import type { Handler } from '../command.ts'

export const handle: Handler = async ({ place, args, io }) => {
  const run = findRun(place, args[0])
  const check = checkRun(run)
  io.result({ run: run.id, ...check }, () => [
    ...check.problems,
    check.ok
      ? `${run.name} (${run.id}) is whole: ${check.events} events, every decision would be made again`
      : `${run.name} (${run.id}) has problems. Nothing was changed.`,
  ])
  return check.ok ? 0 : 30
}
