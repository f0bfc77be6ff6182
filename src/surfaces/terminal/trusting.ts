import type { Settings } from '../../config/settings.ts'
import { commandsOf, isTrusted, trust } from '../../config/trust.ts'
import { PawlError } from '../../contract/exit.ts'
import { stateDir } from '../../run/paths.ts'
import type { Invocation } from '../cli/command.ts'

/** A repository's config may name commands only after the person has trusted that content once. */
export async function checkTrust({ place, options }: Invocation, settings: Settings): Promise<void> {
  const commands = commandsOf(settings)
  if (options.trust === true) return trust(stateDir(place), place.cwd, commands)
  if (await isTrusted(stateDir(place), place.cwd, commands)) return
  const list = Object.entries(commands ?? {}).map(([key, value]) => `  ${key}: ${JSON.stringify(value)}`)
  throw new PawlError(
    10,
    `this repository's config names commands that you have not trusted yet:\n${list.join('\n')}`,
    'If they are fine: the same command with --trust',
  )
}
