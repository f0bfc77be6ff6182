import { expect, test } from 'vitest'
import { openPostgresQueue } from '../../../src/adapters/postgres/queue.ts'
import { newDatabase, openStoreAt } from '../../support/postgres.ts'

test('processes that start at once on an empty database all succeed', async () => {
  for (let round = 0; round < 3; round++) {
    const url = await newDatabase()
    const started = Array.from({ length: 6 }, async () => {
      const { sql } = openStoreAt(url)
      const queue = openPostgresQueue(sql)
      await queue.add([])
      const listed = await queue.list()
      await queue.close()
      return listed
    })
    expect(await Promise.all(started)).toEqual(Array.from({ length: 6 }, () => []))
  }
})
