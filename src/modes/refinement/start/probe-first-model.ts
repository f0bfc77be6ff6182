import type { Ladder } from '../../../config/models/ladder.ts'
import { PawlError } from '../../../contract/exit.ts'
import type { Models } from '../../../run/machine.ts'

const never = new AbortController().signal

/**
 * Whether there is anybody to begin with, before a run is made. Asked of what is on this machine alone: nothing is sent
 * elsewhere for a look. Where others can stand in, what is missing is told and no more.
 */
export async function probeFirstModel(
  models: Pick<Models, 'probe'>,
  { ladder, start }: Pick<Ladder, 'ladder' | 'start'>,
): Promise<readonly string[]> {
  const rung = ladder.find(({ id }) => id === start)!
  if (!rung.local && rung.provider !== 'agent') return []
  const { ok, says, hint, answers } = await models.probe(rung, never)
  if (ok) return []
  const what = `${rung.label} (${rung.id}): ${says}`
  // What it has is its own word: a call will tell.
  if (answers || ladder.length > 1) return [hint === undefined ? what : `${what}. ${hint}`]
  const others = 'Another model: --model agent:claude, --model ollama:<model>, or a ladder of your own: docs/refine.md'
  throw new PawlError(10, what, hint === undefined ? others : `${hint}. ${others}`)
}
