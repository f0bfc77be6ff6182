import nodeFs, * as fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { relative } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { initRepository } from '../../../../src/adapters/git/snapshots/init.ts'
import { capture } from '../../../../src/adapters/shell/capture.ts'
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

test('a commit of single files is synced before the branch moves: contents, trees, work tree and what names them', async () => {
  const { openPaths, write, git, folder, at } = newRepository()
  write('docs/a.md', 'a\n')
  write('mine.txt', 'mine\n')
  const synced = listSynced(folder)
  let beforeMove: readonly string[] = []
  const paths = openPaths(folder, {
    capture: (question) => {
      if (question.argv.includes('update-ref')) beforeMove = [...synced]
      return capture(question)
    },
  })
  const id = await paths.commit({
    changes: [{ path: 'docs/a.md', content: fs.readFileSync(at('docs/a.md')) }],
    subject: 'docs',
    trailers: { 'Pawl-Step': '1' },
  })
  const ids = git('rev-parse', 'HEAD', 'HEAD^{tree}', 'HEAD:docs', 'HEAD:docs/a.md').split('\n')
  expect(ids[0]).toBe(id)
  const folders = ids.map((id) => `.git/objects/${id.slice(0, 2)}`)
  const objects = ids.map((id, index) => `${folders[index]}/${id.slice(2)}`)
  expect(beforeMove).toEqual(
    expect.arrayContaining([...objects, ...folders, '.git/objects', 'docs/a.md', 'docs', '.git']),
  )
  expect(beforeMove).not.toContain('mine.txt')
  expect(synced.has('.git/refs/heads/main')).toBe(true)
})

test('a new repository is synced: without its HEAD there would be none', async () => {
  const { folder, env } = newRepository({ git: false })
  const synced = listSynced(folder)
  await initRepository(folder, { capture, env, deadline: performance.now() + 60_000 })
  const files = ['.git/HEAD', '.git/config', '.git/refs/heads', '.git/objects', '.git', '']
  expect([...synced]).toEqual(expect.arrayContaining(files))
})
