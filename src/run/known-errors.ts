import { ScriptError } from '../adapters/scripted/script.ts'
import { CorruptJournalError } from '../adapters/stores/files/reader.ts'
import { ConfigError } from '../config/problem.ts'
import { PawlError } from '../contract/exit.ts'
import { NotSavedError } from '../ports/journal.ts'
import { RunOwnedError } from '../ports/lease.ts'

/** Every error that a person can act on, with its exit code. What is not known here is a fault of the program. */
export function asPawlError(error: unknown): PawlError {
  if (error instanceof PawlError) return error
  const { message, stack } = error as Error
  if (error instanceof ConfigError) return new PawlError(onlyFlags(error) ? 2 : 30, message)
  if (error instanceof ScriptError) return new PawlError(30, message)
  if (error instanceof CorruptJournalError) return new PawlError(30, message)
  if (error instanceof RunOwnedError) return new PawlError(10, message)
  if (error instanceof NotSavedError) return new PawlError(20, message, 'What was saved is kept.')
  const detail = process.env.PAWL_DEBUG ? `\n${stack}` : ''
  const hint = 'This is a fault of pawl, not yours. Details: PAWL_DEBUG=1'
  return new PawlError(20, `${unexpected}${message ?? String(error)}${detail}`, hint)
}

const unexpected = 'unexpected: '
/** Nobody but this program is to blame. */
export const isFault = ({ message }: PawlError): boolean => message.startsWith(unexpected)

/** What was wrong stands on the command line alone. */
const onlyFlags = ({ problems }: ConfigError): boolean => problems.every(({ file }) => file.startsWith('--'))
