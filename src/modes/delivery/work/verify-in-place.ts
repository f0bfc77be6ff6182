import type { FailedCommand } from '../../../judging/commands.ts'
import type { Snapshots, Tree } from '../../../ports/snapshots.ts'
import type { DeliveryRequest } from '../contract/request.ts'
import type { Tampering } from '../contract/result.ts'
import { isAmong } from '../core/churn.ts'
import { sameTree } from '../core/evidence/weigh.ts'
import { findStoryMemo } from '../core/memo.ts'
import { findTamperingSince, fitIntoEvent, formatTampering } from './check-tampering.ts'
import type { createFailures } from './fail.ts'
import { restoreChecks } from './restore.ts'
import type { DeliveryTools } from './tools.ts'
import { findUnkept, isLate, unavailable, type Verified, type Verifying } from './verify.ts'

/** Verifies an attempt in the work tree. Commands may change files there, and no other trees can be tried. `touched`: checks that it must not touch. */
export function createPlaceVerifier(
  { tampering: policy }: DeliveryRequest['input']['policy'],
  tools: DeliveryTools,
  { fail, commandFailed }: ReturnType<typeof createFailures>,
): (verifying: Verifying & { readonly touched: readonly Tampering[] }) => Promise<Verified> {
  const { snapshots } = tools
  const place = 'work_tree'

  return async (verifying) => {
    const { a, view, story, base, tree: start, touched, signal, run } = verifying
    const { churn, before } = findStoryMemo(view.memo, story.id)
    const watched = await tools.watch(story.verification)
    const runAll = async (name: string): Promise<FailedCommand | undefined> => (await run(name, start)).failed
    const { failed, tree, moved, settled } = await verifyUntilStable(snapshots, { start, churn }, runAll)
    if (failed?.exit.exhausted) return unavailable(failed)
    if (settled !== undefined) await snapshots.sync(start, settled)
    const found = await findTamperingSince({ base, from: start, tree, watched, story, tools })
    const meanwhile = fitIntoEvent(found.map((one): Tampering => ({ ...one, attempt: a.attempt })))
    if (meanwhile.length > 0 && policy !== 'warn') {
      await restoreChecks({ base, story, tools })
      const says = `while it was verified, ${formatTampering(meanwhile)}`
      const more = { tampering: meanwhile, left: await snapshots.take(), place } as const
      return fail(verifying, { by: 'tampering', tampering: meanwhile, says }, more)
    }
    const left = { left: tree, place } as const
    if (failed) return commandFailed(verifying, failed, { isLate: isLate(signal), ...left })
    const changing = `verification itself changed ${moved.slice(0, 3).join(', ')}`
    if (settled === undefined) {
      return fail(verifying, { by: 'unstable', says: `${changing}, each of the ${maxRuns} times that it ran` }, left)
    }
    const unkept = await findUnkept(snapshots, { base, tree: start })
    if (unkept !== undefined) return fail(verifying, { by: 'unkept', says: unkept }, left)
    const isSame = base === start
    const evidence = isSame
      ? 'unproven'
      : touched.length + meanwhile.length > 0
        ? 'rewritten'
        : before === 'red'
          ? 'proven'
          : 'held'
    const because = moved.length > 0 ? { because: changing } : isSame ? { because: sameTree } : {}
    const rewritten = moved.length > 0 && { moved: summarizePaths(moved) }
    const more = { ...left, ...rewritten, ...(meanwhile.length > 0 && { tampering: meanwhile }) }
    return { weighed: { evidence, ...because }, settled, isGreen: true, more }
  }
}

type Stable = {
  readonly failed: FailedCommand | undefined
  /** The work tree after the last run. */
  readonly tree: Tree
  /** Files that the commands changed. */
  readonly moved: readonly string[]
  /** The tree on which all commands passed without changing it. Undefined if there is none. */
  readonly settled: Tree | undefined
}

/** How often the commands run before a story that they keep changing is rejected. */
const maxRuns = 3

type Trees = Pick<Snapshots, 'take' | 'difference'>

/**
 * Runs the commands, and again after they changed files, as a formatter does: what is committed must be what passed. A
 * command that changes files each time it runs verifies nothing. Files in `churn` do not count: the commands change them
 * before any work too. `runAll` gets the name of the logs.
 */
async function verifyUntilStable(
  snapshots: Trees,
  { start, churn }: { readonly start: Tree; readonly churn: readonly string[] },
  runAll: (name: string) => Promise<FailedCommand | undefined>,
): Promise<Stable> {
  const moved = new Set<string>()
  let settled = start
  for (let runs = 1; ; runs++) {
    const failed = await runAll(runs === 1 ? 'verify' : `again-${runs}`)
    const tree = await snapshots.take()
    const changed = (await listChanged(snapshots, settled, tree)).filter((path) => !isAmong(churn, path))
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

const [maxPaths, maxPerFolder, maxLength] = [20, 3, 100]

/** Shortens a list so that it fits into an event: many files of a folder become the folder. */
function summarizePaths(paths: readonly string[]): string[] {
  const topOf = (path: string): string => path.slice(0, path.indexOf('/') + 1)
  const inFolder = new Map<string, number>()
  for (const path of paths) inFolder.set(topOf(path), (inFolder.get(topOf(path)) ?? 0) + 1)
  const isLong = (path: string): boolean => inFolder.get(topOf(path))! > maxPerFolder || path.length > maxLength
  const short = paths.map((path) => (topOf(path) && isLong(path) ? topOf(path) : path))
  return [...new Set(short)].filter((path) => path.length <= maxLength).slice(0, maxPaths)
}

const [maxChurn, maxChurnLength] = [50, 200]

/**
 * Finds reports and caches: files that the commands changed before any work and that HEAD does not have, or folders of
 * them. What the commands change in tracked files is part of the product.
 */
export async function findChurn(
  snapshots: Pick<Snapshots, 'difference' | 'listFolders'>,
  head: string,
  { before, after }: { readonly before: Tree; readonly after: Tree },
): Promise<readonly string[]> {
  if (before === after) return []
  const [changed, fresh] = [await snapshots.difference(before, after), await snapshots.difference(head, after)]
  const untracked = new Set(fresh.files.flatMap(({ path, status }) => (status === 'added' ? [path] : [])))
  const tracked = await snapshots.listFolders(head)
  const paths = changed.files.flatMap(({ path }) => (untracked.has(path) ? [toFolder(path, tracked)] : []))
  return [...new Set(paths)].filter((path) => path.length <= maxChurnLength).slice(0, maxChurn)
}

/** Returns the highest folder above a file that HEAD does not have, with a slash, or else the file. */
function toFolder(path: string, tracked: ReadonlySet<string>): string {
  for (let end = path.indexOf('/'); end > 0; end = path.indexOf('/', end + 1))
    if (!tracked.has(path.slice(0, end))) return path.slice(0, end + 1)
  return path
}
