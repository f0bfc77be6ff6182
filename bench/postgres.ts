import { join } from 'node:path'
import { startPostgres } from '../scripts/postgres.ts'
import { openSql, type Sql } from '../src/adapters/postgres/sql.ts'
import { openPostgresStore } from '../src/adapters/postgres/store.ts'
import { openFilesStore } from '../src/adapters/stores/files/store.ts'
import type { RunStore } from '../src/ports/run-store.ts'

/** Runs `body` with the address of a new server that syncs every commit, and stops it. */
export async function withPostgres<Result>(body: (url: string) => Promise<Result>): Promise<Result> {
  const server = await startPostgres({ durable: true })
  try {
    return await body(server.url())
  } finally {
    await server.stop()
  }
}

export type OpenedStore = { readonly sql: Sql; readonly store: RunStore }

/** Opens the store of a database like the program does. */
export function openStoreAt(url: string, workspace: string): OpenedStore {
  const sql = openSql({ url })
  const folders = openFilesStore({ workspace, folder: '.pawl', stateFolder: join(workspace, 'state') })
  return { sql, store: openPostgresStore({ sql, folders }) }
}
