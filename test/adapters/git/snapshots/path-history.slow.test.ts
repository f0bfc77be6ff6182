import * as fs from 'node:fs'
import { describe, expect, test } from 'vitest'
import { capture } from '../../../../src/adapters/shell/capture.ts'
import { RepositoryBlockedError } from '../../../../src/ports/snapshots.ts'
import { newRepository } from './scratch.ts'

describe('files that are not committed', () => {
  test('are listed once each, staged or not, without ignored files and those of runs', async () => {
    const { openPaths, write, git, at, commit } = newRepository()
    for (const name of ['changed', 'deleted', 'removed', 'untracked', 'both']) write(`docs/${name}.md`, 'x\n')
    write('docs/same.md', 'x\n')
    commit('docs')
    write('docs/changed.md', 'y\n')
    fs.rmSync(at('docs/deleted.md'))
    git('rm', '-q', 'docs/removed.md')
    git('rm', '-q', '--cached', 'docs/untracked.md')
    write('docs/both.md', 'y\n')
    git('add', 'docs/both.md')
    write('docs/both.md', 'z\n')
    write('docs/new/ü.md', 'n\n')
    write('docs/staged.md', 's\n')
    git('add', 'docs/staged.md')
    write('docs/x.log', 'ignored\n')
    write('docs/ignored/y', 'ignored\n')
    write('docs/.pawl/runs/1/journal', 'ours\n')
    write('docs2/other.md', 'o\n')
    git('init', '-q', at('docs/nested'))
    const index = fs.readFileSync(at('.git/index'))
    const inDocs = ['both', 'changed', 'deleted', 'new/ü', 'removed', 'staged', 'untracked'].map((n) => `docs/${n}.md`)
    expect(await openPaths().listUncommitted('docs')).toEqual(inDocs)
    expect(await openPaths(at('docs')).listUncommitted('')).toEqual([...inDocs, 'docs2/other.md'])
    for (const none of ['nowhere', 'd*']) expect(await openPaths().listUncommitted(none)).toEqual([])
    expect(fs.readFileSync(at('.git/index'))).toEqual(index)
  })

  test('are listed by one git process', async () => {
    const { openPaths, folder } = newRepository()
    const commands: string[][] = []
    const paths = openPaths(folder, {
      capture: (question) => {
        commands.push(question.argv.filter((word) => ['config', 'status', 'log'].includes(word)))
        return capture(question)
      },
    })
    await paths.listUncommitted('')
    await paths.log('', ['Pawl-Step'])
    expect(commands.flat().filter((word) => word !== 'config')).toEqual(['status', 'log'])
  })
})

/** Three commits of ours and two of a person. */
async function newHistory() {
  const scratch = newRepository()
  const { openPaths, write, commit } = scratch
  const paths = openPaths()
  const make = async (step: string, files: Record<string, string | null>): Promise<string> => {
    const changes = Object.entries(files).map(([path, text]) => {
      if (text === null) fs.rmSync(scratch.at(path))
      else write(path, text)
      return { path, content: text === null ? null : Buffer.from(text) }
    })
    return (await paths.commit({ changes, subject: `step ${step}`, trailers: { 'Pawl-Step': step } }))!
  }
  const one = await make('1', { 'docs/a.md': 'one\n', 'docs/b.md': 'b\n' })
  write('docs/a.md', 'by hand\n')
  const hand = commit('by hand\n\nPawl-Step: prose, not a trailer\n\nthe end')
  const two = await make('2', { 'docs/b.md': null, 'other.md': 'o\n' })
  const three = await make('3', { 'elsewhere.md': 'e\n' })
  return { ...scratch, paths, make, one, hand, two, three }
}

describe('the history', () => {
  test('names the commits with a trailer that touch a folder, newest first', async () => {
    const { paths, git, one, two, three, write, commit } = await newHistory()
    const seconds = Number(git('log', '-1', '--format=%ct', two))
    expect(await paths.log('docs', ['Pawl-Step', 'Pawl-Other'])).toEqual([
      { id: two, at: seconds * 1000, subject: 'step 2', trailers: { 'Pawl-Step': '2' } },
      expect.objectContaining({ id: one, subject: 'step 1' }),
    ])
    expect((await paths.log('', ['Pawl-Step'])).map(({ id }) => id)).toEqual([three, two, one])
    expect(await paths.log('', ['Pawl-Other'])).toEqual([])
    write('docs/c.md', 'c\n')
    commit('two\u0001trailers\n\nPawl-Other: x\nPawl-Step: 8\nPawl-Step: 9')
    const [latest] = await paths.log('docs', ['Pawl-Step', 'Pawl-Other'])
    expect(latest).toMatchObject({ subject: 'two\u0001trailers', trailers: { 'Pawl-Step': '9', 'Pawl-Other': 'x' } })
  })

  test('names the commits that changed a file since a commit', async () => {
    const { paths, one, two, hand, git, write, commit, make } = await newHistory()
    const at = Number(git('log', '-1', '--format=%ct', hand)) * 1000
    expect(await paths.changedSince(one, 'docs/a.md')).toEqual([{ id: hand, at, subject: 'by hand' }])
    expect(await paths.changedSince(hand, 'docs/a.md')).toEqual([])
    expect((await paths.changedSince(one, 'docs/b.md')).map(({ id }) => id)).toEqual([two])
    await expect(paths.changedSince('0'.repeat(40), 'docs/a.md')).rejects.toBeInstanceOf(RepositoryBlockedError)
    await expect(paths.changedSince('HEAD', 'docs/a.md')).rejects.toBeInstanceOf(RepositoryBlockedError)
    git('checkout', '-q', '-b', 'side')
    write('side', 's\n')
    commit('side')
    git('checkout', '-q', 'main')
    const four = await make('4', { 'docs/a.md': 'four\n' })
    git('merge', '-q', '--no-commit', 'side')
    git('checkout', '-q', 'side', '--', 'docs/a.md')
    git('commit', '-q', '-m', 'a merge that takes step 4 back')
    expect((await paths.changedSince(four, 'docs/a.md')).map(({ subject }) => subject)).toEqual([
      'a merge that takes step 4 back',
    ])
  })

  test('gives each file of a commit as it was and as it is', async () => {
    const { paths, make, one, two, git, at, commit } = await newHistory()
    const bytes = (text: string): Buffer => Buffer.from(text)
    expect(await paths.changes(one)).toEqual([
      { path: 'docs/a.md', before: null, after: bytes('one\n') },
      { path: 'docs/b.md', before: null, after: bytes('b\n') },
    ])
    expect(await paths.changes(two)).toEqual([
      { path: 'docs/b.md', before: bytes('b\n'), after: null },
      { path: 'other.md', before: null, after: bytes('o\n') },
    ])
    const four = await make('4', { 'docs/a.md': '', 'docs/big.md': 'x'.repeat(300_000), 'a.txt': 'one\nblob 3\nend' })
    expect((await paths.changes(four)).map(({ before, after }) => [before?.length, after?.length])).toEqual([
      [4, 14],
      [8, 0],
      [undefined, 300_000],
    ])
    fs.symlinkSync('a.txt', at('link'))
    expect(await paths.changes(commit('a symlink is no file'))).toEqual([])
    expect((await paths.changes(git('rev-list', '--max-parents=0', 'HEAD'))).map(({ path }) => path)).toEqual([
      '.gitignore',
      'a.txt',
      'sub/b.txt',
    ])
    await expect(paths.changes('0'.repeat(40))).rejects.toBeInstanceOf(RepositoryBlockedError)
  })

  test('gives a file of any commit, and null where there is none', async () => {
    const { paths, one, two } = await newHistory()
    const read = async (id: string, path: string) => (await paths.read(id, path))?.toString() ?? null
    expect([await read(one, 'docs/a.md'), await read('HEAD', 'docs/a.md')]).toEqual(['one\n', 'by hand\n'])
    expect([await read(two, 'docs/b.md'), await read('HEAD', 'docs'), await read('HEAD', 'docs/x')]).toEqual([
      null,
      null,
      null,
    ])
    await expect(paths.read('0'.repeat(40), 'docs/a.md')).rejects.toBeInstanceOf(RepositoryBlockedError)
    await expect(paths.read('--help', 'docs/a.md')).rejects.toBeInstanceOf(RepositoryBlockedError)
  })
})
