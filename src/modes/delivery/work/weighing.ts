import type { FailedCommand } from '../../../judging/commands.ts'
import type { ChangedFile } from '../../../ports/repository.ts'
import type { Tree } from '../../../ports/snapshots.ts'
import type { Ran } from '../core/evidence/weigh.ts'
import type { TouchedCheck } from './touched.ts'

/** A story whose commands are green: what is known of it, and how to run them on other trees. */
export type Weighing = {
  readonly base: Tree
  readonly tree: Tree
  readonly before: Ran
  readonly now: Ran
  /** Tests that failed before fail still, and none of them passes now. */
  readonly isStillRed: boolean
  /** How long its commands took. */
  readonly ms: number
  /** The output of the failed command before the story. Empty if none failed. */
  readonly said: string
  readonly touched: readonly TouchedCheck[]
  /** The plan names all of them. */
  readonly named: boolean
  /** Globs of test files that a person gave. */
  readonly tests: readonly string[]
  readonly commands: readonly string[]
  readonly run: (name: string, on: Tree, control?: ControlRun) => Promise<RanOn>
}

export type RanOn = Ran & {
  readonly said?: string
  readonly code?: number | null
  /** What failed, with its output. */
  readonly problem?: FailedCommand | undefined
}

/** A run with altered tests: of the story's own commands, and no longer than a few times the last run. */
export type ControlRun = {
  /** Only this command decides: those before it may fail, those after it do not run. */
  readonly only?: string | undefined
  readonly withoutHistory?: boolean
}

export type Controlled = Weighing & {
  /** The tree whose commands are green, to be tried with altered tests. */
  readonly proof: Tree
  /** What the story changed. */
  readonly files: readonly ChangedFile[]
  /** The command that failed without the story. The others say nothing about these tests: a linter may mind an altered one. If it was
   * `setup` or `prepare`, all of them decide. */
  readonly only: string | undefined
  /** Remembers how a run ended. */
  readonly note: <Kind extends Ran>(name: string, running: Promise<Kind>) => Promise<Kind>
}
