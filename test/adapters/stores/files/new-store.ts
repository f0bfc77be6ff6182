import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Disk } from '../../../../src/adapters/stores/files/disk.ts'
import { openFilesStore } from '../../../../src/adapters/stores/files/store.ts'
import type { RunStore, StoredRun } from '../../../../src/ports/run-store.ts'
import type { StoreUnderTest } from '../../../../src/testing/run-store-suite.ts'

export type Subject = StoreUnderTest & { readonly root: string; readonly state: string; store(disk?: Disk): RunStore }

/** A store without runs, in folders that go with the test. */
export function newStore(): Subject {
  const root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'pawl-files-')))
  onTestFinished(() => fs.rmSync(root, { recursive: true }))
  const [workspace, state] = [join(root, 'work'), join(root, 'state')]
  fs.mkdirSync(workspace)
  const store = (disk?: Disk) =>
    openFilesStore({ workspace, folder: '.pawl', stateFolder: state, ...(disk && { disk }) })
  return { root, workspace, state, store, open: async () => store() }
}

export const modeOf = (path: string): string => (fs.statSync(path).mode & 0o777).toString(8)
export const read = (path: string): string => fs.readFileSync(path, 'utf8')
export const journalOf = (run: StoredRun): string => join(run.entry.address, 'progress.ndjson')
