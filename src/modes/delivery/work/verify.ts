import type { FailedCommand } from '../../../judging/commands.ts'
import type { Snapshots, Tree } from '../../../ports/snapshots.ts'

export type Verified = {
  readonly failed: FailedCommand | undefined
  /** The work tree after the last run. */
  readonly tree: Tree
  /** Files that the commands changed. */
  readonly moved: readonly string[]
  /** The tree on which all commands passed without changing it. Undefined if there is none. */
  readonly settled: Tree | undefined
}

/** How often the commands run before a story that they keep changing is rejected. */
export const maxRuns = 3

type Trees = Pick<Snapshots, 'take' | 'difference'>

/**
 * Runs the commands, and again after they changed files, as a formatter does: what is committed must be what passed. A
 * command that changes files each time it runs verifies nothing. `runAll` gets the name of the logs.
 */
export async function verifyUntilStable(
  snapshots: Trees,
  start: Tree,
  runAll: (name: string) => Promise<FailedCommand | undefined>,
): Promise<Verified> {
  const moved = new Set<string>()
  let settled = start
  for (let runs = 1; ; runs++) {
    const failed = await runAll(runs === 1 ? 'verify' : `again-${runs}`)
    const tree = await snapshots.take()
    const changed = await listChanged(snapshots, settled, tree)
    for (const path of changed) moved.add(path)
    const isStable = changed.length === 0
    if (failed || isStable || runs === maxRuns) {
      return { failed, tree, moved: [...moved], settled: failed || !isStable ? undefined : settled }
    }
    settled = tree
  }
}

/** Lists files that were changed or removed. Files that commands only add, such as reports, do not count. */
async function listChanged(snapshots: Trees, before: Tree, now: Tree): Promise<readonly string[]> {
  const { files } = now === before ? { files: [] } : await snapshots.difference(before, now)
  return files.filter(({ status }) => status !== 'added').map(({ path }) => path)
}
