import nodeFs, * as fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { relative } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { newRepository } from './scratch.ts'

afterEach(() => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
})

/** Lists what is synced from now on, as paths in the repository. */
function listSynced(folder: string): Set<string> {
  const { fsyncSync } = nodeFs
  const synced = new Set<string>()
  vi.spyOn(nodeFs, 'fsyncSync').mockImplementation((fd) => {
    synced.add(relative(fs.realpathSync(folder), fs.readlinkSync(`/proc/self/fd/${fd}`)))
    fsyncSync(fd)
  })
  syncBuiltinESMExports()
  return synced
}

test('a tree is synced with its objects, the files that it was taken from and the folders that name them', async () => {
  const { snapshots, write, git, folder } = newRepository()
  const before = await snapshots.take()
  write('src/a.txt', 'a\n')
  const after = await snapshots.take()
  const synced = listSynced(folder)
  await snapshots.sync(before, after)
  const blob = git('rev-parse', `${after}:src/a.txt`)
  const objects = [after, blob].map((id) => `.git/objects/${id.slice(0, 2)}/${id.slice(2)}`)
  expect([...synced]).toEqual(expect.arrayContaining([...objects, '.git/objects', 'src/a.txt', 'src']))
})

test('what is new since an older tree is synced too, though the tree itself was synced before', async () => {
  const { snapshots, write, folder } = newRepository()
  const oldest = await snapshots.take()
  write('report.txt', 'by a command between two attempts\n')
  const between = await snapshots.take()
  write('a.txt', 'a\n')
  const newest = await snapshots.take()
  const synced = listSynced(folder)
  await snapshots.sync(between, newest)
  expect([synced.has('a.txt'), synced.has('report.txt')]).toEqual([true, false])
  await snapshots.sync(oldest, newest)
  expect(synced.has('report.txt')).toBe(true)
})
