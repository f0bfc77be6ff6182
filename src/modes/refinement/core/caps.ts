import { PawlError } from '../../../contract/exit.ts'
import type { Caps } from '../../../contract/values.ts'

/** What other loops count as iterations is their tasks; here a task is a phase, and an attempt an iteration. */
export function refinementCaps({ tasks, ...caps }: Caps): Caps {
  if (tasks === undefined) return caps
  if (tasks === 0) throw new PawlError(2, 'a refinement is always bounded: --max-iterations takes 1 or more')
  return { ...caps, attemptsPerRun: tasks }
}
