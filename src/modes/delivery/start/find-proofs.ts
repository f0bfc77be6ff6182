import type { Gate } from '../../../config/repository/declared-gates.ts'
import { findGates } from '../../../config/repository/gates.ts'
import { openRepositoryFiles } from '../../../config/repository/repository.ts'
import type { Settings } from '../../../config/settings.ts'

/** The commands that prove a story, or if a person set none, those that the files of the repository suggest. */
export type Proofs =
  | { readonly are: 'set'; readonly commands: readonly string[] }
  | { readonly are: 'suggested'; readonly gates: readonly Gate[] }

/** Commands come from the person or from the configuration, never from the PRD. */
export function findProofs(root: string, settings: Settings, given: readonly string[]): Proofs {
  const commands = given.length > 0 ? given : settings.value('gates')
  return commands.length > 0
    ? { are: 'set', commands }
    : { are: 'suggested', gates: findGates(openRepositoryFiles(root)) }
}
