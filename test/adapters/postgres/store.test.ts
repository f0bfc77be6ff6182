import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, test } from 'vitest'
import type { HeldRun } from '../../../src/ports/run-store.ts'
import { journalSuite } from '../../../src/testing/journal-suite.ts'
import { runStoreSuite } from '../../../src/testing/run-store-suite.ts'
import { emptyTables, newDatabase, type OpenedStore, openStoreAt } from '../../support/postgres.ts'

let opened: OpenedStore
let again: OpenedStore

beforeAll(async () => {
  const url = await newDatabase()
  opened = openStoreAt(url)
  again = openStoreAt(url)
})

describe('the contract of a store', () => {
  const suite = runStoreSuite(async () => {
    await emptyTables(opened.sql)
    const workspace = mkdtempSync(join(opened.workspace, 'w-'))
    let turn = 0
    // Every second one is another connection, as another process would have.
    return { workspace, open: async () => (turn++ % 2 === 0 ? opened : again).store }
  })
  for (const { name, check } of suite) test(name, check)
})

describe('the contract of a journal', () => {
  let made = 0
  const suite = journalSuite(async () => {
    const id = `j${++made}`
    const entry = { id, mode: 'any', name: 'build', workspace: tmpdir(), created: '2026-01-01T00:00:00.000Z' }
    const run = await opened.store.create({ entry, listed: true, freeze: async () => ({ request: '{}' }) })
    let held: HeldRun | undefined
    const open = async () => {
      await held?.release()
      held = await run.hold({ onRepair: () => {} })
      return held.journal
    }
    return {
      open,
      async takeOver() {
        held = await run.hold({ takeOver: true, onRepair: () => {} })
        return held.journal
      },
    }
  })
  for (const { name, check } of suite) test(name, check)
})
