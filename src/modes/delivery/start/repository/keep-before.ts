import type { RunEntry } from '../../../../ports/run-store.ts'
import type { Machine } from '../../../../run/machine.ts'

/** Whatever lay uncommitted in the work tree when the run began, under a name of its own. */
export async function keepBefore({ git }: Machine, { id, workspace, address }: RunEntry): Promise<void> {
  const snapshots = await git.openSnapshots(workspace, [address])
  const tree = await snapshots.take()
  await snapshots.keep({ key: `${id}/before`, from: tree, to: tree, subject: 'The work tree before the run', body: '' })
}
