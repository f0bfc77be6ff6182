import * as fs from 'node:fs'
import { describe, expect, test } from 'vitest'
import { newRepository } from './scratch.ts'

describe('a story that is kept', () => {
  test('is a commit under its ref, on no branch; the same again is the same commit, other work moves it', async () => {
    const { snapshots, git, write, storyOf, find, status, at } = newRepository()
    const head = git('rev-parse', 'HEAD')
    const kept = await storyOf(() => write('new.txt', 'n\n'))
    const before = [status(), fs.readFileSync(at('.git/index'))]
    const id = await snapshots.keep(kept)
    expect(git('rev-parse', 'refs/pawl/run-1/S1', `${id}^{tree}`, `${id}^`, 'HEAD').split('\n')).toEqual([
      id,
      kept.to,
      head,
      head,
    ])
    expect(git('log', '-1', '--format=%an <%ae>%n%B', id)).toBe(
      'Ada <ada@example.com>\nfeat: run-1/S1\n\nIt works.\n\nPawl-Run: run-1\nPawl-Story: S1',
    )
    expect(await snapshots.keep({ ...kept, subject: 'other words' })).toBe(id)
    expect([status(), fs.readFileSync(at('.git/index'))]).toEqual(before)
    const more = await storyOf(() => write('new.txt', 'more\n'))
    const moved = await snapshots.keep(more)
    expect([moved === id, git('rev-parse', 'refs/pawl/run-1/S1')]).toEqual([false, moved])
    expect(await find('run-1/S1')).toBeUndefined()
  })

  test('needs neither a commit nor an identity', async () => {
    const { snapshots, git, write, storyOf } = newRepository({ git: false })
    git('init', '-q')
    const id = await snapshots.keep(await storyOf(() => write('x', 'x\n')))
    expect(git('log', '--format=%an <%ae> %p', id)).toBe('Pawl <pawl@localhost>')
  })

  test('what is no key is refused', async () => {
    const { snapshots, write, storyOf } = newRepository()
    const kept = await storyOf(() => write('x', 'x\n'))
    for (const key of ['', 'S1', 'a/b/c', '../S1', 'a/..', 'a/b.lock', 'a/-\n', 'a b/S1', 'a/S1~1', 'a..b/S1', 'a/.b'])
      await expect(snapshots.keep({ ...kept, key })).rejects.toThrow(/invalid key/)
  })
})
