import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { RepositoryBlockedError } from '../../../../src/ports/snapshots.ts'
import { newRepository } from './scratch.ts'

describe('a story on the branch', () => {
  test('is a commit of its own changes alone; what else is uncommitted stays so, staged or not', async () => {
    const { snapshots, git, write, storyOf, find, status, at, leftovers } = newRepository()
    write('mine.txt', 'mine\n')
    write('staged.txt', 'staged\n')
    git('add', 'staged.txt')
    write('sub/b.txt', 'mine too\n')
    const head = git('rev-parse', 'HEAD')
    const kept = await storyOf(() => {
      write('a.txt', 'story\n')
      write('odd\n"name" ü', 'x\n')
      fs.chmodSync(at('.gitignore'), 0o755)
      write('ignored/x', 'x')
    })
    const id = (await snapshots.commit(kept, undefined))!
    expect(git('rev-parse', 'refs/heads/main', `${id}^`).split('\n')).toEqual([id, head])
    expect(git('diff-tree', '-r', '--no-commit-id', '--name-only', '-z', id).split('\0').filter(Boolean)).toEqual([
      '.gitignore',
      'a.txt',
      'odd\n"name" ü',
    ])
    expect(status()).toEqual(['A  staged.txt', ' M sub/b.txt', '?? mine.txt'])
    expect(git('diff-files', '--name-only')).toBe('sub/b.txt')
    expect(git('log', '-1', '--format=%an <%ae>|%cn|%B')).toBe(
      'Ada <ada@example.com>|Ada|feat: run-1/S1\n\nIt works.\n\nPawl-Run: run-1\nPawl-Story: S1',
    )
    expect([await find('run-1/S1'), leftovers()]).toEqual([id, []])
    expect(git('reflog', '-1', '--format=%gs')).toBe('commit: feat: run-1/S1')
  })

  test('is never made twice, and a mention in prose is no trailer', async () => {
    const { snapshots, git, write, storyOf, find, commit } = newRepository()
    write('x', 'x\n')
    commit('Mentions\n\nPawl-Run: run-1\nPawl-Story: S1\n\nin its middle, and this is the last paragraph')
    write('x', 'y\n')
    commit('Another\n\nPawl-Run: run-1\nPawl-Story: S10')
    expect(await find('run-1/S1')).toBeUndefined()
    const kept = await storyOf(() => write('a.txt', 'story\n'))
    const id = await snapshots.commit(
      { ...kept, body: 'Signed-off-by: me\n\nPawl-Run: run-2\nPawl-Story: S9' },
      undefined,
    )
    write('x', 'z\n')
    commit('later')
    expect(await snapshots.commit(kept, undefined)).toBe(id)
    expect(await find('run-1/S1')).toBe(id)
    expect(await find('run-2/S9')).toBeUndefined()
    expect(git('rev-list', '--count', 'HEAD')).toBe('5')
  })

  test('nothing to commit is null: no change, or HEAD has it already', async () => {
    const { snapshots, git, write, storyOf, commit } = newRepository()
    const head = git('rev-parse', 'HEAD')
    expect(await snapshots.commit(await storyOf(() => undefined), undefined)).toBeNull()
    expect(git('rev-parse', 'HEAD')).toBe(head)
    const kept = await storyOf(() => {
      write('a.txt', 'by the agent\n')
      commit('the agent itself')
    })
    expect(await snapshots.commit(kept, undefined)).toBeNull()
  })

  test('the first commit of all, a file for a folder and a folder for a file, a deletion, a worktree', async () => {
    const { open, snapshots, git, write, storyOf, status, at, home, gitIn } = newRepository()
    const first = newRepository({ git: false })
    first.git('init', '-q', '-b', 'main')
    const id = await first.snapshots.commit(await first.storyOf(() => first.write('x', 'x\n')), {
      name: 'B',
      email: 'b@c',
    })
    expect(first.git('log', '--format=%H %an <%ae> %cn')).toBe(`${id} B <b@c> B`)
    expect(first.status()).toEqual([])

    const kept = await storyOf(() => {
      fs.rmSync(at('a.txt'))
      write('a.txt/x', 'x\n')
      fs.rmSync(at('sub'), { recursive: true })
      write('sub', 'x\n')
    })
    await snapshots.commit(kept, undefined)
    expect([status(), git('ls-tree', '-r', '--name-only', 'HEAD').split('\n')]).toEqual([
      [],
      ['.gitignore', 'a.txt/x', 'sub'],
    ])
    const side = join(home, 'side')
    git('worktree', 'add', '-q', '-b', 'side', side)
    const there = open(side)
    const from = await there.take()
    fs.writeFileSync(join(side, 'sub'), 'side\n')
    const made = await there.commit({ ...kept, key: 'run-1/S2', from, to: await there.take() }, undefined)
    expect([gitIn(side, 'rev-parse', 'side'), gitIn(side, 'status', '--porcelain'), status()]).toEqual([made, '', []])
  })

  test('a sparse checkout stays one', async () => {
    const { git, write, commit, snapshots, storyOf, status } = newRepository()
    write('far/c.txt', 'c\n')
    commit('far')
    git('sparse-checkout', 'set', '--cone', 'sub')
    expect(await snapshots.commit(await storyOf(() => write('sub/new.txt', 'n\n')), undefined)).not.toBeNull()
    expect([status(), git('ls-files', '-t', 'far')]).toEqual([[], 'S far/c.txt'])
    expect(git('ls-tree', '-r', '--name-only', 'HEAD').split('\n')).toContain('far/c.txt')
  })

  test('words of a story stay words: no options, no trailers of their own, no control characters', async () => {
    const { snapshots, git, write, storyOf, find } = newRepository()
    const kept = await storyOf(() => write('a.txt', 'x\n'))
    const subject = '--amend\n$(touch owned)\u001b[31m `x`'
    await snapshots.commit(
      { ...kept, subject, body: '# not a comment\r\n\0---\n' },
      { name: 'Eve <x>\n', email: 'e@f' },
    )
    expect(git('log', '-1', '--format=%B')).toBe(
      '--amend $(touch owned)[31m `x`\n\n# not a comment\n---\n\nPawl-Run: run-1\nPawl-Story: S1',
    )
    expect(await find('run-1/S1')).toBe(git('rev-parse', 'HEAD'))
  })
})

describe('what stands in the way of a commit', () => {
  const blocked: Record<string, [RegExp, (scratch: ReturnType<typeof newRepository>) => void]> = {
    'a detached HEAD': [/HEAD is detached.*git switch/, ({ git }) => void git('checkout', '-q', '--detach')],
    'nobody whom git knows': [
      /git config --global user\.name .* git config --global user\.email/,
      ({ git }) => {
        git('config', '--unset', 'user.name')
        git('config', '--unset', 'user.email')
      },
    ],
    'a merge': [
      /in the middle of a merge/,
      ({ at, git }) => fs.writeFileSync(at('.git/MERGE_HEAD'), git('rev-parse', 'HEAD')),
    ],
    'a rebase': [/in the middle of a rebase/, ({ at }) => fs.mkdirSync(at('.git/rebase-merge'))],
    'a cherry-pick': [
      /in the middle of a cherry-pick/,
      ({ at, git }) => fs.writeFileSync(at('.git/CHERRY_PICK_HEAD'), git('rev-parse', 'HEAD')),
    ],
    'a bisect': [/in the middle of a bisect/, ({ git }) => void git('bisect', 'start')],
  }
  for (const [what, [says, block]] of Object.entries(blocked)) {
    test(`${what} is told, and nothing is changed`, async () => {
      const scratch = newRepository()
      const { snapshots, storyOf, write, git, status, leftovers } = scratch
      const kept = await storyOf(() => write('a.txt', 'x\n'))
      block(scratch)
      const before = [git('rev-parse', 'HEAD'), status()]
      const commit = snapshots.commit(kept, undefined)
      await expect(commit).rejects.toThrow(says)
      await expect(commit).rejects.toBeInstanceOf(RepositoryBlockedError)
      expect([git('rev-parse', 'HEAD'), status()]).toEqual(before)
      expect(leftovers()).toEqual([])
    })
  }

  test('a file that a filter stands for: kept under its ref, and said to be committed by hand', async () => {
    const { snapshots, storyOf, write, git, commit } = newRepository()
    write('.gitattributes', '*.bin filter=vault -text\n')
    const head = commit('attributes')
    const kept = await storyOf(() => write('x.bin', 'x\n'))
    await expect(snapshots.commit(kept, undefined)).rejects.toThrow(/x\.bin.*refs\/pawl\/run-1\/S1.*by hand/)
    expect(git('rev-parse', 'HEAD', 'refs/pawl/run-1/S1^{tree}').split('\n')).toEqual([head, kept.to])
    const plain = await storyOf(() => write('a.txt', 'x\n'), 'run-1/S2')
    expect(await snapshots.commit(plain, undefined)).toBe(git('rev-parse', 'HEAD'))
  })

  test("a filter of the user's own config runs: the commit has what git would have", async () => {
    const { snapshots, storyOf, write, git, commit, at, status } = newRepository()
    git('config', '--global', 'filter.case.clean', 'tr A-Z a-z')
    git('config', '--global', 'filter.case.smudge', 'tr a-z A-Z')
    write('.gitattributes', '*.up filter=case\n')
    write('x.up', 'ONE\n')
    commit('attributes')
    const kept = await storyOf(() => write('x.up', 'TWO\n'))
    expect(kept.from).toBe(git('rev-parse', 'HEAD^{tree}'))
    await snapshots.commit(kept, undefined)
    expect([git('show', 'HEAD:x.up'), status()]).toEqual(['two', []])
    await snapshots.restore(kept.from, ['x.up'])
    expect(fs.readFileSync(at('x.up'), 'utf8')).toBe('ONE\n')
    fs.mkdirSync(at('room'))
    await snapshots.checkOut(kept.to, kept.from, at('room'))
    expect(fs.readFileSync(at('room/x.up'), 'utf8')).toBe('TWO\n')
  })

  test('a lock that a killed process of ours has left is known by being its file, and goes', async () => {
    const { snapshots, storyOf, write, git, at, leftovers } = newRepository()
    const kept = await storyOf(() => write('a.txt', 'x\n'))
    const folder = at('.git/pawl-999999999-abcdef')
    fs.mkdirSync(folder)
    fs.writeFileSync(join(folder, 'next-index'), 'x')
    fs.linkSync(join(folder, 'next-index'), at('.git/index.lock'))
    expect(await snapshots.commit(kept, undefined)).toBe(git('rev-parse', 'HEAD'))
    expect(leftovers()).toEqual(['pawl-999999999-abcdef'])
  })
})
