import type { ExitCode } from '../contract/exit.ts'
import type { Progress } from '../contract/progress.ts'
import type { FrozenAgent, RunRequest } from '../contract/request.ts'
import type { Ref } from '../contract/values.ts'
import type { Left, Policy } from '../kernel/policy.ts'
import type { Work } from '../kernel/run.ts'
import type { LoopState } from '../kernel/state.ts'
import type { Artifacts } from '../ports/artifacts.ts'
import type { Lease } from '../ports/lease.ts'
import type { Model } from '../ports/model.ts'
import type { Shell } from '../ports/shell.ts'
import type { RunEntry } from './index-of-runs.ts'
import type { Place } from './paths.ts'
import type { Projection } from './projection.ts'

export type Tools<Request extends RunRequest = RunRequest> = {
  readonly place: Place
  /** What a person has made of the request since the run began. Decisions go by the original and the journal. */
  readonly current: Request
  readonly dir: string
  readonly shell: Shell
  readonly artifacts: Artifacts
  /** Commands are held to what they may write. */
  readonly confined: boolean
  /** Models of whoever calls this as a library, by rung; others are made from what the request says of them. */
  readonly models?: Readonly<Record<string, Model>> | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
  readonly onNotice: (text: string) => void
}

/** All that a run starts, and whom it sends texts to. */
export type Commands = {
  readonly agents: readonly FrozenAgent[]
  readonly checks: readonly string[]
  readonly sends: readonly string[]
}

export type Reasons = Readonly<
  Record<string, { readonly exit: ExitCode | ((state: LoopState) => ExitCode); readonly text?: string }>
>

/** Everything that the program asks of a mode. A mode that lacks a member does not compile. */
export type Mode<Request extends RunRequest, Memo> = {
  readonly name: Request['mode']
  /** Why a run of this mode ends: the exit code of that, and how a person says it where that is not the reason itself. */
  readonly reasons: Reasons
  /** Whether feedback reaches anybody; if not, what to do instead. */
  readonly feedback: 'taken' | { readonly instead: string }
  /** Content is sealed: a Ref that proves that the key fits. undefined: it lies in the clear. */
  sealedBy(request: Request): Ref | undefined
  commands(request: Request): Commands
  /** Throws what would fail in every attempt, before the first one. */
  preflight(place: Place, request: Request): void
  /** Keeps others out of what the run changes, until it leaves. */
  hold(here: Place, run: RunEntry, request: Request, force: boolean): Promise<Pick<Lease, 'release'>>
  policy(request: Request, dir: string): Policy<Memo>
  compose(original: Request, tools: Tools<Request>): Composed<Memo>
}

export type Composed<Memo> = {
  readonly work: Work<Memo>
  readonly projection: Projection
  /** What `result.json` says once the run has left. */
  readonly resultOf: (left: Left<Memo>, signal: string | undefined) => Readonly<Record<string, unknown>>
}

/** A mode and a request of it, their types still tied to each other. */
export type Bound = {
  use<Result>(body: <Request extends RunRequest, Memo>(mode: Mode<Request, Memo>, request: Request) => Result): Result
}
export type AnyMode = Pick<Mode<RunRequest, unknown>, 'name' | 'reasons' | 'feedback'> & {
  bind(request: RunRequest): Bound
}

/** Hides the types that belong to the mode alone: `Policy<Memo>` takes and gives a Memo, so no list of modes could name them. */
export const defineMode = <Request extends RunRequest, Memo>(mode: Mode<Request, Memo>): AnyMode => ({
  name: mode.name,
  reasons: mode.reasons,
  feedback: mode.feedback,
  // The only cast: a request of another mode is refused before.
  bind: (request) => {
    if (request.mode !== mode.name) throw new Error(`${request.mode} is not ${mode.name}`)
    return { use: (body) => body(mode, request as Request) }
  },
})
