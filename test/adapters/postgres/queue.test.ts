import { beforeAll, describe, test } from 'vitest'
import { openPostgresQueue } from '../../../src/adapters/postgres/queue.ts'
import type { Queue } from '../../../src/ports/queue.ts'
import { queueSuite } from '../../../src/testing/queue-suite.ts'
import { cleanups } from '../../support/cleanups.ts'
import { emptyTables, newDatabase, type OpenedStore, openStoreAt } from '../../support/postgres.ts'

let opened: OpenedStore
let queues: Queue[]

beforeAll(async () => {
  const url = await newDatabase()
  const other = openStoreAt(url)
  opened = openStoreAt(url)
  queues = [opened, other].map(({ sql }) => openPostgresQueue(sql))
  cleanups.push(async () => {
    for (const queue of queues) await queue.close()
  })
})

describe('the contract of a queue', () => {
  const suite = queueSuite(async () => {
    await emptyTables(opened.sql)
    let turn = 0
    return {
      open: async () => queues[turn++ % 2]!,
      async prepare(turns) {
        for (const { run, mode } of turns) {
          const created = '2026-01-01T00:00:00.000Z'
          const entry = { id: run, mode, name: 'build', workspace: opened.workspace, created, queued: true }
          await opened.store.create({ entry, listed: true, freeze: async () => ({ request: '{}' }) })
        }
      },
    }
  })
  for (const { name, check } of suite) test(name, check)
})
