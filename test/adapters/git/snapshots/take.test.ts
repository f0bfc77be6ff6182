import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { RepositoryBlockedError } from '../../../../src/ports/snapshots.ts'
import { newFolder } from '../scratch.ts'
import { newRepository } from './scratch.ts'

describe('a snapshot of the work tree', () => {
  test('has what is committed, changed, staged and new, not what is ignored or kept by runs', async () => {
    const { snapshots, write, at, git, files, status, leftovers } = newRepository()
    expect(await snapshots.take()).toBe(git('rev-parse', 'HEAD^{tree}'))
    write('a.txt', 'changed\n')
    write('staged.txt', 's\n')
    git('add', 'staged.txt')
    write('new/ünï\n漢.txt', 'n\n')
    fs.rmSync(at('sub/b.txt'))
    for (const path of ['ignored/x', 'x.log', '.pawl/runs/1/x', '.rooda/state/x', 'sub/.pawl/runs/2/y'])
      write(path, 'x')
    write('.pawl/config.yml', 'x: 1\n')
    const [before, index] = [status(), fs.readFileSync(at('.git/index'))]
    const tree = await snapshots.take()
    expect(git('ls-tree', '-r', '-z', '--name-only', tree).split('\0').filter(Boolean)).toEqual([
      '.gitignore',
      '.pawl/config.yml',
      'a.txt',
      'new/ünï\n漢.txt',
      'staged.txt',
    ])
    expect(git('show', `${tree}:a.txt`)).toBe('changed')
    expect(await snapshots.take()).toBe(tree)
    expect([status(), fs.readFileSync(at('.git/index')).equals(index), leftovers()]).toEqual([before, true, []])
    git('checkout', '-q', '.')
    fs.rmSync(at('.pawl/config.yml'))
    expect(files(await snapshots.take())).not.toContain('.pawl/config.yml')
  })

  test('leaves out what the caller calls its own, also when it was committed', async () => {
    const { open, folder, at, write, commit, files } = newRepository()
    write('out [1]/result.json', '{}')
    write('.pawl/runs/1/x', 'x')
    write('out [1]x/y', 'y')
    const snapshots = open(folder, { ownFolders: [at('out [1]'), '/elsewhere'] })
    expect(files(await snapshots.take())).toEqual(['.gitignore', 'a.txt', 'out [1]x/y', 'sub/b.txt'])
    commit('all of it')
    write('out [1]/result.json', '{"a":1}')
    expect(files(await snapshots.take())).toEqual(['.gitignore', 'a.txt', 'out [1]x/y', 'sub/b.txt'])
  })

  test('works before the first commit, in a subfolder, detached, in a worktree, with SHA-256', async () => {
    for (const format of ['sha1', 'sha256']) {
      const fresh = newRepository({ git: false })
      fresh.git('init', '-q', `--object-format=${format}`)
      expect(fresh.git('ls-tree', '-r', await fresh.snapshots.take())).toBe('')
      fresh.write('x', 'x\n')
      expect(fresh.files(await fresh.snapshots.take())).toEqual(['x'])
    }
    const { open, home, at, git, write, snapshots } = newRepository()
    write('new.txt', 'n\n')
    const tree = await snapshots.take()
    expect(await open(at('sub')).take()).toBe(tree)
    git('checkout', '-q', '--detach')
    expect(await snapshots.take()).toBe(tree)
    const side = join(home, 'side')
    git('worktree', 'add', '-q', '-b', 'side', side)
    fs.writeFileSync(join(side, 'new.txt'), 'n\n')
    expect(await open(side).take()).toBe(tree)
  })

  test('a sparse checkout is whole, and a file outside of it that is there counts', async () => {
    const { git, write, commit, snapshots, files, at } = newRepository()
    write('far/c.txt', 'c\n')
    write('far/d.txt', 'd\n')
    commit('far')
    git('sparse-checkout', 'set', '--cone', 'sub')
    expect(fs.existsSync(at('far'))).toBe(false)
    expect(await snapshots.take()).toBe(git('rev-parse', 'HEAD^{tree}'))
    write('far/c.txt', 'C\n')
    write('elsewhere/e.txt', 'e\n')
    const tree = await snapshots.take()
    expect(files(tree)).toEqual(['.gitignore', 'a.txt', 'elsewhere/e.txt', 'far/c.txt', 'far/d.txt', 'sub/b.txt'])
    expect(git('show', `${tree}:far/c.txt`)).toBe('C')
  })

  test('sees files, bits and filters that were set after an earlier snapshot', async () => {
    const { git, write, snapshots, home, files } = newRepository()
    // Old enough for index and config to be remembered.
    await delay(100)
    const before = await snapshots.take()
    expect(await snapshots.take()).toBe(before)
    write('forced.log', 'forced\n')
    git('add', '--force', 'forced.log')
    git('update-index', '--assume-unchanged', 'a.txt')
    write('a.txt', 'changed\n')
    const changed = await snapshots.take()
    expect([git('show', `${changed}:a.txt`), files(changed)]).toEqual([
      'changed',
      expect.arrayContaining(['forced.log']),
    ])
    fs.writeFileSync(join(home, 'filter'), `#!/bin/sh\ntouch '${join(home, 'ran')}'\ntr a-z A-Z\n`, { mode: 0o755 })
    git('config', 'filter.loud.clean', join(home, 'filter'))
    write('.gitattributes', '*.txt filter=loud\n')
    write('a.txt', 'filtered\n')
    const tree = await snapshots.take()
    expect([git('show', `${tree}:a.txt`), files(tree)]).toEqual(['filtered', expect.arrayContaining(['a.txt'])])
    expect(fs.existsSync(join(home, 'ran'))).toBe(false)
  })

  test('sees what was hidden from git by bits of its index, and content that keeps size and date', async () => {
    const { git, write, at, snapshots, files } = newRepository()
    git('update-index', '--assume-unchanged', 'a.txt')
    git('update-index', '--skip-worktree', 'sub/b.txt')
    write('a.txt', 'changed\n')
    fs.rmSync(at('sub/b.txt'))
    const tree = await snapshots.take()
    expect([git('show', `${tree}:a.txt`), files(tree)]).toEqual(['changed', ['.gitignore', 'a.txt']])
    expect(git('ls-files', '-v', 'a.txt')).toBe('h a.txt')

    const other = newRepository()
    const { mtime, atime } = fs.statSync(other.at('a.txt'))
    for (let round = 0; round < 20; round++) {
      const text = `${100 + round}\n`
      other.write('a.txt', text)
      fs.utimesSync(other.at('a.txt'), atime, mtime)
      expect(other.git('show', `${await other.snapshots.take()}:a.txt`)).toBe(text.trim())
      if (round % 2) other.git('add', '-A')
    }
  })

  test('a file that changes in the same moment as the index is read again', async () => {
    const { git, write, snapshots } = newRepository()
    for (let round = 0; round < 30; round++) {
      write('a.txt', `a${round % 10}\n`)
      git('add', 'a.txt')
      write('a.txt', `b${round % 10}\n`)
      expect(git('show', `${await snapshots.take()}:a.txt`)).toBe(`b${round % 10}`)
    }
  })

  test('submodules and repositories inside are links, are not entered, and one without a commit is left out', async () => {
    const { home, git, gitIn, at, commit, snapshots, write } = newRepository()
    const [library, sprung] = [join(home, 'library'), join(home, 'sprung')]
    gitIn(home, 'init', '-q', library)
    fs.writeFileSync(join(library, '.gitattributes'), '* filter=evil\n')
    fs.writeFileSync(join(library, 'l.txt'), 'l\n')
    gitIn(library, 'add', '-A')
    gitIn(library, 'commit', '-q', '-m', 'l')
    git('submodule', '--quiet', 'add', library, 'vendor/lib "q"')
    commit('with a submodule')
    gitIn(home, 'clone', '-q', library, at('stray'))
    fs.mkdirSync(at("it's [new]"))
    gitIn(at("it's [new]"), 'init', '-q')
    for (const folder of [at('vendor/lib "q"'), at('stray')]) {
      gitIn(folder, 'config', 'filter.evil.clean', `touch '${sprung}'; cat`)
      gitIn(folder, 'config', 'core.fsmonitor', `touch '${sprung}'; false`)
      fs.writeFileSync(join(folder, 'l.txt'), 'L\n')
    }
    write('new.txt', 'n\n')
    const linked = (tree: string): string[] =>
      git('ls-tree', '-r', '-z', tree)
        .split('\0')
        .filter((line) => line.startsWith('160000'))
        .map((line) => line.slice(14))
    const tree = await snapshots.take()
    const head = gitIn(library, 'rev-parse', 'HEAD')
    expect(linked(tree)).toEqual([`${head}\tstray`, `${head}\tvendor/lib "q"`])
    expect(git('show', `${tree}:new.txt`)).toBe('n')
    expect(fs.existsSync(sprung)).toBe(false)
    gitIn(at('vendor/lib "q"'), 'commit', '-q', '--allow-empty', '-m', 'inside')
    const moved = gitIn(at('vendor/lib "q"'), 'rev-parse', 'HEAD')
    expect(linked(await snapshots.take())).toEqual([`${head}\tstray`, `${moved}\tvendor/lib "q"`])
    fs.rmSync(at('vendor/lib "q"'), { recursive: true })
    expect(linked(await snapshots.take())).toEqual([`${head}\tstray`])
  })

  test('what a filter stands for is taken as it lies there, however git knows it', async () => {
    const { git, write, commit, snapshots, at } = newRepository()
    git('config', 'filter.up.clean', 'tr a-z A-Z')
    git('config', 'filter.up.smudge', 'tr A-Z a-z')
    write('.gitattributes', '*.bin filter=up\n')
    write('x.bin', 'low\n')
    commit('with a filter')
    expect(git('show', 'HEAD:x.bin')).toBe('LOW')
    const tree = await snapshots.take()
    expect(git('cat-file', 'blob', `${tree}:x.bin`)).toBe('low')
    fs.utimesSync(at('x.bin'), 5, 5)
    expect(await snapshots.take()).toBe(tree)
    git('status')
    expect(await snapshots.take()).toBe(tree)
  })

  test('waits for no lock of another git, takes none, and sweeps what a killed one has left', async () => {
    const { snapshots, at, write, leftovers } = newRepository()
    fs.writeFileSync(at('.git/index.lock'), '')
    write('new', 'x')
    await snapshots.take()
    const { pid } = JSON.parse(
      execFileSync(process.execPath, ['-p', 'JSON.stringify({pid:process.pid})'], { encoding: 'utf8' }),
    )
    const [old, young, living] = [`pawl-${pid}-abcdef`, `pawl-${pid}-ghijkl`, `pawl-${process.pid}-mnopqr`]
    for (const name of [old, young, living]) fs.mkdirSync(at(`.git/${name}`))
    fs.writeFileSync(at(`.git/${old}/index`), '')
    fs.utimesSync(at(`.git/${old}`), 5, 5)
    fs.utimesSync(at(`.git/${living}`), 5, 5)
    await snapshots.take()
    expect(leftovers().sort()).toEqual(['index.lock', young, living].sort())
  })

  test('pipes, links to nowhere and files that nobody may read: taken, or told', async () => {
    const { snapshots, at, git } = newRepository()
    execFileSync('mkfifo', [at('pipe')])
    fs.symlinkSync('/nowhere', at('link'))
    fs.symlinkSync('/etc', at('away'))
    expect(git('ls-tree', '-r', await snapshots.take())).toContain('120000')
    if (process.getuid?.() === 0) return
    fs.writeFileSync(at('secret'), 'x', { mode: 0 })
    await expect(snapshots.take()).rejects.toThrow(/secret/)
    await expect(snapshots.take()).rejects.toBeInstanceOf(RepositoryBlockedError)
  })

  test('no repository, no git, a signal: each is told', async () => {
    const plain = newFolder({ git: false })
    const { open, folder, env, snapshots, leftovers } = newRepository()
    await expect(open(plain.folder).take()).rejects.toThrow(/is not in a git repository: run git init/)
    await expect(open(folder, { env: { ...env, PATH: '/nowhere' } }).take()).rejects.toBeInstanceOf(
      RepositoryBlockedError,
    )
    await expect(snapshots.take(AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough')
    const controller = new AbortController()
    const taken = snapshots.take(controller.signal)
    setImmediate(() => controller.abort(new Error('enough now')))
    await expect(taken).rejects.toThrow('enough now')
    expect(leftovers()).toEqual([])
  })
})
