import type { Lease } from '../ports/lease.ts'
import { ownRepository } from './delivery/own-repository.ts'
import { checkRepository } from './delivery/preconditions.ts'
import { readFrozenRequest } from './frozen-request.ts'
import type { RunEntry } from './index-of-runs.ts'
import type { Place } from './paths.ts'
import { ownName } from './start-run.ts'

/** Whoever goes on with a run keeps others out: of its name, or of the work tree that its stories change. */
export async function holdRun(here: Place, run: RunEntry, force: boolean): Promise<Pick<Lease, 'release'>> {
  const { current } = readFrozenRequest(run.dir)
  // Many texts may be refined at once; whoever holds the run itself is enough.
  if (current.mode === 'refinement') return { release: () => {} }
  if (current.mode !== 'delivery') return ownName(here, run.name, force)
  const lease = ownRepository(run.workspace, force)
  try {
    // What lies in the work tree is what the run has left there.
    const { input } = current.delivery
    await checkRepository(here, { ...input, policy: { ...input.policy, dirty: 'include' } })
    return lease
  } catch (error) {
    lease.release()
    throw error
  }
}
