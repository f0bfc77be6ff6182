/** Every exit code that the program can end with, and what it means. One table, for help, documents and tests. */
export const exitCodes = {
  0: 'success',
  1: 'a claim of the demo is false',
  2: 'misuse of the command line',
  10: 'blocked: waits for a person, or another process owns the run',
  20: 'transient: safe to run again',
  30: 'deterministic: invalid input or configuration, verification failed, or a bound was reached',
  69: 'this Node is too old',
  129: 'interrupted by SIGHUP, state saved',
  130: 'interrupted by Ctrl-C or pawl stop, state saved',
  143: 'interrupted by SIGTERM, state saved',
} as const
export type ExitCode = keyof typeof exitCodes

/** What an error is called where it says nothing more exact. */
const usualCodes: Readonly<Record<ExitCode, string>> = {
  0: 'none',
  1: 'claim_false',
  2: 'misuse',
  10: 'blocked',
  20: 'not_saved',
  30: 'refused',
  69: 'node_too_old',
  129: 'interrupted',
  130: 'interrupted',
  143: 'interrupted',
}

/** An error that a person can act on: what failed, what was kept, the command that continues. `code` is for programs. */
export class PawlError extends Error {
  override name = 'PawlError'
  readonly exit: ExitCode
  readonly hint: string | undefined
  readonly code: string
  constructor(exit: ExitCode, message: string, hint?: string, code: string = usualCodes[exit]) {
    super(message)
    this.exit = exit
    this.hint = hint
    this.code = code
  }
}
