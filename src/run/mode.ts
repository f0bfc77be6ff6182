import type { z } from 'zod'
import type { SettingRules } from '../contract/config/setting.ts'
import type { FrozenAgent } from '../contract/envelope.ts'
import type { LoopEvent } from '../contract/event.ts'
import { type ExitCode, PawlError } from '../contract/exit.ts'
import type { Form } from '../contract/page/start.ts'
import type { OwnText } from '../contract/programs.ts'
import type { Block, Line, Standing } from '../contract/show.ts'
import type { Caps, Json, Ref } from '../contract/values.ts'
import type { Left, Policy, View } from '../kernel/policy.ts'
import type { Work } from '../kernel/run.ts'
import type { Ask } from '../ports/ask.ts'
import type { Lock } from '../ports/locks.ts'
import type { HeldRun, StoredRun } from '../ports/run-store.ts'
import type { Reasons, Show } from '../show/show.ts'
import type { Machine, RunTools } from './machine.ts'
import type { Frozen, Run } from './run.ts'

/**
 * The interface of a mode. Each mode defines four types of its own:
 * - `Request`: its part of `request.json`.
 * - `Inputs`: content that its rules need, loaded once, such as the plans of a delivery.
 * - `Memo`: the state of its policy.
 * - `Facts`: its part of `show --json`.
 */
export type Mode<Request, Inputs, Memo, Facts> = {
  readonly name: string

  // Stored formats.
  readonly request: z.ZodType<Request>
  readonly data: EventData
  /** Every reason to stop, wait or ask, by code. Includes the kernel's codes, because each mode words them itself. */
  readonly reasons: Reasons<Memo>
  /** Returns a piece of content that proves the key: if it decrypts, the key is right. Undefined if content is not encrypted. */
  sealedBy(request: Request): Ref | undefined
  /** A pause that nobody ends is over after this time, while a process runs it. Undefined: it stays. */
  pauseMs?(request: Request): number | undefined

  // Rules. Pure, except `load` and `resuming`.
  load(run: Run<Request>): Promise<Inputs>
  policy(request: Frozen<Request>, inputs: Inputs): Policy<Memo>
  /** Everything the run executes or sends text to. Shown before a person trusts the run, and used to set up the sandbox. */
  commands(request: Request): RunCommands
  readonly resuming: Resuming<Request>
  /** `taken` if attempts read feedback notes. Otherwise says what to do instead. */
  readonly feedback: 'taken' | { readonly instead: OwnText }

  // Life cycle of a run.
  /** Throws if every attempt would fail. Runs before the first attempt and spends nothing. */
  preflight(request: Frozen<Request>, machine: Machine): Promise<void>
  /** Locks what the run changes: its name, its work tree. Called before the run itself is held. */
  hold(run: Run<Request>, machine: Machine, options: { readonly force: boolean }): Promise<Lock>
  /** Creates the work of the run from its tools. */
  compose(run: Run<Request>, inputs: Inputs, tools: RunTools): Composed<Memo> | Promise<Composed<Memo>>
  /** Delivers the result of a run that has ended, such as writing its text to a file. Not called if the run was interrupted or waits. */
  finish?(run: Run<Request>, left: Left<Memo>, machine: Machine): Promise<Finish>
  /** Returns the content of `result.json`. */
  result(run: Run<Request>, inputs: Inputs, left: Left<Memo>, about: ResultAbout): Readonly<Record<string, unknown>>
  /** Creates a new run from the state of this one at an event. Absent in modes whose effects cannot be undone. */
  fork?(run: Run<Request>, machine: Machine, options: ForkOptions): Promise<Forked>

  // Reports. May read content and the work tree.
  facts(run: Run<Request>, inputs: Inputs, machine: Machine, options: FactsOptions<Memo>): Promise<Facts>
  /** Returns the run's text, for `show --text` and `--diff`. Absent in modes that change a work tree. */
  text?(run: Run<Request>, inputs: Inputs, view: View<Memo>): Promise<ModeText>
  /** Removes what models add around a text, such as a code fence. Only for modes whose output is text. */
  cleanText?(text: string): string

  readonly show: Show<Request, Inputs, Memo, Facts>
}

/** Schemas of the mode's `data` in events. Checked when the journal is read; a mismatch is reported with its place. */
export type EventData = {
  readonly task: z.ZodType
  /** Data of a chore, if it differs from `task`. */
  readonly chore?: z.ZodType
  readonly call: z.ZodType
  readonly outcome: z.ZodType
  readonly verdict: z.ZodType
  /** `terms` of an `amend` note. */
  readonly terms: z.ZodType
}

export type RunCommands = {
  readonly agents: readonly FrozenAgent[]
  readonly checks: readonly string[]
  /** Providers that texts are sent to, one line each. */
  readonly sends: readonly string[]
}

/** Changes a person may make when resuming a run. */
export type Resuming<Request> = {
  /** Applies the changes to the request. Throws a PawlError if this mode does not support them. */
  amend(current: Request, given: GivenChanges, machine: Machine): Amended<Request> | Promise<Amended<Request>>
  /** Maps the given limits to caps of this mode: `-n 3` means tasks in one mode and attempts in another. */
  caps(given: Caps): Caps
  /** Returns warnings to show before the run resumes, such as uncommitted files that would count as the run's work. */
  notices?(run: Run<Request>, machine: Machine): Promise<readonly string[]>
}
/** Raw flags; the mode parses them with its own schema. Relative paths start at `cwd`. */
export type GivenChanges = { readonly flags: Readonly<Record<string, unknown>>; readonly cwd: string }
export type Amended<Request> = {
  readonly request: Request
  /** Each change in a few words. Empty: nothing changed. */
  readonly changes: readonly string[]
  /** The part of the new request that the policy reads. */
  readonly terms: Json
  /** The agent changed, so a wait for the former agent's usage limit is skipped. */
  readonly anotherAgent: boolean
}

export type Composed<Memo> = {
  readonly work: Work<Memo>
  readonly projection?: Projection<Memo>
}

/**
 * Files for other programs, updated while the run proceeds: `.rooda/state/x.json`, `agent_logs/sap.log`. Derived from the journal and
 * never read back. Contract: never throws.
 */
export type Projection<Memo> = {
  /** Called before the event is safe from power loss; `onSaved` follows when it is. */
  onEvent?(event: LoopEvent, view: View<Memo>): void
  onSaved(view: View<Memo>): void
  onLeft(left: Left<Memo>): void | Promise<void>
}

export type Finish = {
  /** Overrides the exit code, for example if the run completed but its text could not be written. */
  readonly exit?: ExitCode
  /** Messages for the user, printed to stderr. */
  readonly says: readonly Line[]
  /** The result itself, the only thing printed to stdout. */
  readonly output?: Extract<Block, { kind: 'document' | 'diff' }>
}

export type ResultAbout = {
  readonly exit: ExitCode
  readonly sandbox: 'bubblewrap' | 'none' | null
}

export type ForkOptions = { readonly at?: number | undefined; readonly feedback: string }
/** Bounds that were spent at that event are `raised`; `from` has those of the parent. */
export type Forked = { readonly run: StoredRun; readonly at: number; readonly raised: Caps; readonly from: Caps }

export type FactsOptions<Memo> = { readonly view: View<Memo>; readonly standing: Standing; readonly upTo?: number }
export type ModeText = {
  readonly kind: 'final' | 'partial' | 'single-shot'
  readonly text: string | undefined
  /** The change to its file, if it has one. */
  readonly diff?: Extract<Block, { kind: 'diff' }>
}

/**
 * A mode with its four types hidden, so that different modes fit into one list. `Policy<Memo>` both takes and returns a Memo, so modes
 * have no common supertype; `use` gives the typed mode to a generic function, without casts.
 */
export type AnyMode = {
  readonly name: string
  use<Result>(body: <Request, Inputs, Memo, Facts>(mode: Mode<Request, Inputs, Memo, Facts>) => Result): Result
}
export const defineMode = <Request, Inputs, Memo, Facts>(mode: Mode<Request, Inputs, Memo, Facts>): AnyMode => ({
  name: mode.name,
  use: (body) => body(mode),
})

/** Starts a run. Used by commands and by the library; another front end, such as a web page, would call it too. */
export type Start<Options> = {
  readonly options: z.ZodType<Options>
  /** Whether the run starts agents. A web page may not start such a run. */
  readonly startsAgents: boolean
  start(machine: Machine, options: Options, starter: Starter): Promise<Started>
  readonly form?: StartForm<Options>
}
/**
 * A form by which a page starts a run. A page gives texts and choices, and never paths of files to read: those would be sent
 * to a model.
 */
export type StartForm<Options> = {
  /** `folders`: where runs of this mode were started, newest first. Undefined: there is nothing to start it with. */
  /** Whether a worker on another machine can execute the run: it needs no file of this one. */
  readonly forWorkers?: boolean
  describe(machine: Machine, folders: readonly string[]): Promise<Omit<Form, 'command'> | undefined>
  /** `values` fit the form. */
  read(values: Readonly<Record<string, string>>, machine: Machine): Filled<Options>
}
/** The options of the command and the folder to start it in. */
type Filled<Options> = { readonly options: Partial<Options>; readonly workspace: string }

/** The front end that starts a run. */
export type Starter = {
  readonly ask: Ask
  /** Shows a message immediately, even if the start fails later. */
  tell(text: string): void
  /** Shows the plan and the limits before the run starts. */
  show(blocks: readonly Block[]): void
  /** Ends an unfinished run, of any mode, that the new one replaces. No process may be running it. */
  end(run: StoredRun): Promise<void>
}
export type AnyStart = {
  readonly startsAgents: boolean
  readonly form?: StartForm<never> | undefined
  start(machine: Machine, options: unknown, starter: Starter): Promise<Started>
}
/** Wraps a start so that its options are always parsed: flags, JSON and library values pass the same schema. */
export const defineStart = <Options>({ options, startsAgents, start, form }: Start<Options>): AnyStart => ({
  startsAgents,
  form: form as AnyStart['form'],
  start: async (machine, given, starter) => {
    const parsed = options.safeParse(given)
    if (parsed.success) return start(machine, parsed.data, starter)
    const { path, message } = parsed.error.issues[0]!
    throw new PawlError(2, `${path.join('.')}: ${message}`, undefined, 'invalid_options')
  },
})

export type Started =
  | {
      readonly is: 'started'
      readonly run: StoredRun
      /** The caller releases it when the run has left the loop. */
      readonly lock: Lock
      /** Set if the run had to be held in order to create it. */
      readonly held?: HeldRun
      readonly reopen?: { readonly caps: Caps }
    }
  /** A dry run: nothing was started. */
  | { readonly is: 'shown'; readonly facts: Json; readonly blocks: readonly Block[] }
  /** The person chose to resume an earlier run. */
  | { readonly is: 'resume'; readonly run: StoredRun }
  /** The caller should start the run in a separate process. `name` is the run's name, `add` are extra arguments for that process. */
  | {
      readonly is: 'detach'
      readonly name: string
      readonly workspace: string
      readonly add: readonly string[]
    }

/** How `main.ts` registers a mode. It imports none of the mode's code, so that a mode is loaded only when it is used. */
export type ModeEntry = {
  readonly name: string
  load(): Promise<AnyMode>
  readonly starts: Readonly<Record<string, () => Promise<AnyStart>>>
  /** Schemas of files that other programs read or write, for `pawl schema <name>`. */
  readonly schemas: Readonly<Record<string, () => Promise<z.ZodType>>>
  /** Config keys that only this mode has. */
  settings?(): Promise<SettingRules>
  /** Scripted models for `pawl serve --demo`. */
  scenarios?(): Promise<Scenarios>
}

/** Ways in which scripted models behave, to try a mode without a model. */
export type Scenarios = {
  readonly list: readonly { readonly id: string; readonly title: string }[]
  /** Returns the machine with these models. Undefined: there is no such scenario. */
  open(id: string, machine: Machine): Machine | undefined
}

/** The program as surfaces see it: the machine and the modes. */
export type Program = { readonly machine: Machine; readonly modes: readonly ModeEntry[] }
