import { PawlError } from '../../contract/exit.ts'
import type { NewTurn } from '../../ports/queue.ts'
import type { StoredRun } from '../../ports/run-store.ts'
import type { Database, Machine } from '../machine.ts'

/** Returns the shared database. Throws if none is configured. */
export function requireDatabase({ database }: Machine, what: string): Database {
  if (database) return database
  throw new PawlError(
    2,
    `${what} needs a database`,
    'Set PAWL_DATABASE_URL=postgres://user:password@host:5432/name. docs/operating.md says how to set one up.',
    'no_database',
  )
}

/** Returns the machine with a store whose new runs are executed by workers. */
export function toQueuedMachine(machine: Machine): Machine {
  const { store } = requireDatabase(machine, '--queue')
  return {
    ...machine,
    findProgram,
    store: { ...store, create: (run) => store.create({ ...run, entry: { ...run.entry, queued: true } }) },
  }
}

/** Returns the machine to act on a run with: the locks of a queued run are in its database. */
export const machineOf = (machine: Machine, { entry }: StoredRun): Machine =>
  entry.queued && machine.database ? { ...machine, findProgram, store: machine.database.store } : machine

/** Workers have programs of their own, and they look for them before they start. */
const findProgram: Machine['findProgram'] = (name) => name

/** Leaves a run to the workers. Without a priority it keeps the one that it has in the queue. */
export async function enqueueRun(
  machine: Machine,
  { entry: { id, mode } }: StoredRun,
  options: Pick<NewTurn, 'priority' | 'reopen'>,
): Promise<void> {
  await requireDatabase(machine, 'a queued run').queue.add([{ run: id, mode, ...options }])
}
