import type { z } from 'zod'
import type { SettingRules } from '../contract/config/setting.ts'
import type { FrozenAgent } from '../contract/envelope.ts'
import type { LoopEvent } from '../contract/event.ts'
import { type ExitCode, PawlError } from '../contract/exit.ts'
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
 * Everything that the program asks of a mode. Total: a mode that lacks a member does not compile. Four types belong to the mode alone:
 * `Request`: its part of request.json. `Inputs`: what its rules read from content, loaded once (a delivery's plans). `Memo`: what its
 * policy remembers. `Facts`: what `show --json` prints of it. Optional members are those that a mode may honestly not have.
 */
export type Mode<Request, Inputs, Memo, Facts> = {
  readonly name: string

  // What lies on disk.
  readonly request: z.ZodType<Request>
  readonly data: EventData
  /** By code: stops, waits and topics of questions; the kernel's own codes included, since each mode says them in its own words. */
  readonly reasons: Reasons<Memo>
  /** Content is sealed: a Ref that proves that the key fits. undefined: it lies in the clear. */
  sealedBy(request: Request): Ref | undefined

  // Rules. Pure, but for `load`.
  load(run: Run<Request>): Promise<Inputs>
  policy(request: Frozen<Request>, inputs: Inputs): Policy<Memo>
  /** All that the run starts or sends to: shown before it is trusted, looked for before it starts, given to the sandbox. */
  commands(request: Request): RunCommands
  readonly resuming: Resuming<Request>
  /** Whether a note with feedback reaches anybody; if not, what to do instead. */
  readonly feedback: 'taken' | { readonly instead: string }

  // The life of a run.
  /** Throws what would fail in every attempt, before the first one and without spending anything. */
  preflight(request: Frozen<Request>, machine: Machine): Promise<void>
  /** Keeps others out of what the run changes: its name, its work tree. Called before the run itself is held. */
  hold(run: Run<Request>, machine: Machine, options: { readonly force: boolean }): Promise<Lock>
  compose(run: Run<Request>, inputs: Inputs, tools: RunTools): Composed<Memo> | Promise<Composed<Memo>>
  /** After the last event and before the result is written. Not called for a run that was only interrupted or waits. */
  finish?(run: Run<Request>, left: Left<Memo>, machine: Machine): Promise<Finish>
  /** `result.json`. */
  result(run: Run<Request>, inputs: Inputs, left: Left<Memo>, about: ResultAbout): Readonly<Record<string, unknown>>
  /** A new run that knows what this one knew at an event. Modes whose effects cannot be taken back have none. */
  fork?(run: Run<Request>, machine: Machine, options: ForkOptions): Promise<Forked>

  // Looking: may read content and the work tree. `upTo`: as it was at that event.
  facts(run: Run<Request>, inputs: Inputs, machine: Machine, options: FactsOptions<Memo>): Promise<Facts>
  /** The text that the run has come to, for `show --text` and `--diff`. Modes that change a work tree have none. */
  text?(run: Run<Request>, inputs: Inputs, view: View<Memo>): Promise<ModeText>
  /** Takes off what models put around a text, where the run's output is texts. */
  cleanText?(text: string): string

  readonly show: Show<Request, Inputs, Memo, Facts>
}

/** Schemas of what the mode puts into `data`. Applied where a line is read; a line that does not fit is reported with its place. */
export type EventData = {
  readonly task: z.ZodType
  /** Of a chore, where that differs. */
  readonly chore?: z.ZodType
  readonly call: z.ZodType
  readonly outcome: z.ZodType
  readonly verdict: z.ZodType
  /** Of the note `amend`. */
  readonly terms: z.ZodType
}

export type RunCommands = {
  readonly agents: readonly FrozenAgent[]
  readonly checks: readonly string[]
  /** Whom texts are sent to, one line each. */
  readonly sends: readonly string[]
}

/** What may be given to `resume`, from flags or from a page. */
export type Resuming<Request> = {
  /** Throws a PawlError where this mode cannot be changed so. */
  amend(current: Request, given: GivenChanges, machine: Machine): Amended<Request> | Promise<Amended<Request>>
  /** Which caps the person's bounds mean in this mode: `-n 3` is tasks here and attempts there. */
  caps(given: Caps): Caps
  /** Something a person should know before the run goes on, such as files that would be taken for the run's own. */
  notices?(run: Run<Request>, machine: Machine): Promise<readonly string[]>
}
/** Flags as they were given, which the mode parses by a schema of its own; files among them are named from `cwd`. */
export type GivenChanges = { readonly flags: Readonly<Record<string, unknown>>; readonly cwd: string }
export type Amended<Request> = {
  readonly request: Request
  /** Each change in a few words; none: nothing is amended. */
  readonly changes: readonly string[]
  /** What the policy goes by from here on. */
  readonly terms: Json
  /** Another agent does not wait for what the former one had to wait for. */
  readonly anotherAgent: boolean
}

export type Composed<Memo> = {
  readonly work: Work<Memo>
  readonly projection?: Projection<Memo>
}

/** Files that others read, kept in step with the run: `.rooda/state/x.json`, `agent_logs/sap.log`. Never the truth. Contract: never throws. */
export type Projection<Memo> = {
  /** Not yet safe; `onSaved` says when it is. */
  onEvent?(event: LoopEvent, view: View<Memo>): void
  onSaved(view: View<Memo>): void
  onLeft(left: Left<Memo>): void | Promise<void>
}

export type Finish = {
  /** Instead of the reason's: the run completed, but its text could not be put where it was asked for. */
  readonly exit?: ExitCode
  /** For a person, on stderr. */
  readonly says: readonly Line[]
  /** The work itself, alone on stdout. */
  readonly output?: Extract<Block, { kind: 'document' | 'diff' }>
}

export type ResultAbout = {
  readonly exit: ExitCode
  readonly sandbox: 'bubblewrap' | 'none' | null
}

export type ForkOptions = { readonly at?: number | undefined; readonly feedback: string }
export type Forked = { readonly run: StoredRun; readonly at: number }

export type FactsOptions<Memo> = { readonly view: View<Memo>; readonly standing: Standing; readonly upTo?: number }
export type ModeText = {
  readonly kind: 'final' | 'partial' | 'single-shot'
  readonly text: string | undefined
  /** What it would change in its file, where it has one. */
  readonly diff?: Extract<Block, { kind: 'diff' }>
}

/**
 * A mode whose four types nobody outside knows. `Policy<Memo>` takes and gives a Memo, so no common supertype exists and every list of
 * modes would need casts; `use` keeps the types together for as long as they are needed.
 */
export type AnyMode = {
  readonly name: string
  use<Result>(body: <Request, Inputs, Memo, Facts>(mode: Mode<Request, Inputs, Memo, Facts>) => Result): Result
}
export const defineMode = <Request, Inputs, Memo, Facts>(mode: Mode<Request, Inputs, Memo, Facts>): AnyMode => ({
  name: mode.name,
  use: (body) => body(mode),
})

/** How a run of a mode begins. A command, a page, a queue and the library give the options; the rule is here. */
export type Start<Options> = {
  readonly options: z.ZodType<Options>
  /** A page may not start what starts agents. */
  readonly startsAgents: boolean
  start(machine: Machine, options: Options, starter: Starter): Promise<Started>
}
/** Whoever starts a run. */
export type Starter = {
  readonly ask: Ask
  /** Something a person should know at once, whatever becomes of the start. */
  tell(text: string): void
  /** Plan and bounds, before anything begins. */
  show(blocks: readonly Block[]): void
  /** Ends a run that nobody runs now and that the new one takes the place of, whichever mode it is of. */
  end(run: StoredRun): Promise<void>
}
export type AnyStart = {
  readonly startsAgents: boolean
  start(machine: Machine, options: unknown, starter: Starter): Promise<Started>
}
/** Parses at the door, so that flags, JSON of a page and values of a library all pass the same schema. */
export const defineStart = <Options>({ options, startsAgents, start }: Start<Options>): AnyStart => ({
  startsAgents,
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
      /** Released when the run has left. */
      readonly lock: Lock
      /** Of a run that had to be held to be made. */
      readonly held?: HeldRun
      readonly reopen?: { readonly caps: Caps }
    }
  /** Nothing was started: a dry run. */
  | { readonly is: 'shown'; readonly facts: Json; readonly blocks: readonly Block[] }
  /** A person chose to go on with an earlier run. */
  | { readonly is: 'resume'; readonly run: StoredRun }
  /** It is to be started in a process of its own: `name` is what the run will be called, `add` are words for that command line. */
  | {
      readonly is: 'detach'
      readonly name: string
      readonly workspace: string
      readonly add: readonly string[]
    }

/** What main.ts lists: small and without imports of the mode's code, so that nothing is loaded before it is needed. */
export type ModeEntry = {
  readonly name: string
  load(): Promise<AnyMode>
  readonly starts: Readonly<Record<string, () => Promise<AnyStart>>>
  /** JSON schemas of files that others read or write: `pawl schema plan`. */
  readonly schemas: Readonly<Record<string, () => Promise<z.ZodType>>>
  /** Keys of the configuration that this mode alone knows. */
  settings?(): Promise<SettingRules>
}

/** The whole program as surfaces are given it: what the machine can do, and which modes there are. */
export type Program = { readonly machine: Machine; readonly modes: readonly ModeEntry[] }
