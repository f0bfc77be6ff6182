import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { newFolder } from './scratch.ts'

type Scratch = ReturnType<typeof newFolder>

/** Each is a change of its own, also the second time in a row. */
const changes: Record<string, (scratch: Scratch) => void> = {
  'a tracked file has other content': ({ write }) => write('a.txt', 'other\n'),
  'a changed file changes again': ({ write }) => write('a.txt', 'more\n'),
  'a new file': ({ write }) => write('new/c.txt', 'three\n'),
  'a new file changes': ({ write }) => write('new/c.txt', 'four!\n'),
  'a new file goes elsewhere': ({ at }) => fs.renameSync(at('new/c.txt'), at('new/d.txt')),
  'a file is deleted': ({ at }) => fs.rmSync(at('sub/b.txt')),
  'a file is renamed': ({ at }) => fs.renameSync(at('a.txt'), at('z.txt')),
  'a file becomes executable': ({ at }) => fs.chmodSync(at('.gitignore'), 0o755),
  'a file becomes a link': ({ at }) => {
    fs.rmSync(at('z.txt'))
    fs.symlinkSync('nowhere', at('z.txt'))
  },
  'a link points elsewhere': ({ at }) => {
    fs.rmSync(at('z.txt'))
    fs.symlinkSync('elsewhere', at('z.txt'))
  },
  'something is staged': ({ git }) => void git('add', '-A'),
  'all of it is committed': ({ git }) => void git('commit', '-q', '-m', 'second'),
  'an empty commit': ({ git }) => void git('commit', '-q', '--allow-empty', '-m', 'third'),
  'an amended message': ({ git }) => void git('commit', '-q', '--amend', '--allow-empty', '-m', '3rd'),
}

describe('the fingerprint', () => {
  test('is another one after each change, and never one that was there before', async () => {
    const scratch = newFolder()
    const seen = new Map([[(await scratch.look()).fingerprint, 'the beginning']])
    for (const [what, change] of Object.entries(changes)) {
      change(scratch)
      const { fingerprint } = await scratch.look()
      expect([what, seen.get(fingerprint)]).toEqual([what, undefined])
      expect([what, (await scratch.look()).fingerprint]).toEqual([what, fingerprint])
      seen.set(fingerprint, what)
    }
  })

  test('stays when nothing but dates, ignored files, branches or the files of runs change', async () => {
    const { look, write, at, git } = newFolder()
    write('a.txt', 'changed\n')
    write('new.txt', 'new\n')
    const before = await look()
    expect(before.dirty).toBe(2)
    for (const path of ['a.txt', 'new.txt', 'sub/b.txt']) fs.utimesSync(at(path), 1, 1)
    write('ignored/x', 'x')
    write('debug.log', 'x')
    for (const folder of ['.pawl/runs/1', '.pawl/state/x', '.rooda/runs/1', 'sub/.pawl/runs/2'])
      write(`${folder}/y`, 'y')
    git('checkout', '-q', '-b', 'other')
    git('stash', 'list')
    expect(await look()).toEqual({ ...before, branch: 'other' })
    write('.pawl/config.yml', 'x: 1\n')
    expect((await look()).fingerprint).not.toBe(before.fingerprint)
  })

  test('goes back with the content', async () => {
    const { look, write, git } = newFolder()
    const before = await look()
    write('a.txt', 'changed\n')
    write('new.txt', 'new\n')
    expect((await look()).fingerprint).not.toBe(before.fingerprint)
    git('checkout', '-q', 'a.txt')
    git('clean', '-fdq')
    expect(await look()).toEqual(before)
  })

  test('sees content that keeps size and date, of clean, changed, new and big files', async () => {
    const { look, write, at, commit } = newFolder()
    const big = 'x'.repeat(300 * 1024)
    write('clean.txt', 'aaaa')
    write('big.txt', big)
    commit('more')
    const past = new Date(2020, 1, 1)
    const same = (path: string, text: string): void => {
      fs.writeFileSync(at(path), text)
      fs.utimesSync(at(path), past, past)
    }
    same('a.txt', 'odd\n')
    same('new.txt', 'new\n')
    same('clean.txt', 'aaaa')
    same('big.txt', `y${big.slice(1)}`)
    let last = await look()
    for (const [path, text] of [
      ['a.txt', 'ODD\n'],
      ['new.txt', 'NEW\n'],
      ['clean.txt', 'bbbb'],
      ['big.txt', `z${big.slice(1)}`],
    ] as const) {
      same(path, text)
      const now = await look()
      expect([path, now.fingerprint]).not.toEqual([path, last.fingerprint])
      last = now
    }
  })

  test('sees what happens inside a submodule and inside a repository that is none', async () => {
    const { home, look, gitIn, git, write, commit, at } = newFolder()
    const library = join(home, 'library')
    gitIn(home, 'init', '-q', library)
    fs.writeFileSync(join(library, 'l.txt'), 'l\n')
    gitIn(library, 'add', '-A')
    gitIn(library, 'commit', '-q', '-m', 'l')
    git('submodule', '--quiet', 'add', library, 'vendor/lib "q"')
    commit('with a submodule')
    gitIn(home, 'clone', '-q', library, at('stray'))
    let last = await look()
    expect(last.dirty).toBe(1)
    for (const folder of [at('vendor/lib "q"'), at('stray')]) {
      for (const step of ['l.txt', 'l.txt', 'new.txt', 'new.txt']) {
        fs.appendFileSync(join(folder, step), 'more\n')
        const now = await look()
        expect(now.fingerprint).not.toBe(last.fingerprint)
        expect((await look()).fingerprint).toBe(now.fingerprint)
        last = now
      }
      gitIn(folder, 'add', '-A')
      gitIn(folder, 'commit', '-q', '-m', 'inside')
      expect((await look()).fingerprint).not.toBe(last.fingerprint)
      last = await look()
    }
    write('a.txt', 'x\n')
    expect((await look()).dirty).toBe(3)
  })
})

describe('a look', () => {
  test('tells commit, branch and how many files differ', async () => {
    const { look, git, write } = newFolder()
    const head = git('rev-parse', 'HEAD')
    write('a.txt', 'x\n')
    write('new 1.txt', 'x\n')
    expect(await look()).toMatchObject({ head, branch: 'main', dirty: 2 })
    git('checkout', '-q', '--detach')
    expect(await look()).toMatchObject({ head, branch: null, dirty: 2 })
  })

  test('works before the first commit, in a linked work tree and in a subfolder of the repository', async () => {
    const empty = newFolder({ git: false })
    empty.git('init', '-q', '-b', 'trunk')
    const before = await empty.look()
    expect(before).toMatchObject({ head: null, branch: 'trunk', dirty: 0 })
    empty.write('x', 'x')
    expect((await empty.look()).fingerprint).not.toBe(before.fingerprint)

    const { home, git, look, folder, write } = newFolder()
    const tree = join(home, 'tree')
    git('worktree', 'add', '-q', '-b', 'side', tree)
    const side = await look(tree)
    expect(side).toMatchObject({ branch: 'side', dirty: 0 })
    fs.writeFileSync(join(tree, 'a.txt'), 'side\n')
    expect(await look(tree)).toMatchObject({ dirty: 1 })
    expect(await look()).toMatchObject({ branch: 'main', dirty: 0 })
    write('a.txt', 'x')
    expect(await look(join(folder, 'sub'))).toEqual(await look())
  })

  test('takes every name that a file can have', async () => {
    const { look, at, folder } = newFolder()
    const names = ['new\nline', '"quoted"', ' blank ', "it's", 'ünï漢👍', '-dash', 'a -> b', '\t', '? x', '1 .M x'].map(
      (name) => Buffer.from(`${folder}/${name}`),
    )
    names.push(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0xfe, 0x41])]))
    for (const name of names) fs.writeFileSync(name, 'x\n')
    let last = await look()
    expect(last.dirty).toBe(names.length)
    for (const name of names) {
      fs.writeFileSync(name, 'changed\n')
      const now = await look()
      expect([String(name), now.fingerprint]).not.toEqual([String(name), last.fingerprint])
      last = now
    }
    expect(fs.existsSync(at('a.txt'))).toBe(true)
  })

  test('waits for no lock and takes none', async () => {
    const { look, at, write } = newFolder()
    const index = fs.readFileSync(at('.git/index'))
    fs.utimesSync(at('a.txt'), 5, 5)
    fs.writeFileSync(at('.git/index.lock'), '')
    write('new', 'x')
    expect(await look()).toMatchObject({ dirty: 1 })
    fs.rmSync(at('.git/index.lock'))
    await look()
    expect(fs.readFileSync(at('.git/index')).equals(index)).toBe(true)
  })

  test('runs nothing that the repository names, and looks where it is told to look', async () => {
    const { look, at, git, home, write, commit, repository } = newFolder()
    write('.gitattributes', '*.txt filter=evil diff=evil\n*.md filter="o=dd.name"\n')
    write('c.md', 'c\n')
    const base = commit('attributes')
    const trap = join(home, 'trap')
    const sprung = join(home, 'sprung')
    fs.writeFileSync(trap, `#!/bin/sh\necho "$0 $*" >>'${sprung}'\ncat\n`, { mode: 0o755 })
    for (const key of ['core.fsmonitor', 'core.pager', 'pager.status', 'pager.diff', 'diff.external', 'gpg.program']) {
      git('config', key, trap)
    }
    for (const key of ['clean', 'smudge', 'process']) {
      git('config', `filter.evil.${key}`, trap)
      git('config', `filter.o=dd.name.${key}`, trap)
    }
    git('config', 'filter.evil.required', 'true')
    for (const key of ['command', 'textconv']) git('config', `diff.evil.${key}`, trap)
    git('config', 'alias.status', `!${trap}`)
    git('config', 'log.showSignature', 'true')
    git('config', 'core.hooksPath', '.git/hooks')
    for (const hook of ['post-index-change', 'fsmonitor-watchman', 'pre-commit']) {
      fs.mkdirSync(at('.git/hooks'), { recursive: true })
      fs.copyFileSync(trap, at(`.git/hooks/${hook}`))
    }
    git('config', 'core.worktree', home)
    for (const name of ['a.txt', 'c.md']) fs.writeFileSync(at(name), 'changed, of another size\n')
    expect(await look()).toMatchObject({ head: base, dirty: 2 })
    expect(await repository().changesSince(base)).toMatchObject({ totalFiles: 2, added: 2, deleted: 2 })
    expect(fs.existsSync(sprung)).toBe(false)
  })

  test('a .git file that leads elsewhere, by a name with a blank at its end, silences filters all the same', async () => {
    const { look, at, git, home, write, commit } = newFolder()
    write('.gitattributes', '*.txt filter=evil\n')
    commit('attributes')
    const sprung = join(home, 'sprung')
    git('config', 'filter.evil.clean', `touch '${sprung}'; cat`)
    fs.renameSync(at('.git'), join(home, 'hidden '))
    fs.writeFileSync(at('.git'), `gitdir: ${join(home, 'hidden ')}\n`)
    fs.appendFileSync(at('a.txt'), 'more\n')
    expect(await look()).toMatchObject({ dirty: 1 })
    expect(fs.existsSync(sprung)).toBe(false)
  })

  test('a file that was checked out through a filter a moment ago is not dirty', async () => {
    const { look, at, git, write, commit } = newFolder()
    git('config', 'filter.case.clean', 'tr A-Z a-z')
    git('config', 'filter.case.smudge', 'tr a-z A-Z')
    write('.gitattributes', '*.up filter=case\n')
    write('x.up', 'ONE\n')
    commit('attributes')
    for (let time = 0; time < 5; time++) {
      fs.rmSync(at('x.up'))
      git('checkout', '--', 'x.up')
      expect(await look()).toMatchObject({ dirty: 0 })
    }
    fs.appendFileSync(at('x.up'), 'MORE\n')
    expect(await look()).toMatchObject({ dirty: 1 })
  })

  test('is not led astray by variables of its surroundings', async () => {
    const { repository, env, folder, look } = newFolder()
    const other = newFolder()
    const led = { GIT_DIR: other.at('.git'), GIT_WORK_TREE: other.folder, GIT_INDEX_FILE: other.at('.git/index') }
    expect(await repository(folder, { ...env, ...led }).look()).toEqual(await look())
  })

  test('does without git: a folder is walked, with and without .git', async () => {
    const plain = newFolder({ git: false })
    plain.write('x/y.txt', 'one')
    const before = await plain.look()
    expect(before).toMatchObject({ head: null, branch: null, dirty: 0 })
    for (const path of ['node_modules/a', '.pawl/runs/a', '.git-not']) plain.write(path, 'x')
    expect((await plain.look()).fingerprint).not.toBe(before.fingerprint)
    fs.rmSync(plain.at('.git-not'))
    expect(await plain.look()).toEqual(before)
    plain.write('x/y.txt', 'two')
    expect((await plain.look()).fingerprint).not.toBe(before.fingerprint)

    const { repository, folder, env, write } = newFolder()
    const without = repository(folder, { ...env, PATH: '/nowhere' })
    const first = await without.look()
    expect(first).toMatchObject({ head: null, branch: null })
    write('a.txt', 'changed')
    expect((await without.look())?.fingerprint).not.toBe(first?.fingerprint)
    expect(await without.changesSince(null)).toBeUndefined()
  })

  test('a repository that git cannot read is walked as well, with what git says about it', async () => {
    const { look, write, repository, folder, env } = newFolder()
    expect(await look()).not.toHaveProperty('problem')
    write('.git/config', '[core\n')
    expect(await look()).toMatchObject({ branch: null, problem: 'fatal: bad config line 1 in file .git/config' })
    const without = await repository(folder, { ...env, PATH: '/nowhere' }).look()
    expect(without?.problem).toMatch(/git/)
  })

  test('a pipe among the files holds nobody up', async () => {
    const { at, look, write } = newFolder()
    execFileSync('mkfifo', [at('pipe')])
    fs.rmSync(at('a.txt'))
    execFileSync('mkfifo', [at('a.txt')])
    write('x', 'x')
    expect((await look()).fingerprint).toBe((await look()).fingerprint)
  })
})
