import { spawn } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { capture } from '../../../../src/adapters/shell/capture.ts'
import type { PathCommit } from '../../../../src/ports/path-commits.ts'
import { commitOf, newRepository } from './scratch.ts'

type Scratch = ReturnType<typeof newRepository>
const script = fileURLToPath(import.meta.resolve('./commit-paths.ts'))

/** Writes the files, too, as a caller does. */
function writeAll({ write, at }: Scratch, { changes }: PathCommit): void {
  for (const { path, content } of changes) {
    if (content === null) fs.rmSync(at(path), { force: true })
    else write(path, Buffer.from(content))
  }
}

const oddNames = ['ü.md', 'odd\n"name"\t\\.md', '*.md', ':(top)x.md', '-f', ' ']

describe('a commit of single files', () => {
  test('contains these files alone, and other files stay as they are, staged or not', async () => {
    const scratch = newRepository()
    const { openPaths, folder, write, git, status, leftovers } = scratch
    write('mine.txt', 'mine\n')
    write('staged.txt', 'staged\n')
    git('add', 'staged.txt')
    write('staged.txt', 'staged, then changed\n')
    write('sub/b.txt', 'mine too\n')
    const head = git('rev-parse', 'HEAD')
    const commit = { ...commitOf({ 'docs/new.md': 'new\n', 'a.txt': 'changed\n' }), body: 'Why.' }
    writeAll(scratch, commit)
    const paths = openPaths()
    const id = await paths.commit(commit)
    expect(git('rev-parse', 'refs/heads/main', `${id}^`).split('\n')).toEqual([id, head])
    expect(git('diff-tree', '-r', '--no-commit-id', '--name-only', id!).split('\n')).toEqual(['a.txt', 'docs/new.md'])
    expect(status()).toEqual(['AM staged.txt', ' M sub/b.txt', '?? mine.txt'])
    expect(git('show', ':staged.txt')).toBe('staged')
    expect(git('log', '-1', '--format=%an <%ae>|%cn|%B')).toBe(
      'Ada <ada@example.com>|Ada|docs: step 1\n\nWhy.\n\nPawl-Writing: notes\nPawl-Step: 1',
    )
    expect(git('reflog', '-1', '--format=%gs')).toBe('commit: docs: step 1')
    expect([paths.root, leftovers()]).toEqual([folder, []])
  })

  test('commits the given contents, whatever is in the work tree, and writes no file of it', async () => {
    const { openPaths, write, at, git, status } = newRepository()
    git('config', 'core.autocrlf', 'input')
    write('a.txt', 'later\n')
    await openPaths().commit(commitOf({ 'a.txt': 'given\r\n', 'only/here.md': '', 'sub/b.txt': null }))
    expect(git('cat-file', 'blob', 'HEAD:a.txt')).toBe('given')
    expect(git('cat-file', '-s', 'HEAD:a.txt')).toBe('7')
    expect(git('ls-tree', '-r', '--name-only', 'HEAD').split('\n')).toEqual(['.gitignore', 'a.txt', 'only/here.md'])
    expect([fs.readFileSync(at('a.txt'), 'utf8'), fs.existsSync(at('only'))]).toEqual(['later\n', false])
    expect(status()).toEqual([' M a.txt', ' D only/here.md', '?? sub/b.txt'])
  })

  test('is found by its trailers and not made again, also with other contents', async () => {
    const { openPaths, write, git, commit } = newRepository()
    const paths = openPaths()
    const id = await paths.commit(commitOf({ 'a.txt': 'x\n' }))
    write('a.txt', 'x\n')
    write('later', 'later\n')
    commit('later')
    expect(await paths.commit(commitOf({ 'a.txt': 'x\n' }))).toBe(id)
    expect(await paths.commit(commitOf({ 'a.txt': 'y\n' }))).toBe(id)
    expect(await paths.commit(commitOf({ 'a.txt': 'x\n', none: null }, '2'))).toBeNull()
    expect(await paths.commit({ ...commitOf({ 'a.txt': 'z\n' }), trailers: { 'Pawl-Step': '11' } })).not.toBe(id)
    expect(git('rev-list', '--count', 'HEAD')).toBe('4')
  })

  test('is made once by two processes at the same time, and both name it', async () => {
    const { folder, env, git, status } = newRepository()
    const rounds = [1, 2, 3, 4]
    for (const round of rounds) {
      const commitInProcess = async (): Promise<string | undefined> => {
        const args = ['--disable-warning=ExperimentalWarning', script, folder, String(round)]
        const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
        return (await text(child.stdout)).split('\n')[1]
      }
      const ids = await Promise.all([commitInProcess(), commitInProcess()])
      expect(ids).toEqual([git('rev-parse', 'HEAD'), git('rev-parse', 'HEAD')])
    }
    expect(git('log', '--format=%s').split('\n')).toEqual(['round 4', 'round 3', 'round 2', 'round 1', 'first'])
    expect(status()).toEqual([])
  })

  test.each([
    ['before the branch is read', 'hash-object', 'x\n'],
    ['with other contents', 'hash-object', 'y\n'],
    ['before the branch is moved', 'update-ref', 'y\n'],
  ])('is not made again if another process makes it in between: %s', async (_, command, content) => {
    const { openPaths, folder, git } = newRepository()
    let other: Promise<string | null> | undefined
    const paths = openPaths(folder, {
      capture: async (question) => {
        if (question.argv.includes(command)) other ??= openPaths().commit(commitOf({ 'a.txt': content }))
        await other
        return capture(question)
      },
    })
    const id = await paths.commit(commitOf({ 'a.txt': 'x\n' }))
    expect([id, git('rev-list', '--count', 'HEAD')]).toEqual([await other, '2'])
  })

  test('is on the branch that is current when it is made', async () => {
    const { openPaths, folder, git, status } = newRepository()
    git('branch', 'other')
    const paths = openPaths(folder, {
      capture: (question) => {
        if (question.argv.includes('commit-tree') && git('branch', '--show-current') === 'main') git('switch', 'other')
        return capture(question)
      },
    })
    const head = git('rev-parse', 'main')
    const id = await paths.commit(commitOf({ 'new.md': 'x\n' }))
    expect([git('rev-parse', 'main'), git('rev-parse', 'other')]).toEqual([head, id])
    expect(status()).toEqual([' D new.md'])
  })

  test.each(['sha1', 'sha256'])('is the first one of a repository (%s)', async (format) => {
    const scratch = newRepository({ git: false })
    scratch.git('init', '-q', '-b', 'main', `--object-format=${format}`)
    const commit = { ...commitOf({ 'docs/a.md': 'a\n' }), author: { name: 'B', email: 'b@c' } }
    writeAll(scratch, commit)
    const paths = scratch.openPaths()
    expect(await paths.read('HEAD', 'docs/a.md')).toBeNull()
    expect([await paths.log('', ['Pawl-Step']), await paths.listUncommitted('')]).toEqual([[], ['docs/a.md']])
    const id = await paths.commit(commit)
    expect(scratch.git('log', '--format=%H %an <%ae> %cn')).toBe(`${id} B <b@c> B`)
    expect([scratch.status(), await paths.commit(commit)]).toEqual([[], id])
    expect(await paths.changes(id!)).toEqual([{ path: 'docs/a.md', before: null, after: Buffer.from('a\n') }])
  })

  test('in a linked work tree is on its branch and in its index', async () => {
    const { openPaths, git, gitIn, home, status } = newRepository()
    const side = join(home, 'side')
    git('worktree', 'add', '-q', '-b', 'side', side)
    fs.writeFileSync(join(side, 'a.txt'), 'side\n')
    const id = await openPaths(join(side, 'sub')).commit(commitOf({ 'a.txt': 'side\n' }))
    expect(gitIn(side, 'rev-parse', 'side', 'main^0').split('\n')).toEqual([id, git('rev-parse', 'main')])
    expect([gitIn(side, 'status', '--porcelain'), status()]).toEqual(['', []])
  })

  test('keeps the executable bit and deletes files', async () => {
    const scratch = newRepository()
    const { openPaths, write, at, git, commit, status } = scratch
    write('run.sh', 'one\n')
    fs.chmodSync(at('run.sh'), 0o755)
    commit('script')
    const change = commitOf({ 'run.sh': 'two\n', 'new.sh': 'new\n', 'sub/b.txt': null })
    writeAll(scratch, change)
    await openPaths().commit(change)
    expect(git('ls-tree', '-r', '--format=%(objectmode) %(path)', 'HEAD').split('\n')).toEqual([
      '100644 .gitignore',
      '100644 a.txt',
      '100644 new.sh',
      '100755 run.sh',
    ])
    expect(status()).toEqual([])
  })

  test('takes odd names as they are', async () => {
    const scratch = newRepository()
    const paths = scratch.openPaths()
    const names = oddNames.map((name) => `docs/${name}`)
    const commit = commitOf(Object.fromEntries(names.map((name) => [name, `${name}\n`])))
    writeAll(scratch, commit)
    expect(await paths.listUncommitted('docs')).toEqual(names.toSorted())
    const id = (await paths.commit(commit))!
    expect(scratch.status()).toEqual([])
    expect((await paths.changes(id)).map(({ path }) => path).toSorted()).toEqual(names.toSorted())
    for (const name of names) expect(await paths.read(id, name)).toEqual(Buffer.from(`${name}\n`))
    const later = await paths.commit(commitOf({ 'docs/*.md': 'x\n' }, '2'))
    await paths.commit(commitOf({ 'docs/other.md': 'x\n' }, '3'))
    const listLater = async (path: string) => (await paths.changedSince(id, path)).map(({ id }) => id)
    expect([await listLater('docs/*.md'), await listLater('docs/ü.md')]).toEqual([[later], []])
  })

  test('of 200 files starts at most 15 git processes', async () => {
    const { openPaths, folder, git } = newRepository()
    let started = 0
    const paths = openPaths(folder, { capture: (question) => capture(question).finally(() => (started += 1)) })
    const names = Array.from({ length: 200 }, (_, at) => `docs/${at}.md`)
    await paths.commit(commitOf(Object.fromEntries(names.map((name) => [name, `${name}\n`]))))
    expect(git('ls-tree', '-r', '--name-only', 'HEAD', 'docs/').split('\n')).toHaveLength(200)
    expect(started).toBeLessThanOrEqual(15)
  })
})
