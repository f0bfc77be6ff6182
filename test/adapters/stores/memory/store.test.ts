import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openMemoryStore } from '../../../../src/adapters/stores/memory/store.ts'
import { runStoreSuite } from '../../../../src/testing/run-store-suite.ts'

function newStore() {
  const workspace = mkdtempSync(join(tmpdir(), 'pawl-memory-'))
  onTestFinished(() => rmSync(workspace, { recursive: true }))
  return { store: openMemoryStore(), workspace }
}

describe('the contract of a store', () => {
  const suite = runStoreSuite(async () => {
    const { store, workspace } = newStore()
    return { workspace, open: async () => store }
  })
  for (const { name, check } of suite) test(name, check)
})

const entry = { id: 'r', mode: 'refinement', name: 'refine', created: '2026-01-01T00:00:00.000Z' }
const freeze = async () => ({ request: '{}' })

test('a holder that asks for no folder makes none, and one that was made goes with it', async () => {
  const { store, workspace } = newStore()
  const run = await store.create({ entry: { ...entry, workspace }, listed: true, freeze })
  vi.stubEnv('TMPDIR', workspace)
  onTestFinished(() => void vi.unstubAllEnvs())
  const idle = await run.hold({ onRepair: () => {} })
  expect(readdirSync(workspace)).toEqual([])
  await idle.release()
  const held = await run.hold({ onRepair: () => {} })
  const { folder } = held
  expect(readdirSync(workspace)).toEqual([basename(folder)])
  await held.release()
  expect(readdirSync(workspace)).toEqual([])
})

test('a watcher gets each change once', async () => {
  const { store, workspace } = newStore()
  const stop = new AbortController()
  const watched = (await store.watch(stop.signal))[Symbol.asyncIterator]()
  for (const id of ['a', 'b', 'c']) {
    // It waits before the change comes, so that it looks at all runs again.
    const next = watched.next()
    await setImmediate()
    await store.create({ entry: { ...entry, id, workspace }, listed: true, freeze })
    expect((await next).value).toBe(id)
  }
  stop.abort()
})

test('a place of the caller’s choice is refused', async () => {
  const { store, workspace } = newStore()
  const wanted = { entry: { ...entry, workspace }, listed: true, freeze, at: join(workspace, 'out') }
  await expect(store.create(wanted)).rejects.toMatchObject({ exit: 20 })
  expect(readdirSync(workspace)).toEqual([])
})

test('nothing is shared with the caller: later changes do not reach the run', async () => {
  const { store, workspace } = newStore()
  const run = await store.create({ entry: { ...entry, workspace }, listed: true, freeze })
  const value = { deep: { a: 1 }, gone: undefined }
  await run.keep('result', value)
  value.deep.a = 2
  expect(await run.kept('result')).toEqual({ deep: { a: 1 } })
  const bytes = Buffer.from('kept')
  const ref = await run.content.put('a', bytes)
  bytes.fill(0)
  expect(Buffer.from(await run.content.get(ref)).toString()).toBe('kept')
})
