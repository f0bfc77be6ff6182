import type { ExitCode } from '../../contract/exit.ts'
import type { ModeEntry, Program } from '../../run/mode.ts'
import type { Io } from './io.ts'

/** A command as it was called. */
export type Invocation = {
  readonly program: Program
  readonly args: readonly string[]
  readonly options: Readonly<Record<string, unknown>>
  readonly io: Io
  /** The command line as it was typed, without the program. */
  readonly argv: readonly string[]
}

export type Handler = (invocation: Invocation) => Promise<ExitCode>

/** `flags` as commander reads them: `-n, --max-iterations <n>`. */
export type OptionSpec = { readonly flags: string; readonly says: string; readonly repeatable?: true }

export const commandGroups = ['START', 'RUNS', 'MACHINE', 'SETUP'] as const

export type CommandSpec = {
  readonly name: string
  readonly group: (typeof commandGroups)[number]
  /** Where it stands in its group: a smaller number comes first. 0 if not given. */
  readonly rank?: number
  /** Positional arguments as commander reads them: `<procedure>`, `[run]`, `[words...]`. */
  readonly args?: string
  readonly says: string
  readonly options?: readonly OptionSpec[]
  readonly examples: readonly string[]
}

/** A command and the module that handles it, which is imported only when the command is called. */
export type CommandEntry = { readonly spec: CommandSpec; load(): Promise<{ readonly handle: Handler }> }

/** What a mode adds to the command line. `resumeOptions` are flags of `resume` that only this mode understands. */
export type CliEntry = ModeEntry & {
  readonly commands: readonly CommandEntry[]
  readonly resumeOptions: readonly OptionSpec[]
}

/** The bounds that every loop takes. */
export const boundsOptions: readonly OptionSpec[] = [
  { flags: '-n, --max-iterations <n>', says: 'end after n iterations, 0 for no bound' },
  { flags: '--max-time <duration>', says: 'end after this much active time, such as 3h' },
  { flags: '--max-cost <usd>', says: 'end once this much is spent' },
  { flags: '--max-tokens <n>', says: 'end once this many tokens are used' },
]

/** How a run that goes on is shown. */
export const watchOptions: readonly OptionSpec[] = [
  { flags: '-q, --quiet', says: 'say only how it ended' },
  { flags: '-v, --verbose', says: 'also print what the agent says as it goes, some of it where it says very much' },
  { flags: '--plain', says: 'lines only, nothing redrawn; as with ACCESSIBLE=1, CI or TERM=dumb' },
]

export const trustOption: OptionSpec = {
  flags: '--trust',
  says: "trust the commands that this repository's config names",
}

/** Which agent a run starts. */
export const agentOptions: readonly OptionSpec[] = [
  { flags: '--agent <name>', says: 'the agent by name: claude, codex, opencode, scripted' },
  { flags: '--ai-cmd <command>', says: 'the agent as any command that reads its prompt on stdin' },
  { flags: '--model <name>', says: 'the model that an agent known by name is told to use' },
]

export const detachOption: OptionSpec = {
  flags: '-d, --detach',
  says: 'go on in a process that survives this terminal',
}
