import { chmodSync, rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { newRepository } from './scratch.ts'

test('a tree of two: some paths as they were, added ones away, deleted ones back, one with a text of its own', async () => {
  const { snapshots, write, files, git, at } = newRepository()
  write('test/old.js', 'old\n')
  write('package.json', '{}\n')
  const before = await snapshots.take()
  write('test/new.js', 'new\n')
  write('a.txt', 'product\n')
  write('sub/b.txt', 'changed test\n')
  rmSync(at('test/old.js'))
  const now = await snapshots.take()
  const paths = ['test/new.js', 'test/old.js', 'sub/b.txt']
  const tree = await snapshots.combine(now, before, paths, { 'package.json': '{"x":1}\n' })
  expect(files(tree)).toEqual(['.gitignore', 'a.txt', 'package.json', 'sub/b.txt', 'test/old.js'])
  const read = (path: string): string => git('show', `${tree}:${path}`)
  expect([read('a.txt'), read('sub/b.txt'), read('package.json')]).toEqual(['product', 'two', '{"x":1}'])
})

test('a script with a text of its own can still be executed', async () => {
  const { snapshots, write, git, at } = newRepository()
  write('test.sh', 'exit 0\n')
  chmodSync(at('test.sh'), 0o755)
  const now = await snapshots.take()
  const tree = await snapshots.combine(now, now, [], { 'test.sh': 'exit 1\n', 'a.txt': 'x\n' })
  expect(git('ls-tree', '--format=%(objectmode) %(path)', tree).split('\n')).toEqual(
    expect.arrayContaining(['100755 test.sh', '100644 a.txt']),
  )
})
