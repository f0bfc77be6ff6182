import { PawlError } from '../../../contract/exit.ts'
import type { Caps } from '../../../contract/values.ts'

/** --max-iterations limits tasks in other modes. Here a task is a phase and an attempt is an iteration. */
export function refinementCaps({ tasks, ...caps }: Caps): Caps {
  if (tasks === undefined) return caps
  if (tasks === 0) throw new PawlError(2, '--max-iterations must be 1 or more: a refinement is always bounded')
  return { ...caps, attemptsPerRun: tasks }
}
