import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { capture } from '../../../../src/adapters/shell/capture.ts'
import { NotSavedError } from '../../../../src/ports/journal.ts'
import { RepositoryBlockedError } from '../../../../src/ports/snapshots.ts'
import { commitOf, newRepository } from './scratch.ts'

type Scratch = ReturnType<typeof newRepository>

describe('what stands in the way of a commit of single files', () => {
  test.each([
    ['/etc/passwd', /not a path/],
    ['../out.md', /not a path/],
    ['docs/../../out.md', /not a path/],
    ['', /not a path/],
    ['docs//x', /not a path/],
    ['.git/config', /not a path/],
    ['docs/.GIT/x', /not a path/],
  ])('the path %j is a bug of the caller', async (path, says) => {
    const paths = newRepository().openPaths()
    const rejected = paths.commit(commitOf({ [path]: 'x\n' }))
    await expect(rejected).rejects.toThrow(says)
    await expect(rejected).rejects.not.toBeInstanceOf(RepositoryBlockedError)
    await expect(paths.read('HEAD', path)).rejects.toThrow(says)
  })

  test('a commit that its trailers do not identify is a bug of the caller', async () => {
    const { openPaths, git } = newRepository()
    const commit = commitOf({ 'a.txt': 'x\n' })
    const odd: Record<string, string>[] = [
      {},
      { 'Pawl-Step': '' },
      { 'Pawl-Step': 'a\nb' },
      { 'a b': 'x' },
      { x: ' y' },
    ]
    for (const trailers of odd) await expect(openPaths().commit({ ...commit, trailers })).rejects.toThrow(/trailer/)
    await expect(openPaths().commit({ ...commit, subject: '\u001b\n' })).rejects.toThrow(/subject/)
    expect(git('rev-list', '--count', 'HEAD')).toBe('1')
  })

  const blocked: Record<string, [RegExp, (scratch: Scratch) => void]> = {
    'a detached HEAD': [/HEAD is detached.*git switch/, ({ git }) => void git('checkout', '-q', '--detach')],
    'a rebase under way': [/in the middle of a rebase/, ({ at }) => fs.mkdirSync(at('.git/rebase-merge'))],
    'no identity': [/git config --global user\.name/, ({ git }) => void git('config', '--remove-section', 'user')],
    'a filter on the file': [
      /filter such as Git LFS applies to docs\/a\.md/,
      ({ write, commit, git, home }) => {
        write('.gitattributes', '*.md filter=lfs\n')
        commit('attributes')
        git('config', 'filter.lfs.clean', `touch '${home}/ran'`)
      },
    ],
    'a symlinked folder': [/docs is a symlink/, ({ at }) => fs.symlinkSync('sub', at('docs'))],
    'a symlink': [
      /docs\/a\.md cannot be committed: it is not a regular file/,
      ({ at }) => {
        fs.mkdirSync(at('docs'))
        fs.symlinkSync('../a.txt', at('docs/a.md'))
      },
    ],
    'a file in the place of the folder': [/docs is not a folder/, ({ write }) => write('docs', 'x\n')],
    'a file of HEAD in the place of the folder': [
      /same name: docs is in the way/,
      ({ write, commit, at }) => {
        write('docs', 'x\n')
        commit('docs')
        fs.rmSync(at('docs'))
      },
    ],
    'a folder of HEAD in the place of the file': [
      /same name: docs\/a\.md\/x is in the way/,
      ({ write, commit, at }) => {
        write('docs/a.md/x', 'x\n')
        commit('docs')
        fs.rmSync(at('docs'), { recursive: true })
      },
    ],
    'an object that is missing': [
      /git ls-tree failed: error: Could not read/,
      ({ git, at }) => {
        const id = git('rev-parse', 'HEAD:sub')
        fs.rmSync(at(`.git/objects/${id.slice(0, 2)}/${id.slice(2)}`))
      },
    ],
  }
  for (const [what, [says, block]] of Object.entries(blocked)) {
    test(`${what} is told, and nothing is changed`, async () => {
      const scratch = newRepository()
      const { openPaths, git, leftovers, home, at } = scratch
      block(scratch)
      const readState = () => [git('rev-parse', 'HEAD'), fs.readFileSync(at('.git/index'), 'latin1')]
      const before = readState()
      const commit = openPaths().commit(commitOf({ 'docs/a.md': 'x\n' }))
      await expect(commit).rejects.toThrow(says)
      await expect(commit).rejects.toBeInstanceOf(RepositoryBlockedError)
      expect(readState()).toEqual(before)
      expect([leftovers(), fs.existsSync(join(home, 'ran'))]).toEqual([[], false])
    })
  }

  test('a file may take the place of a folder whose files are deleted in the same commit', async () => {
    const { openPaths, git, at } = newRepository()
    fs.rmSync(at('sub'), { recursive: true })
    await openPaths().commit(commitOf({ sub: 'file now\n', 'sub/b.txt': null }))
    expect(git('ls-tree', '-r', '--name-only', 'HEAD').split('\n')).toEqual(['.gitignore', 'a.txt', 'sub'])
  })

  test('no repository, and a full disk, each with its own error', async () => {
    const { openPaths, folder, home } = newRepository()
    expect(() => openPaths(home)).toThrow(RepositoryBlockedError)
    const full = openPaths(folder, {
      capture: async (question) =>
        question.argv.includes('hash-object')
          ? { code: 128, stdout: Buffer.alloc(0), stderrTail: 'fatal: write error: No space left on device\n' }
          : capture(question),
    })
    await expect(full.commit(commitOf({ 'a.txt': 'x\n' }))).rejects.toBeInstanceOf(NotSavedError)
  })
})
