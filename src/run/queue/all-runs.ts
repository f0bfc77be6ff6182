import type { RunEntry, RunListing, RunStore } from '../../ports/run-store.ts'
import type { Machine } from '../machine.ts'

/**
 * Returns the machine with a store of all runs: its own and those of the database. Only for commands that look at runs: a start uses one of
 * the two, so that a database that is down keeps nobody from working here.
 */
export const withAllRuns = (machine: Machine): Machine =>
  machine.database ? { ...machine, store: joinStores(machine.store, machine.database.store) } : machine

/** The runs of this machine and those of the database, as one store. New runs are stored on this machine. */
function joinStores(local: RunStore, shared: RunStore): RunStore {
  const ownerOf = ({ address }: RunEntry): RunStore => (address.startsWith(`${shared.name}:`) ? shared : local)
  return {
    name: local.name,
    create: (run) => local.create(run),
    open: async (address) => (await local.open(address)) ?? shared.open(address),
    async list(filter) {
      const [here, there] = await Promise.all([local.list(filter), shared.list(filter)])
      return [...here, ...there].sort(byAge).slice(0, filter.limit)
    },
    watch: async (signal) => mergeWatches(await Promise.all([local.watch(signal), shared.watch(signal)])),
    trust: (entry, sha256) => ownerOf(entry).trust(entry, sha256),
    remove: (entry) => ownerOf(entry).remove(entry),
    acquire: (key, options) => local.acquire(key, options),
  }
}

const byAge = (a: RunListing, b: RunListing): number =>
  a.created < b.created ? 1 : a.created > b.created ? -1 : a.id < b.id ? 1 : -1

async function* mergeWatches(watches: readonly AsyncIterable<string>[]): AsyncGenerator<string> {
  const iterators = watches.map((watch) => watch[Symbol.asyncIterator]())
  const ask = (at: number) => iterators[at]!.next().then((result) => ({ at, result }))
  const asked = new Map(iterators.map((_, at) => [at, ask(at)]))
  while (asked.size > 0) {
    const { at, result } = await Promise.race(asked.values())
    if (result.done) asked.delete(at)
    else {
      asked.set(at, ask(at))
      yield result.value
    }
  }
}
