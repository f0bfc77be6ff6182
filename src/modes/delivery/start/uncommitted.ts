import type { Machine } from '../../../run/machine.ts'
import type { Run } from '../../../run/run.ts'
import type { RunInput } from '../contract/input.ts'
import type { DeliveryRequest } from '../contract/request.ts'
import { isAmong } from '../core/churn.ts'
import { DeliveryError } from './input/contract-error.ts'
import { readDelivery } from './open-delivery.ts'
import { listNames } from './repository/preconditions.ts'

/** Uncommitted files of a run that is to be resumed. */
export type Uncommitted = {
  readonly files: readonly string[]
  /** Whether they were changed after the run had stopped. After a crash nobody can tell whose they are. */
  readonly isForeign: boolean
}

/** Finds uncommitted files that may not be the run's own work. */
export async function findUncommitted(machine: Pick<Machine, 'git'>, run: Run<DeliveryRequest>): Promise<Uncommitted> {
  const { workspace, address } = run.entry
  const { head = null, dirty = 0 } = (await machine.git.openRepository(workspace).look()) ?? {}
  if (head === null || dirty === 0) return { files: [], isForeign: false }
  const { left, stories } = (await readDelivery(run)).view.memo
  const snapshots = await machine.git.openSnapshots(workspace, [address])
  const now = await snapshots.take()
  const listChanges = async (from: string): Promise<string[]> =>
    from === now ? [] : (await snapshots.difference(from, now)).files.map(({ path }) => path)
  const isKnown = left !== null && run.current.request.commit
  // git may have removed the tree: no ref names it.
  const changed = isKnown ? await listChanges(left).catch(() => undefined) : undefined
  const churn = Object.values(stories).flatMap((story) => story.churn)
  const files = (await listChanges(head)).filter((path) => !isAmong(churn, path))
  if (!changed) return { files, isForeign: false }
  const since = new Set(changed)
  return { files: files.filter((path) => since.has(path)), isForeign: true }
}

/** Throws if files are certainly not the run's own and uncommitted files are to be refused. */
export function refuseForeign(
  { files, isForeign }: Uncommitted,
  name: string,
  dirty: RunInput['policy']['dirty'],
): void {
  if (files.length === 0 || !isForeign || dirty !== 'refuse') return
  const what = files.length === 1 ? 'a file was changed' : `${files.length} files were changed`
  throw new DeliveryError('blocked_dependency', `${what} after ${name} had stopped: ${listNames(files)}`, {
    hint: 'Commit or stash what is yours, then try again: a story would commit it as its own work.',
  })
}

/** Undefined if there are none. */
export function describeUncommitted({ files, isForeign }: Uncommitted): string | undefined {
  if (files.length === 0) return undefined
  const whose = isForeign ? 'were changed after the run had stopped and become' : 'may become'
  return `uncommitted files ${whose} part of the story: ${listNames(files)}. If they are yours, press Ctrl-C and move them away`
}
