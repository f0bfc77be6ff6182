import type { Locks } from '../ports/locks.ts'
import type { Queue } from '../ports/queue.ts'
import type { RunStore } from '../ports/run-store.ts'
import type { Database } from '../run/machine.ts'

type Loaded = { readonly store: RunStore; readonly queue: Queue; close(): Promise<void> }

/** Opens the database that several machines share. Its code is loaded, and it is connected to, on first use. */
export function openDatabase(url: string, folders: Locks): Database {
  let loaded: Promise<Loaded> | undefined
  const load = (): Promise<Loaded> => (loaded ??= loadDatabase(url, folders))
  const store: RunStore = {
    name: 'postgres',
    create: async (run) => (await load()).store.create(run),
    open: async (address) => (await load()).store.open(address),
    list: async (filter) => (await load()).store.list(filter),
    watch: async (signal) => (await load()).store.watch(signal),
    trust: async (entry, sha256) => (await load()).store.trust(entry, sha256),
    remove: async (entry) => (await load()).store.remove(entry),
    acquire: async (key, options) => (await load()).store.acquire(key, options),
  }
  const queue: Queue = {
    add: async (turns) => (await load()).queue.add(turns),
    work: async (options, take) => (await load()).queue.work(options, take),
    list: async () => (await load()).queue.list(),
    workers: async () => (await load()).queue.workers(),
    close: async () => (await loaded)?.queue.close(),
  }
  return { store, queue, close: async () => (await loaded?.catch(() => undefined))?.close() }
}

async function loadDatabase(url: string, folders: Locks): Promise<Loaded> {
  const [{ openSql }, { openPostgresStore }, { openPostgresQueue }, { makeTempFolder }] = await Promise.all([
    import('../adapters/postgres/sql.ts'),
    import('../adapters/postgres/store.ts'),
    import('../adapters/postgres/queue.ts'),
    import('../adapters/shell/temp-folder.ts'),
  ])
  const sql = openSql({ url })
  const queue = openPostgresQueue(sql)
  return {
    store: openPostgresStore({ sql, folders, makeFolder: makeTempFolder }),
    queue,
    async close() {
      await queue.close()
      await sql.close()
    },
  }
}
