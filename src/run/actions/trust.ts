import { PawlError } from '../../contract/exit.ts'
import type { Machine } from '../machine.ts'
import type { OpenRun } from '../open-run.ts'

/**
 * Throws unless the user has started or trusted this request: resuming a run executes the commands in it. The store keeps
 * the hash of a trusted request where no repository can write.
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
  const notifications = [command, webhook && `(and sends notifications to ${webhook})`].filter(
    (line) => line !== undefined,
  )
  const all = [
    ...agents.map(({ argv }) => argv.join(' ')),
    ...checks,
    ...sends.map((to) => `(and sends texts to ${to})`),
    ...notifications,
  ]
  const list = all.map((line) => `  ${line}`).join('\n')
  const what = `you did not start this run in its current form; resuming it runs:\n${list}`
  throw new PawlError(10, what, 'To allow this, repeat the command with --trust.', 'not_trusted')
}
