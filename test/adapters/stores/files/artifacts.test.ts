import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { openArtifacts } from '../../../../src/adapters/stores/files/artifacts.ts'
import { type Disk, realDisk } from '../../../../src/adapters/stores/files/disk.ts'
import { openFileJournal } from '../../../../src/adapters/stores/files/journal.ts'
import { loadAll } from '../../../../src/testing/journal-suite.ts'

let dir: string
beforeEach(() => {
  dir = fs.mkdtempSync(join(tmpdir(), 'pawl-artifacts-'))
  return () => fs.rmSync(dir, { recursive: true })
})

test('the same content is one file, written once', async () => {
  let written = 0
  const writeSync = ((...args: Parameters<typeof fs.writeSync>) => {
    written++
    return fs.writeSync(...args)
  }) as typeof fs.writeSync
  const disk: Disk = { ...realDisk, writeSync }
  const [one, two] = [await openArtifacts(dir, disk).put('a', 'text'), await openArtifacts(dir, disk).put('a', 'text')]
  expect([one, fs.readdirSync(join(dir, 'artifacts')).length, written]).toEqual([two, 1, 1])
})

test.each(['', 'te', 'other text'])(
  'a file that holds "%s" instead of what its name says is written anew',
  async (bad) => {
    const ref = await openArtifacts(dir).put('a', 'text')
    fs.writeFileSync(join(dir, ref.path), bad)
    expect(await openArtifacts(dir).put('a', 'text')).toEqual(ref)
    expect(fs.readFileSync(join(dir, ref.path), 'utf8')).toBe('text')
  },
)

/** A disk that tells what is synced, and whose syncs end when the test says so. */
function slowDisk() {
  const begun: string[] = []
  const ends: ((error?: Error) => void)[] = []
  const sync = (fd: number): Promise<void> => {
    begun.push(basename(fs.readlinkSync(`/proc/self/fd/${fd}`)).replace(/^[0-9a-f]{16}-/, ''))
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    ends.push((error) => (error ? reject(error) : resolve()))
    return promise
  }
  const endAll = (error?: Error): void => {
    for (const end of ends.splice(0)) end(error)
  }
  const disk: Disk = { ...realDisk, fdatasync: sync, fsync: sync }
  return { disk, begun, endAll }
}

const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test.runIf(process.platform === 'linux')(
  'files and their folder are made safe at a time, before the journal',
  async () => {
    const { disk, begun, endAll } = slowDisk()
    const artifacts = openArtifacts(dir, disk)
    const lease = { epoch: 1, check: () => {}, release: () => {} }
    const journal = openFileJournal({ dir, run: 'r', lease, disk, flushContent: artifacts.flush })
    await loadAll(journal)
    await artifacts.put('one', '1')
    await artifacts.put('two', '2')
    let saved = false
    const done = journal.sync().then(() => (saved = true))
    await soon()
    expect(begun).toEqual(['one', 'two', 'artifacts'])
    endAll()
    await soon()
    expect([begun.slice(3), saved]).toEqual([['progress.ndjson'], false])
    endAll()
    await done
    journal.close()
  },
)

test.runIf(process.platform === 'linux')('whoever asks while another one waits is told when all is safe', async () => {
  const { disk, begun, endAll } = slowDisk()
  const artifacts = openArtifacts(dir, disk)
  await artifacts.put('one', '1')
  const told: string[] = []
  const first = artifacts.flush().then(() => told.push('first'))
  const second = artifacts.flush().then(() => told.push('second'))
  await soon()
  expect([begun, told]).toEqual([['one', 'artifacts'], []])
  endAll()
  await Promise.all([first, second])
  expect(told).toEqual(['first', 'second'])
})

test.runIf(process.platform === 'linux')('what could not be made safe is tried again by the next', async () => {
  const { disk, begun, endAll } = slowDisk()
  const artifacts = openArtifacts(dir, disk)
  await artifacts.put('one', '1')
  const failed = artifacts.flush()
  await soon()
  endAll(new Error('EIO'))
  await expect(failed).rejects.toThrow('EIO')
  const again = artifacts.flush()
  await soon()
  endAll()
  await again
  expect(begun).toEqual(['one', 'artifacts', 'one', 'artifacts'])
})
