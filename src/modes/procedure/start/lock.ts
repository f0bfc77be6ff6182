import type { Envelope } from '../../../contract/envelope.ts'
import { PawlError } from '../../../contract/exit.ts'
import { NotSavedError } from '../../../ports/journal.ts'
import { type Lock, noLock } from '../../../ports/locks.ts'
import { toOwnedError } from '../../../run/errors.ts'
import type { Machine } from '../../../run/machine.ts'

type Locking = { readonly workspace: string; readonly name: string; readonly force?: boolean }

/** Allows one run of a name at a time in a workspace. */
export async function lockName({ store }: Machine, { workspace, name, force = false }: Locking): Promise<Lock> {
  try {
    return await store.acquire({ of: 'name', workspace, name }, { force })
  } catch (error) {
    if (error instanceof NotSavedError) throw new PawlError(20, error.message, 'Nothing was started.', 'not_saved')
    throw toOwnedError(error, name)
  }
}

/** Continues without a lock if it cannot be saved and the run does not require durable state. */
export async function lockNameIfPossible(
  machine: Machine,
  { name, workspace, durability }: Pick<Envelope, 'name' | 'workspace' | 'durability'>,
  onLost: (text: string) => void,
): Promise<Lock> {
  try {
    return await lockName(machine, { workspace, name })
  } catch (error) {
    if (durability === 'strict' || !(error instanceof PawlError) || error.code !== 'not_saved') throw error
    onLost(`${error.message}. A second run of ${name} could start at the same time.`)
    return noLock
  }
}
