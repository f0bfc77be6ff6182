import { PawlError } from '../contract/exit.ts'
import { CorruptJournalError, NotSavedError } from '../ports/journal.ts'
import { RunOwnedError } from '../ports/lease.ts'

/** Every error that a person can act on, with its exit code. What is not known here is a fault of the program. */
export function asPawlError(error: unknown): PawlError {
  if (error instanceof PawlError) return error
  const { message, stack } = error as Error
  if (error instanceof CorruptJournalError) return new PawlError(30, message, undefined, 'damaged')
  if (error instanceof RunOwnedError) return new PawlError(10, message, undefined, 'owned')
  if (error instanceof NotSavedError) return new PawlError(20, message, 'What was saved is kept.', 'not_saved')
  const detail = process.env.PAWL_DEBUG ? `\n${stack}` : ''
  const hint = 'This is a fault of pawl, not yours. Details: PAWL_DEBUG=1'
  return new PawlError(20, `unexpected: ${message ?? String(error)}${detail}`, hint, 'internal')
}

/** Nobody but this program is to blame. */
export const isFault = ({ code }: PawlError): boolean => code === 'internal'

/** Says which run somebody else owns, and what can be done about it. */
export function asOwned(error: unknown, name: string): unknown {
  if (!(error instanceof RunOwnedError)) return error
  const hint = `To watch: pawl logs -f ${name}. To end it: pawl stop ${name}`
  return new PawlError(10, `${name} is ${error.message}`, hint, 'owned')
}
