import type { ExitCode } from '../../contract/exit.ts'
import type { ModeEntry, Program } from '../../run/mode.ts'
import type { Io } from './io.ts'

/** One call of a command. */
export type Invocation = {
  readonly program: Program
  readonly args: readonly string[]
  readonly options: Readonly<Record<string, unknown>>
  readonly io: Io
  /** The command line as it was typed, without the program. */
  readonly argv: readonly string[]
  /** Set by `--queue`: workers execute the run. */
  readonly queue?: { readonly priority: number } | undefined
}

export type Handler = (invocation: Invocation) => Promise<ExitCode>

/** `flags` in commander's syntax: `-n, --max-iterations <n>`. */
export type OptionSpec = { readonly flags: string; readonly says: string; readonly repeatable?: true }

export const commandGroups = ['START', 'RUNS', 'MACHINE', 'SETUP'] as const

export type CommandSpec = {
  readonly name: string
  readonly group: (typeof commandGroups)[number]
  /** Position in its group, lowest first. Default 0. */
  readonly rank?: number
  /** Positional arguments in commander's syntax: `<procedure>`, `[run]`, `[words...]`. */
  readonly args?: string
  readonly says: string
  readonly options?: readonly OptionSpec[]
  /** Command lines. A leading `pawl` means this program. */
  readonly examples: readonly string[]
}

/** A command and its handler module, which is imported only when the command is called. */
export type CommandEntry = { readonly spec: CommandSpec; load(): Promise<{ readonly handle: Handler }> }

/** The commands that a mode adds. `resumeOptions` are flags of `resume` that only this mode understands. */
export type CliEntry = ModeEntry & {
  readonly commands: readonly CommandEntry[]
  readonly resumeOptions: readonly OptionSpec[]
}

/** Bounds that every loop has. */
export const boundsOptions: readonly OptionSpec[] = [
  { flags: '-n, --max-iterations <n>', says: 'stop after n iterations; 0 for no limit' },
  { flags: '--max-time <duration>', says: 'stop after this much active time, such as 3h' },
  { flags: '--max-cost <usd>', says: 'stop once this many US dollars are spent' },
  { flags: '--max-tokens <n>', says: 'stop once this many tokens are used' },
]

/** How to show a run while it works. */
export const watchOptions: readonly OptionSpec[] = [
  { flags: '-q, --quiet', says: 'print only the result' },
  { flags: '-v, --verbose', says: 'stream agent output (sampled when very long)' },
  { flags: '--plain', says: 'print plain lines, redraw nothing; implied by ACCESSIBLE=1, CI and TERM=dumb' },
]

export const trustOption: OptionSpec = {
  flags: '--trust',
  says: "trust the commands in this repository's config",
}

/** The choice of the agent. */
export const agentOptions: readonly OptionSpec[] = [
  { flags: '--agent <name>', says: 'use this agent: claude, codex, opencode, scripted' },
  { flags: '--ai-cmd <command>', says: 'use this command as the agent; it reads its prompt from stdin' },
  { flags: '--model <name>', says: 'the model to use; only for an agent chosen by name' },
]

/** Leaves the run to workers. Handled before the command itself. */
export const queueOptions: readonly OptionSpec[] = [
  { flags: '--queue', says: 'leave the run to workers on other machines; needs PAWL_DATABASE_URL' },
  { flags: '--priority <n>', says: 'with --queue: runs with a higher number go first (default 0)' },
]

export const detachOption: OptionSpec = {
  flags: '-d, --detach',
  says: 'run in the background; survives closing this terminal',
}
