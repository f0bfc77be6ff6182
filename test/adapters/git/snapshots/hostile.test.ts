import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { newRepository } from './scratch.ts'

type Scratch = ReturnType<typeof newRepository>

/** A program that leaves a mark when anybody starts it. */
function setTrap({ home }: Scratch) {
  const [trap, sprung] = [join(home, 'trap'), join(home, 'sprung')]
  fs.writeFileSync(trap, `#!/bin/sh\necho "$0 $*" >>'${sprung}'\ncat\n`, { mode: 0o755 })
  return { trap, marks: (): string => (fs.existsSync(sprung) ? fs.readFileSync(sprung, 'utf8') : '') }
}

/** Every effect once, on files with all the attributes there are. */
async function useAll(scratch: Scratch): Promise<void> {
  await useSnapshots(scratch)
  await usePaths(scratch)
}

async function usePaths({ openPaths, write, git }: Scratch): Promise<void> {
  const paths = openPaths()
  write('docs/ü.txt', 'ü\n')
  expect(await paths.listUncommitted('docs')).toEqual(['docs/ü.txt'])
  expect(await paths.listUncommitted('')).toContain('docs/ü.txt')
  const head = git('rev-parse', 'HEAD')
  const content = Buffer.from('ü\n')
  const changes = [{ path: 'docs/ü.txt', content }]
  const id = (await paths.commit({ changes, subject: 'docs', trailers: { 'Pawl-Run': 'paths' } }))!
  expect(await paths.log('docs', ['Pawl-Run'])).toMatchObject([{ id, trailers: { 'Pawl-Run': 'paths' } }])
  expect(await paths.changedSince(head, 'docs/ü.txt')).toMatchObject([{ id, subject: 'docs' }])
  expect(await paths.changes(id)).toEqual([{ path: 'docs/ü.txt', before: null, after: content }])
  expect([await paths.read('HEAD', 'docs/ü.txt'), await paths.listUncommitted('docs')]).toEqual([content, []])
}

async function useSnapshots({ snapshots, write, storyOf, find, at }: Scratch): Promise<void> {
  const kept = await storyOf(() => {
    write('a.txt', 'one\nstory\n')
    write('new.dat', 'new\n')
    write('.gitmodules', '[submodule "x"]\n\tpath = x\n\turl = ext::sh -c touch%20sprung\n\tupdate = !touch sprung\n')
  })
  await snapshots.difference(kept.from, kept.to)
  expect(await snapshots.read(kept.to, 'a.txt')).toBe('one\nstory\n')
  await snapshots.keep(kept)
  const id = await snapshots.commit(kept, undefined)
  expect(await find('run-1/S1')).toBe(id)
  expect(await snapshots.findLost([kept])).toEqual([])
  const again = await storyOf(() => write('a.txt', 'before\none\nstory\n'), 'run-1/S2')
  await snapshots.commit(again, undefined)
  await snapshots.restore(kept.from, ['a.txt', 'new.dat'])
  expect(fs.readFileSync(at('a.txt'), 'utf8')).toBe('one\n')
  await snapshots.restore(again.to, ['a.txt', 'new.dat'])
  await snapshots.undo(id!, { commit: true, key: 'run-1/S1', subject: 'undo' })
  expect([fs.readFileSync(at('a.txt'), 'utf8'), fs.existsSync(at('new.dat'))]).toEqual(['before\none\n', false])
}

const hooks = [
  'applypatch-msg',
  'commit-msg',
  'fsmonitor-watchman',
  'post-checkout',
  'post-commit',
  'post-index-change',
  'post-merge',
  'post-rewrite',
  'pre-auto-gc',
  'pre-commit',
  'pre-merge-commit',
  'prepare-commit-msg',
  'reference-transaction',
]

const tricks: Record<string, (scratch: Scratch, trap: string) => void> = {
  'hooks in the repository': ({ at }, trap) => {
    fs.mkdirSync(at('.git/hooks'), { recursive: true })
    for (const hook of hooks) fs.copyFileSync(trap, at(`.git/hooks/${hook}`))
  },
  'hooks in a folder that the configuration names': ({ git, home }, trap) => {
    fs.mkdirSync(join(home, 'hooks'))
    for (const hook of hooks) fs.copyFileSync(trap, join(home, 'hooks', hook))
    git('config', 'core.hooksPath', join(home, 'hooks'))
  },
  'a file system monitor': ({ git }, trap) => {
    git('config', 'core.fsmonitor', trap)
    git('config', 'core.untrackedCache', 'true')
  },
  'programs that compare and show': ({ git, write, commit }, trap) => {
    write('.gitattributes', '* diff=evil\n')
    commit('attributes')
    git('config', 'diff.external', trap)
    for (const key of ['command', 'textconv']) git('config', `diff.evil.${key}`, trap)
    for (const key of ['core.pager', 'pager.diff-tree', 'pager.log', 'interactive.diffFilter']) git('config', key, trap)
    git('config', 'color.ui', 'always')
    git('config', 'diff.noprefix', 'true')
    git('config', 'diff.submodule', 'log')
  },
  'a merge driver': ({ git, write, commit }, trap) => {
    write('.gitattributes', '* merge=evil\n')
    commit('attributes')
    git('config', 'merge.evil.driver', `${trap} %A`)
    git('config', 'merge.evil.recursive', 'evil')
    git('config', 'merge.default', 'evil')
  },
  signatures: ({ git }, trap) => {
    for (const key of ['gpg.program', 'gpg.ssh.program', 'gpg.ssh.defaultKeyCommand', 'gpg.x509.program'])
      git('config', key, trap)
    for (const key of ['commit.gpgSign', 'tag.gpgSign', 'log.showSignature', 'merge.verifySignatures'])
      git('config', key, 'true')
    git('config', 'user.signingKey', 'key')
  },
  'editors, aliases and trailers': ({ git }, trap) => {
    for (const key of ['core.editor', 'sequence.editor', 'core.askPass', 'core.alternateRefsCommand'])
      git('config', key, trap)
    for (const name of ['add', 'log', 'commit-tree', 'update-ref', 'var']) git('config', `alias.${name}`, `!${trap}`)
    for (const key of ['command', 'cmd']) git('config', `trailer.Pawl-Run.${key}`, trap)
    git('config', 'trailer.separators', '%')
    git('config', 'commit.template', '/nowhere')
    git('config', 'i18n.commitEncoding', 'latin1')
  },
  'a work tree elsewhere': ({ git, home }) => {
    fs.mkdirSync(join(home, 'elsewhere'))
    git('config', 'core.worktree', join(home, 'elsewhere'))
  },
  'a filter by a file that the configuration includes': ({ git, write, commit, home }, trap) => {
    fs.writeFileSync(join(home, 'attributes'), '*.md filter=evil\n')
    write('.gitattributes', '*.md filter=evil\n')
    write('c.md', 'c\n')
    commit('attributes')
    const text = ['clean', 'smudge', 'process'].map((key) => `\t${key} = ${trap}\n`).join('')
    fs.writeFileSync(join(home, 'more'), `[filter "evil"]\n${text}\trequired = true\n`)
    git('config', 'include.path', join(home, 'more'))
    git('config', 'core.attributesFile', join(home, 'attributes'))
    write('c.md', 'changed\n')
  },
  'a filter of the user that the repository replaces': ({ git, write, commit }, trap) => {
    write('.gitattributes', '*.md filter=lfs\n')
    write('c.md', 'c\n')
    commit('attributes')
    git('config', '--global', 'filter.lfs.clean', 'cat')
    for (const key of ['clean', 'smudge', 'process']) git('config', `filter.lfs.${key}`, trap)
    write('c.md', 'changed\n')
  },
  'programs that Git LFS would start': ({ git, write, commit }, trap) => {
    write('.gitattributes', '*.md filter=lfs\n')
    write('c.md', 'c\n')
    commit('attributes')
    // Stands for Git LFS, which reads the config of the repository.
    git('config', '--global', 'filter.lfs.clean', 'sh -c "$(git config lfs.extension.evil.clean)"')
    git('config', 'lfs.extension.evil.clean', trap)
    write('c.md', 'changed\n')
  },
  'a remote that objects would be fetched from': ({ git }, trap) => {
    git('config', 'remote.origin.url', `ext::${trap}`)
    git('config', 'remote.origin.promisor', 'true')
    git('config', 'protocol.ext.allow', 'always')
    git('config', 'extensions.partialClone', 'origin')
    git('config', 'core.repositoryFormatVersion', '1')
  },
  'settings that would spoil what is written': ({ git }) => {
    git('config', 'core.splitIndex', 'true')
    git('config', 'core.ignoreStat', 'true')
    git('config', 'core.safecrlf', 'true')
    git('config', 'core.autocrlf', 'input')
    git('config', 'add.ignoreErrors', 'true')
    git('config', 'submodule.recurse', 'true')
    git('config', 'diff.ignoreSubmodules', 'all')
    git('config', 'core.logAllRefUpdates', 'always')
    git('config', 'log.follow', 'true')
    git('config', 'status.showUntrackedFiles', 'no')
    git('update-index', '--split-index')
  },
}

describe('whatever a repository names, nothing of it is started, and all is written where it belongs', () => {
  for (const [what, trick] of Object.entries(tricks)) {
    test(what, async () => {
      const scratch = newRepository()
      const { trap, marks } = setTrap(scratch)
      trick(scratch, trap)
      await useAll(scratch)
      expect(marks()).toBe('')
      expect(fs.existsSync(scratch.at('sprung'))).toBe(false)
      expect(scratch.leftovers()).toEqual([])
      if (what === 'a work tree elsewhere') expect(fs.readdirSync(join(scratch.home, 'elsewhere'))).toEqual([])
    })
  }

  test('the trap works: git itself would start it', () => {
    const scratch = newRepository()
    const { trap, marks } = setTrap(scratch)
    tricks['a file system monitor']?.(scratch, trap)
    scratch.git('status')
    expect(marks()).not.toBe('')
  })

  test('a file that a filter stands for is put back as it was, and the filter is not asked', async () => {
    const scratch = newRepository()
    const { git, write, commit, storyOf, snapshots, at } = scratch
    const { trap, marks } = setTrap(scratch)
    write('.gitattributes', '*.md filter=evil\n')
    write('c.md', 'c\n')
    commit('attributes')
    for (const key of ['clean', 'smudge', 'process']) git('config', `filter.evil.${key}`, trap)
    const { from } = await storyOf(() => write('c.md', 'changed\n'))
    await snapshots.restore(from, ['c.md'])
    expect([fs.readFileSync(at('c.md'), 'utf8'), marks()]).toEqual(['c\n', ''])
  })

  test('a missing object is told and not fetched', async () => {
    const scratch = newRepository()
    const { trap, marks } = setTrap(scratch)
    tricks['a remote that objects would be fetched from']?.(scratch, trap)
    const tree = await scratch.snapshots.take()
    const missing = '0123456789012345678901234567890123456789'
    await expect(scratch.snapshots.difference(tree, missing)).rejects.toThrow(/git diff-tree/)
    expect(marks()).toBe('')
  })

  test('objects that are replaced by others do not deceive', async () => {
    const { git, write, commit, snapshots } = newRepository()
    const tree = await snapshots.take()
    const [one, other] = [git('rev-parse', 'HEAD:a.txt'), git('rev-parse', 'HEAD:sub/b.txt')]
    git('replace', one, other)
    expect(await snapshots.read(tree, 'a.txt')).toBe('one\n')
    write('x', 'x')
    commit('x')
    expect(await snapshots.read(await snapshots.take(), 'a.txt')).toBe('one\n')
  })

  test('variables of the surroundings lead nobody astray, but name who commits', async () => {
    const { open, folder, env, storyOf, write, git } = newRepository()
    const other = newRepository()
    const led = { GIT_DIR: other.at('.git'), GIT_WORK_TREE: other.folder, GIT_INDEX_FILE: other.at('.git/index') }
    const who = { GIT_AUTHOR_NAME: 'Eve', GIT_AUTHOR_EMAIL: 'eve@example.com' }
    const kept = await storyOf(() => write('x', 'x\n'))
    const id = await open(folder, { env: { ...env, ...led, ...who } }).commit(kept, undefined)
    expect(git('log', '-1', '--format=%H %an %cn')).toBe(`${id} Eve Ada`)
    expect(other.status()).toEqual([])
  })
})
