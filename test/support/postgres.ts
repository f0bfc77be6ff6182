import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { createDatabase } from '../../scripts/postgres.ts'
import { openSql, type Sql } from '../../src/adapters/postgres/sql.ts'
import { openPostgresStore } from '../../src/adapters/postgres/store.ts'
import { openFilesStore } from '../../src/adapters/stores/files/store.ts'
import type { RunStore } from '../../src/ports/run-store.ts'
import { cleanups } from './cleanups.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A database on which tests may create others. */
    databaseUrl: string
  }
}

/** Creates an empty database, dropped after the last test of the file. */
export async function newDatabase(): Promise<string> {
  const { url, drop } = await createDatabase(inject('databaseUrl'))
  cleanups.push(drop)
  return url
}

export type OpenedStore = { readonly sql: Sql; readonly store: RunStore; readonly workspace: string }

/** Opens a store on a database, like another process would. */
export function openStoreAt(url: string, workspace = mkdtempSync(join(tmpdir(), 'pawl-pg-'))): OpenedStore {
  const sql = openSql({ url })
  const folders = openFilesStore({ workspace, folder: '.pawl', stateFolder: join(workspace, 'state') })
  cleanups.push(async () => {
    await sql.close()
    rmSync(workspace, { recursive: true, force: true })
  })
  return { sql, store: openPostgresStore({ sql, folders }), workspace }
}

const tables = ['run', 'lease', 'request', 'event', 'view', 'note', 'content', 'output', 'lock', 'turn']

export const emptyTables = (sql: Sql): Promise<unknown> =>
  sql.query(`truncate ${tables.map((name) => `pawl.${name}`).join(', ')}`)
