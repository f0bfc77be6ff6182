import { type Called, formatOwnText, type OwnText, programs } from './programs.ts'

/** Every exit code of the program and its meaning. The only table: help, docs and tests use it. */
export const exitCodes = {
  0: 'success',
  1: 'a check of the demo failed',
  2: 'invalid command line',
  10: 'blocked: waiting for a person, or another process owns the run',
  20: 'transient: safe to retry',
  30: 'deterministic: invalid input or configuration, verification failed, or a limit was reached',
  69: 'Node version too old',
  129: 'interrupted by SIGHUP, state saved',
  130: 'interrupted by Ctrl-C or the command stop, state saved',
  143: 'interrupted by SIGTERM, state saved',
} as const
export type ExitCode = keyof typeof exitCodes

/** The code of an error that has no more specific one. */
const defaultCodes: Readonly<Record<ExitCode, string>> = {
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

/** An error that a person can act on. The message says what failed, the hint what to do next; `code` is for programs. */
export class PawlError extends Error {
  override name = 'PawlError'
  readonly exit: ExitCode
  readonly code: string
  readonly ownHint: OwnText | undefined
  constructor(exit: ExitCode, message: string, hint?: OwnText, code: string = defaultCodes[exit]) {
    super(message)
    this.exit = exit
    this.ownHint = hint
    this.code = code
  }

  /** The hint for somebody who calls the program `pawl`. */
  get hint(): string | undefined {
    return this.hintFor({ program: 'pawl', folder: programs.pawl.folder })
  }

  hintFor(called: Called): string | undefined {
    return this.ownHint === undefined ? undefined : formatOwnText(this.ownHint, called)
  }
}
