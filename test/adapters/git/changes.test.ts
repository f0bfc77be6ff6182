import * as fs from 'node:fs'
import { describe, expect, test } from 'vitest'
import { newFolder } from './scratch.ts'

describe('what changed since a commit', () => {
  test('commits newest first; files committed, staged, changed and new, each with its lines', async () => {
    const { git, write, commit, repository, at } = newFolder()
    const base = git('rev-parse', 'HEAD')
    write('a.txt', 'one\nmore\n')
    const second = commit('second: "quotes" & <b>')
    write('odd\nname', 'x\ny\nz')
    const third = commit('third')
    fs.rmSync(at('sub/b.txt'))
    write('staged.txt', 's\n')
    git('add', 'staged.txt')
    write('new.txt', 'n\nn\n')
    write('picture.bin', Buffer.from([0, 1, 2]))
    write('ignored/x', 'x')
    write('.pawl/runs/1/x', 'x')
    const changes = await repository().changesSince(base)
    expect(changes).toMatchObject({ history: 'continued', totalCommits: 2, totalFiles: 6, uncommitted: 4 })
    expect(changes?.commits).toEqual([
      { id: third, subject: 'third' },
      { id: second, subject: 'second: "quotes" & <b>' },
    ])
    expect(Object.fromEntries(changes!.files.map(({ path, ...rest }) => [path, rest]))).toEqual({
      'a.txt': { status: 'modified', added: 1, deleted: 0 },
      'odd\nname': { status: 'added', added: 3, deleted: 0 },
      'sub/b.txt': { status: 'deleted', added: 0, deleted: 1 },
      'staged.txt': { status: 'added', added: 1, deleted: 0 },
      'new.txt': { status: 'added', added: 2, deleted: 0 },
      'picture.bin': { status: 'added', added: null, deleted: 0 },
    })
    expect([changes?.added, changes?.deleted, changes?.files[0]?.path]).toEqual([7, 1, 'odd\nname'])
  })

  test('nothing happened', async () => {
    const { git, repository } = newFolder()
    const head = git('rev-parse', 'HEAD')
    expect(await repository().changesSince(head)).toEqual({
      head,
      history: 'continued',
      commits: [],
      totalCommits: 0,
      files: [],
      totalFiles: 0,
      added: 0,
      deleted: 0,
      uncommitted: 0,
    })
  })

  test('from before the first commit', async () => {
    const { repository, write } = newFolder()
    write('new.txt', 'n\n')
    expect(await repository().changesSince(null)).toMatchObject({ totalCommits: 1, totalFiles: 4, uncommitted: 1 })
    const empty = newFolder({ git: false })
    empty.git('init', '-q')
    empty.write('x', 'x\n')
    expect(await empty.repository().changesSince(null)).toMatchObject({
      totalCommits: 0,
      totalFiles: 1,
      uncommitted: 1,
    })
    const other = newFolder({ git: false })
    other.git('init', '-q', '--object-format=sha256')
    other.write('x', 'x\n')
    other.commit('first')
    expect(await other.repository().changesSince(null)).toMatchObject({ totalCommits: 1, totalFiles: 1 })
  })

  test('history that was rewritten is told, and a commit that is gone is told', async () => {
    const { git, repository, write, commit } = newFolder()
    write('a.txt', 'two\n')
    const base = commit('second')
    git('commit', '-q', '--amend', '-m', 'rewritten')
    expect(await repository().changesSince(base)).toMatchObject({
      history: 'rewritten',
      totalCommits: 1,
      totalFiles: 0,
    })
    expect(await repository().changesSince('0123456789012345678901234567890123456789')).toMatchObject({
      history: 'lost',
      totalFiles: 0,
    })
    for (const base of ['--output=owned', 'HEAD', '']) {
      expect(await repository().changesSince(base)).toMatchObject({ history: 'lost' })
    }
  })

  test('a file that git was told to forget is not gone', async () => {
    const { git, repository } = newFolder()
    const base = git('rev-parse', 'HEAD')
    git('rm', '-q', '--cached', 'a.txt')
    expect((await repository().changesSince(base))?.files).toEqual([
      { path: 'a.txt', status: 'modified', added: null, deleted: null },
    ])
  })
})
