import { PawlError } from '../../../contract/exit.ts'
import type { StoredRun } from '../../../ports/run-store.ts'
import type { Machine } from '../../../run/machine.ts'
import type { RunInput } from '../contract/input.ts'
import type { DeliveryDraft } from '../core/draft.ts'
import { openDelivery } from './open-delivery.ts'

/** Only one that this person has started: a repository could bring a run of its own, with commands of its own. */
export async function findEarlier(machine: Machine, { name, input }: DeliveryDraft): Promise<StoredRun | undefined> {
  const { store, environment } = machine
  for (const { address, trusted, ...entry } of await store.list({ workspace: environment.cwd })) {
    const stored = entry.name === name && trusted !== undefined ? await store.open(address) : undefined
    const before = stored && (await trustedInput(machine, stored))
    if (before?.prd_path !== input.prd_path) continue
    if (before.working_branch === input.working_branch) return stored
    const what = `the delivery of ${input.prd_path} is on the branch ${before.working_branch}, and this is ${input.working_branch}`
    throw new PawlError(10, what, `git switch ${before.working_branch}, or begin anew here: --fresh`)
  }
  return undefined
}

/** undefined: it is no delivery, cannot be read, or is not what this person has trusted. */
async function trustedInput(machine: Machine, stored: StoredRun): Promise<RunInput | undefined> {
  try {
    const { current } = (await openDelivery(machine, stored)) ?? {}
    return current?.sha256 === stored.entry.trusted ? current?.request.input : undefined
  } catch {
    return undefined
  }
}
