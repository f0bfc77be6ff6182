import type { TestProject } from 'vitest/node'
import { startPostgres } from '../scripts/postgres.ts'

/** One Postgres for all tests: the one of DATABASE_URL, or one of their own that is gone afterwards. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const given = process.env.DATABASE_URL
  if (given) {
    project.provide('databaseUrl', given)
    return undefined
  }
  const server = await startPostgres({ durable: false })
  project.provide('databaseUrl', server.url())
  return () => server.stop()
}
