import type { ExitCode } from '../../contract/exit.ts'
import type { Place } from '../../run/paths.ts'
import type { Io } from '../terminal/io.ts'

export type Invocation = {
  readonly place: Place
  readonly args: readonly string[]
  readonly options: Readonly<Record<string, unknown>>
  readonly io: Io
}

export type Handler = (invocation: Invocation) => Promise<ExitCode>

export const commandNames = [
  'run',
  'plan',
  'deliver',
  'refine',
  'init',
  'demo',
  'ls',
  'show',
  'why',
  'logs',
  'resume',
  'answer',
  'feedback',
  'fork',
  'pause',
  'stop',
  'fsck',
  'clean',
  'undo',
  'execute',
  'schema',
  'doctor',
  'config',
  'completion',
] as const
export type CommandName = (typeof commandNames)[number]

/** `flags` as commander reads them: `-n, --max-iterations <n>`. */
export type OptionSpec = { readonly flags: string; readonly says: string; readonly repeatable?: true }

export type CommandSpec = {
  readonly name: CommandName
  readonly group: 'START' | 'RUNS' | 'MACHINE' | 'SETUP'
  /** Positional arguments as commander reads them: `<procedure>`, `[run]`, `[words...]`. */
  readonly args?: string
  readonly says: string
  readonly options?: readonly OptionSpec[]
  readonly examples: readonly string[]
}
