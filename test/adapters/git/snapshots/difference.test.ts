import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { RepositoryBlockedError } from '../../../../src/ports/snapshots.ts'
import { newRepository } from './scratch.ts'

describe('the difference of two snapshots', () => {
  test('names every file with its lines, and has the patch; nothing is a rename', async () => {
    const { snapshots, write, at, storyOf } = newRepository()
    write('picture.bin', Buffer.from([0, 1, 2]))
    write('from.txt', 'one\ntwo\nthree\nfour\n')
    const { from, to } = await storyOf(() => {
      write('a.txt', 'one\nmore\n')
      write('ünï.txt', 'x\ny')
      fs.rmSync(at('sub/b.txt'))
      fs.renameSync(at('from.txt'), at('to.txt'))
      write('picture.bin', Buffer.from([0, 1, 3]))
      fs.chmodSync(at('.gitignore'), 0o755)
    })
    const difference = await snapshots.difference(from, to)
    expect(difference.files).toEqual([
      { path: '.gitignore', status: 'modified', added: 0, deleted: 0 },
      { path: 'a.txt', status: 'modified', added: 1, deleted: 0 },
      { path: 'from.txt', status: 'deleted', added: 0, deleted: 4 },
      { path: 'picture.bin', status: 'modified', added: null, deleted: null },
      { path: 'sub/b.txt', status: 'deleted', added: 0, deleted: 1 },
      { path: 'to.txt', status: 'added', added: 4, deleted: 0 },
      { path: 'ünï.txt', status: 'added', added: 2, deleted: 0 },
    ])
    const { patch, truncated } = await snapshots.patch(from, to)
    expect([difference.total, truncated]).toEqual([7, false])
    expect(patch).toContain('\n+more\n')
    expect(patch).toContain('b/ünï.txt')
    expect(patch).toContain('Binary files a/picture.bin and b/picture.bin differ')
    expect(await snapshots.difference(to, to)).toEqual({ files: [], total: 0, repositories: [], absent: [] })
    expect(await snapshots.patch(to, to)).toEqual({ patch: '', truncated: false })
  })

  test('a long patch is cut behind a line, the list of files is whole, and what is huge is named only', async () => {
    const { snapshots, write, storyOf } = newRepository()
    const { from, to } = await storyOf(() => {
      for (let index = 0; index < 5100; index++) write(`many/${index}`, `${'é'.repeat(60)}\n`)
      write('huge.txt', 'line\n'.repeat(4_000_000))
    })
    const { files, total } = await snapshots.difference(from, to)
    const { patch, truncated } = await snapshots.patch(from, to)
    expect([files.length, total, truncated]).toEqual([5101, 5101, true])
    expect(files.find(({ path }) => path === 'huge.txt')).toMatchObject({ added: null })
    expect(Buffer.byteLength(patch)).toBeLessThanOrEqual(512 * 1024)
    expect(Buffer.byteLength(patch)).toBeGreaterThan(511 * 1024)
    expect(patch.endsWith('\n')).toBe(true)
    expect(patch).not.toContain('\ufffd')
  })

  test('what is no id is refused', async () => {
    const { snapshots } = newRepository()
    const tree = await snapshots.take()
    for (const id of ['HEAD', '--output=owned', '', `${tree} `]) {
      await expect(snapshots.difference(id, tree)).rejects.toBeInstanceOf(RepositoryBlockedError)
      await expect(snapshots.read(id, 'a.txt')).rejects.toBeInstanceOf(RepositoryBlockedError)
    }
  })
})

describe('a submodule', () => {
  const withSubmodule = () => {
    const scratch = newRepository()
    const { home, git, gitIn, commit, at } = scratch
    const library = join(home, 'library')
    gitIn(home, 'init', '-q', library)
    for (const text of ['one', 'two']) {
      fs.writeFileSync(join(library, `${text}.txt`), `${text}\n`)
      gitIn(library, 'add', '-A')
      gitIn(library, 'commit', '-q', '-m', text)
    }
    git('submodule', '--quiet', 'add', library, 'lib')
    const inLibrary = (...words: string[]): string => gitIn(at('lib'), ...words)
    inLibrary('rm', '-q', 'one.txt')
    inLibrary('commit', '-q', '-m', 'three')
    commit('with a submodule')
    return { ...scratch, inLibrary }
  }

  test('that was moved is checked out at its new commit, and its repository is left out', async () => {
    const { snapshots, inLibrary, at } = withSubmodule()
    const from = await snapshots.take()
    inLibrary('checkout', '-q', 'HEAD~1')
    const to = await snapshots.take()
    for (const [tree, base, names, gone] of [
      [to, from, ['one.txt', 'two.txt'], ['lib/.git']],
      [from, to, ['two.txt'], ['lib/one.txt', 'lib/.git']],
    ] as const) {
      expect((await snapshots.difference(base, tree)).absent).toEqual([])
      const room = at(`room-${tree}`)
      fs.mkdirSync(room)
      expect((await snapshots.checkOut(tree, base, room)).gone).toEqual(gone)
      expect(fs.readdirSync(join(room, 'lib'))).toEqual(names)
    }
  })

  test('that names a commit which is not there is absent', async () => {
    const { snapshots, git, at } = withSubmodule()
    const from = await snapshots.take()
    fs.rmSync(at('lib'), { recursive: true })
    fs.mkdirSync(at('lib'))
    git('update-index', '--cacheinfo', `160000,${'1'.repeat(40)},lib`)
    const to = await snapshots.take()
    expect((await snapshots.difference(from, to)).absent).toEqual(['lib'])
    expect((await snapshots.difference(to, from)).absent).toEqual(['lib'])
  })
})

describe('a file in a snapshot', () => {
  test('is read whole; what is not there, no plain file or too big is undefined', async () => {
    const { snapshots, write, at } = newRepository()
    fs.symlinkSync('a.txt', at('link'))
    write('[ab].txt', 'brackets\n')
    write('big', 'x'.repeat(2 * 1024 * 1024))
    write('bigger', 'x'.repeat(2 * 1024 * 1024 + 1))
    const tree = await snapshots.take()
    expect(await snapshots.read(tree, 'sub/b.txt')).toBe('two\n')
    expect(await snapshots.read(tree, '[ab].txt')).toBe('brackets\n')
    expect((await snapshots.read(tree, 'big'))?.length).toBe(2 * 1024 * 1024)
    for (const path of [
      'bigger',
      'link',
      'sub',
      'sub/',
      'gone',
      '',
      '../a.txt',
      '/etc/passwd',
      '*.txt',
      'a.txt/x',
      ':/a.txt',
    ])
      expect([path, await snapshots.read(tree, path)]).toEqual([path, undefined])
  })
})
