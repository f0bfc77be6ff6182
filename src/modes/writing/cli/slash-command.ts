import type { SlashInput } from '../../../surfaces/repl/slash-commands.ts'
import type { Session } from './state.ts'

/** A command of the REPL. */
export type WritingCommand = {
  readonly name: string
  /** For the help: `<level>`. */
  readonly usage?: string
  readonly says: string
  /** Completions of its first argument. */
  readonly args?: (session: Session) => readonly string[]
  run(session: Session, input: SlashInput): Promise<void> | void
}
