import type { Caps } from '../contract/values.ts'
import type { Owner } from './lease.ts'

/** A run that wants to be executed. A higher priority goes first; without one, a run that is in the queue keeps its own. `reopen`: reopens it with these caps if it has ended. */
export type NewTurn = {
  readonly run: string
  readonly mode: string
  readonly priority?: number | undefined
  readonly reopen?: { readonly caps: Caps } | undefined
}

/** One execution of a run by a worker. `job` identifies it in the logs of the queue. */
export type Turn = NewTurn & { readonly job: string }

/** What a run wants after its turn: nothing, since it has ended; another turn, at a time; or to wait until somebody wakes it. */
export type AfterTurn =
  | { readonly is: 'ended' }
  | { readonly is: 'again'; readonly at: number }
  | { readonly is: 'asleep' }

export type WorkOptions = {
  /** The most runs at once in this process. */
  readonly concurrency: number
  /** The most runs of a mode at once in this process. */
  readonly perMode?: Readonly<Record<string, number>>
  /** Only runs of these modes. */
  readonly modes?: readonly string[]
  /** Takes no more runs, and resolves when those that were taken are over. */
  readonly signal: AbortSignal
  readonly onProblem: (text: string) => void
}

/** A run in the queue. `due`: undefined if it waits for a person. `problem`: why it is tried no more, until somebody resumes it. */
export type Waiting = {
  readonly run: string
  readonly mode: string
  readonly name: string
  readonly priority: number
  readonly since: number
  readonly due: number | undefined
  readonly owner: Owner | undefined
  readonly problem: string | undefined
}

/** A process that takes turns. `active`: how many it has now. */
export type WorkerSeen = {
  readonly owner: Pick<Owner, 'host' | 'pid' | 'since'>
  readonly concurrency: number
  readonly active: number
  readonly seen: number
}

/**
 * Hands runs to workers. Contract: a run that was added gets a turn, also if processes die in between, and never two at once; a
 * run that is added while it has a turn gets another one afterwards; a turn that fails is tried again a few times, then its run
 * stays in the queue with the problem.
 */
export type Queue = {
  add(turns: readonly NewTurn[]): Promise<void>
  /** Gives turns to `take` until the signal fires. A rejection of `take` is a failed turn. */
  work(options: WorkOptions, take: (turn: Turn) => Promise<AfterTurn>): Promise<void>
  list(): Promise<readonly Waiting[]>
  workers(): Promise<readonly WorkerSeen[]>
  close(): Promise<void>
}
