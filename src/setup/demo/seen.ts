import type { Process } from '../../adapters/shell/processes.ts'

/** Where to read back, and what cannot be: who ran when, how commands ended. */
export type Seen = {
  readonly repository: string
  /** The two plans, as files. */
  readonly plans: readonly [string, string]
  /** The commit that the delivery began with. */
  readonly first: string
  /** `dir` is the address of the run. */
  readonly run: { readonly id: string; readonly dir: string } | undefined
  /** How the demo's own run of all tests and its check of the journal ended. */
  readonly exits: { readonly tests: number | null; readonly fsck: number | null }
  /** Of the scripted agent. */
  readonly misbehaviour?: Misbehaviour
}

export type Misbehaviour = {
  /** The process that the agent of S2 left behind, and whether it was gone when S3 was at work. */
  readonly straggler: { readonly process: Process; readonly ended: boolean } | undefined
  readonly crash: Crash | undefined
}

/** How things stood when pawl was killed in S3. */
export type Crash = {
  readonly pid: number
  readonly signal: string | null
  /** The last event on disk, and the commits of the branch. */
  readonly seq: number
  readonly commits: readonly string[]
  /** The agent and what it had started, and how many of them outlived pawl. */
  readonly running: readonly Process[]
  readonly survivors: number
}
