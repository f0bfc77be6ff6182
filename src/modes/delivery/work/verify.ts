import type { FailedCommand } from '../../../judging/commands.ts'
import type { Snapshots, Tree } from '../../../ports/snapshots.ts'
import type { VerdictData } from '../core/event-data.ts'
import type { TestIds } from '../core/evidence/test-ids.ts'
import type { Ran, Weighed } from '../core/evidence/weigh.ts'
import type { Judged, Judgement } from './fail.ts'
import type { RanCommands } from './run-commands.ts'
import type { ControlRun } from './weighing.ts'

/** An attempt whose commands are to run. */
export type Verifying = Judged & {
  /** The tree before the story. */
  readonly base: Tree
  /** The tree that the attempt left. */
  readonly tree: Tree
  /** How the commands ended before the story. */
  readonly before: Ran
  readonly run: Run
  readonly signal: AbortSignal
}

/** `tolerate`: tests that failed in this run may fail again. */
type RunOptions = ControlRun & {
  readonly commands?: readonly string[]
  readonly limitMs?: number
  readonly tolerate?: TestIds | undefined
}
export type Run = (name: string, tree: Tree, options?: RunOptions) => Promise<RanCommands>

/** The verdict, if the commands are red. Otherwise what it shows that they are green. */
export type Verified =
  | Judgement
  | {
      readonly weighed: Weighed
      /** The tree on which they are green. */
      readonly settled: Tree
      /** False if tests of other stories are red. */
      readonly isGreen: boolean
      /** What failed on another tree, if that is why it is refused. */
      readonly failed?: FailedCommand | undefined
      readonly more: VerdictData & { readonly left: Tree }
    }

export const unavailable = ({ exit }: FailedCommand): Judgement => ({
  verdict: { status: 'unavailable', detail: exit.detail },
})

export const timeIsUp = 'the time for this story or for the whole run is up'
export const isLate = (signal: AbortSignal): boolean => signal.aborted && signal.reason === 'timed-out'

/**
 * Finds what a commit would not contain: the files of a nested repository, as scaffolding tools create with `git init`, or of a submodule that
 * names a commit which is not there.
 */
export async function findUnkept(
  snapshots: Pick<Snapshots, 'difference' | 'read'>,
  { base, tree }: Pick<Verifying, 'base' | 'tree'>,
): Promise<string | undefined> {
  if (base === tree) return undefined
  const { repositories, absent } = await snapshots.difference(base, tree)
  const modules = repositories.length > 0 ? ((await snapshots.read(tree, '.gitmodules')) ?? '') : ''
  const nested = repositories.find((path) => !modules.split('\n').some((line) => line.trim() === `path = ${path}`))
  if (nested) return `${nested} is a repository of its own: its files would not be committed`
  return (
    absent[0] && `the submodule ${absent[0]} names a commit that is not checked out, so its files were not verified`
  )
}
