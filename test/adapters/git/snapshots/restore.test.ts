import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { RepositoryBlockedError } from '../../../../src/ports/snapshots.ts'
import { newRepository } from './scratch.ts'

describe('paths put back to a snapshot', () => {
  test('content, modes and links are as they were, new files are gone, nothing else is touched', async () => {
    const { snapshots, write, at, storyOf, status, leftovers, git } = newRepository()
    write('run.sh', '#!/bin/sh\n')
    fs.chmodSync(at('run.sh'), 0o755)
    fs.symlinkSync('a.txt', at('link'))
    write('new [1].txt', 'uncommitted\n')
    git('add', 'run.sh')
    const before = status()
    const { from, to } = await storyOf(() => {
      write('a.txt', 'changed\n')
      write('new [1].txt', 'changed\n')
      fs.chmodSync(at('run.sh'), 0o644)
      fs.rmSync(at('link'))
      write('link', 'now a file\n')
      fs.rmSync(at('sub'), { recursive: true })
      write('deep/er/x.txt', 'x\n')
      write('other.txt', 'stays\n')
      write('ignored/x', 'x')
      write('*.txt', 'star\n')
    })
    const index = fs.readFileSync(at('.git/index'))
    const paths = (await snapshots.difference(from, to)).files
      .map(({ path }) => path)
      .filter((path) => path !== 'other.txt')
    await snapshots.restore(from, paths)
    expect(fs.readFileSync(at('.git/index')).equals(index)).toBe(true)
    expect((await snapshots.difference(from, await snapshots.take())).files.map(({ path }) => path)).toEqual([
      'other.txt',
    ])
    expect(status().sort()).toEqual([...before, '?? other.txt'].sort())
    expect([fs.readlinkSync(at('link')), fs.statSync(at('run.sh')).mode & 0o111]).toEqual(['a.txt', 0o111])
    expect([fs.existsSync(at('deep')), fs.existsSync(at('ignored/x')), leftovers()]).toEqual([false, true, []])
  })

  test('a file that became a folder and a folder that became a file come back', async () => {
    const { snapshots, write, at, storyOf } = newRepository()
    const { from, to } = await storyOf(() => {
      fs.rmSync(at('a.txt'))
      write('a.txt/inside', 'x\n')
      fs.rmSync(at('sub'), { recursive: true })
      write('sub', 'x\n')
    })
    await snapshots.restore(
      from,
      (await snapshots.difference(from, to)).files.map(({ path }) => path),
    )
    expect(await snapshots.take()).toBe(from)
    await snapshots.restore(
      to,
      (await snapshots.difference(from, to)).files.map(({ path }) => path),
    )
    expect(await snapshots.take()).toBe(to)
  })

  test('nothing is written or removed behind a link that leads out of the work tree', async () => {
    const { snapshots, at, home, storyOf, write } = newRepository()
    write('sub/new.txt', 'n\n')
    const outside = join(home, 'outside')
    fs.mkdirSync(outside)
    fs.writeFileSync(join(outside, 'b.txt'), 'outside\n')
    fs.writeFileSync(join(outside, 'more.txt'), 'outside\n')
    const { from, to } = await storyOf(() => {
      fs.rmSync(at('sub'), { recursive: true })
      fs.symlinkSync(outside, at('sub'))
    })
    await expect(snapshots.restore(from, ['sub/b.txt'])).rejects.toThrow(/sub is no longer a folder/)
    await snapshots.restore(from, ['sub/more.txt'])
    await snapshots.restore(to, ['sub/new.txt'])
    expect(fs.readdirSync(outside)).toEqual(['b.txt', 'more.txt'])
    expect(fs.readFileSync(join(outside, 'b.txt'), 'utf8')).toBe('outside\n')
    await snapshots.restore(
      from,
      (await snapshots.difference(from, to)).files.map(({ path }) => path),
    )
    expect(await snapshots.take()).toBe(from)
    expect([fs.lstatSync(at('sub')).isDirectory(), fs.readdirSync(outside)]).toEqual([true, ['b.txt', 'more.txt']])
  })

  test('a file in the place of a folder is left, and said, however deep the path is', async () => {
    const { snapshots, at, storyOf, write } = newRepository()
    write('deep/er/c.txt', 'c\n')
    const { from } = await storyOf(() => {
      fs.rmSync(at('deep'), { recursive: true })
      write('deep', 'a file now\n')
    })
    await expect(snapshots.restore(from, ['deep/er/c.txt'])).rejects.toThrow(/deep is no longer a folder/)
    expect(fs.readFileSync(at('deep'), 'utf8')).toBe('a file now\n')
  })

  test('a folder with other things in it is left, and said', async () => {
    const { snapshots, at, storyOf, write, gitIn } = newRepository()
    const { from } = await storyOf(() => {
      fs.rmSync(at('a.txt'))
      write('a.txt/debug.log', 'ignored\n')
    })
    await expect(snapshots.restore(from, ['a.txt'])).rejects.toThrow(/a folder has that name now/)
    expect(fs.existsSync(at('a.txt/debug.log'))).toBe(true)
    fs.mkdirSync(at('stray'))
    gitIn(at('stray'), 'init', '-q')
    gitIn(at('stray'), 'commit', '-q', '--allow-empty', '-m', 'x')
    await expect(snapshots.restore(from, ['stray'])).rejects.toThrow(/not removed.*stray/)
    expect(fs.existsSync(at('stray/.git'))).toBe(true)
  })

  test('what git ignores stays, and paths that are none are refused', async () => {
    const { snapshots, at, write } = newRepository()
    write('debug.log', 'x')
    const tree = await snapshots.take()
    await snapshots.restore(tree, ['debug.log', 'not/there'])
    expect(fs.existsSync(at('debug.log'))).toBe(true)
    for (const path of ['../x', '/etc/x', '.git/config', 'sub/.GIT/x', 'a//b', './a.txt', '', 'a\0b', '.pawl/runs/1/x'])
      await expect(snapshots.restore(tree, [path])).rejects.toBeInstanceOf(RepositoryBlockedError)
  })
})
