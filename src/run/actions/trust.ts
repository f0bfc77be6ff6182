import { PawlError } from '../../contract/exit.ts'
import type { Machine } from '../machine.ts'
import type { OpenRun } from '../open-run.ts'

/**
 * Going on with a run runs the commands that it was frozen with. They are this person's if the store, in a place that no
 * repository can write, knows the hash of the request; otherwise they must be trusted first.
 */
export async function checkTrust({ store }: Pick<Machine, 'store'>, open: OpenRun, trusted: boolean): Promise<void> {
  const { entry } = open.stored
  const { hash, commands } = open.use((mode, { current }) => ({
    hash: current.sha256,
    commands: mode.commands(current.request),
  }))
  if (trusted) return store.trust(entry, hash)
  if (entry.trusted === hash) return
  const { agents, checks, sends } = commands
  const { command, webhook } = open.envelope.notify ?? {}
  const told = [command, webhook && `(and reports to ${webhook})`].filter((line) => line !== undefined)
  const all = [
    ...agents.map(({ argv }) => argv.join(' ')),
    ...checks,
    ...sends.map((to) => `(and sends texts to ${to})`),
    ...told,
  ]
  const list = all.map((line) => `  ${line}`).join('\n')
  const what = `you did not start this run as it is now; going on with it runs:\n${list}`
  throw new PawlError(10, what, 'If that is fine: the same command with --trust', 'not_trusted')
}
