import type { Lock } from '../../../ports/locks.ts'
import { toOwnedError } from '../../../run/errors.ts'
import type { Machine } from '../../../run/machine.ts'
import type { Run } from '../../../run/run.ts'
import type { WritingRequest } from '../contract/request.ts'

/** One iteration at a time changes a project. */
export const lockProject = (
  { entry: { workspace, name } }: Pick<Run<WritingRequest>, 'entry'>,
  { store }: Machine,
  { force }: { readonly force: boolean },
): Promise<Lock> =>
  store.acquire({ of: 'name', workspace, name }, { force }).catch((error: unknown) => {
    throw toOwnedError(error, name)
  })
