import { PawlError } from '../contract/exit.ts'
import { readFrozenRequest } from './frozen-request.ts'
import { type RunEntry, registerRun } from './index-of-runs.ts'
import { commandsIn } from './modes.ts'
import type { Place } from './paths.ts'

/**
 * Going on with a run runs the commands that it was frozen with. They are this person's if the index, which no
 * repository can write, knows the hash of the request; otherwise they must be trusted first.
 */
export function checkFrozenTrust(place: Place, run: RunEntry, trusted: boolean): void {
  const { current, currentHash } = readFrozenRequest(run.dir)
  if (trusted) registerRun(place, { ...run, request: currentHash })
  if (trusted || run.request === currentHash) return
  const { agents, checks, sends } = commandsIn(current)
  const { command, webhook } = current.notify ?? {}
  const told = [command, webhook && `(and reports to ${webhook})`].filter((line) => line !== undefined)
  const commands = [
    ...agents.map(({ argv }) => argv.join(' ')),
    ...checks,
    ...sends.map((to) => `(and sends texts to ${to})`),
    ...told,
  ]
    .map((command) => `  ${command}`)
    .join('\n')
  const what = `you did not start this run as it is now; going on with it runs:\n${commands}`
  throw new PawlError(10, what, 'If that is fine: the same command with --trust')
}
