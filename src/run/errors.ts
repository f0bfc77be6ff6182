import { type ExitCode, PawlError } from '../contract/exit.ts'
import type { Left, View } from '../kernel/policy.ts'
import { CorruptJournalError, NotSavedError } from '../ports/journal.ts'
import { RunOwnedError } from '../ports/lease.ts'
import { RepositoryBlockedError } from '../ports/snapshots.ts'
import type { Reasons } from '../show/show.ts'

/** Converts any error into one with an exit code and a hint. An unknown error counts as a bug in the program. */
export function toPawlError(error: unknown): PawlError {
  if (error instanceof PawlError) return error
  const { message, stack } = error as Error
  if (error instanceof CorruptJournalError)
    return new PawlError(30, message, (pawl) => `Nothing was changed. To check it: ${pawl} fsck`, 'damaged')
  if (error instanceof RepositoryBlockedError) return new PawlError(10, message, undefined, 'repository')
  if (error instanceof RunOwnedError) return new PawlError(10, message, undefined, 'owned')
  if (error instanceof NotSavedError)
    return new PawlError(20, message, 'Everything saved so far is intact.', 'not_saved')
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EACCES' || code === 'EPERM') {
    return new PawlError(10, message, 'Run this as the owner of that file, or ask for access to it.', 'no_access')
  }
  const detail = process.env.PAWL_DEBUG ? `\n${stack}` : ''
  const hint = (pawl: string): string => `This is a bug in ${pawl}. For details, set PAWL_DEBUG=1.`
  return new PawlError(20, `unexpected error: ${message ?? String(error)}${detail}`, hint, 'internal')
}

/** True if the error is a bug in the program. */
export const isFault = ({ code }: PawlError): boolean => code === 'internal'

/** Adds to a RunOwnedError the name of the run and what to do. Returns any other error unchanged. */
export function toOwnedError(error: unknown, name: string): unknown {
  if (!(error instanceof RunOwnedError)) return error
  const hint = (pawl: string): string => {
    const takeOver = error.isUncertain ? `. If it is certainly gone: ${pawl} resume ${name} --take-over` : ''
    return `To watch: ${pawl} logs -f ${name}. To end it: ${pawl} stop ${name}${takeOver}`
  }
  return new PawlError(10, `${name} is ${error.message}`, hint, 'owned')
}

const signalExits: Readonly<Record<string, ExitCode>> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }

/** Returns the exit code for a run that left the loop. `signal` is the name of the signal that stopped it. */
export function chooseExit<Memo>(reasons: Reasons<Memo>, left: Left<Memo>, signal?: string): ExitCode {
  switch (left.status) {
    case 'unsaved':
      return 20
    case 'interrupted':
      return signalExits[signal ?? ''] ?? 130
    case 'waiting':
      return left.view.state.question ? 10 : 20
    case 'ended':
      return chooseEndExit(reasons, left.view)
  }
}

/** Returns the exit code of a run that has ended, from the mode's table of reasons. */
export function chooseEndExit<Memo>(reasons: Reasons<Memo>, view: View<Memo>): ExitCode {
  const { ended } = view.state
  if (ended?.ending === 'completed') return 0
  if (ended?.ending === 'blocked') return 10
  if (ended?.ending === 'cancelled') return 130
  const rule = ended && Object.hasOwn(reasons, ended.reason.code) ? reasons[ended.reason.code] : undefined
  return typeof rule?.exit === 'function' ? rule.exit(view) : (rule?.exit ?? 30)
}
