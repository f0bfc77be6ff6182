import { spawn } from 'node:child_process'
import * as fs from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { isWhole } from '../../../support/sample.ts'
import { newRepository } from './scratch.ts'

describe.runIf(isWhole)('a lock of another git', () => {
  test('a lock of the index that stays: named, not removed, and nothing is committed', async () => {
    const { snapshots, storyOf, write, git, at } = newRepository()
    const kept = await storyOf(() => write('a.txt', 'x\n'))
    const head = git('rev-parse', 'HEAD')
    fs.writeFileSync(at('.git/index.lock'), '')
    await expect(snapshots.commit(kept, undefined)).rejects.toThrow(/index\.lock exists.*remove that file/)
    expect([git('rev-parse', 'HEAD'), fs.existsSync(at('.git/index.lock'))]).toEqual([head, true])
    const waiting = snapshots.commit(kept, undefined)
    setTimeout(() => fs.rmSync(at('.git/index.lock')), 500)
    expect(await waiting).toBe(git('rev-parse', 'HEAD'))
  })

  test('a lock of a ref of our own: waited for, then removed, because only the owner of a run moves its refs', async () => {
    const { snapshots, write, storyOf, at, leftovers } = newRepository()
    const kept = await storyOf(() => write('x', 'x\n'))
    fs.mkdirSync(at('.git/refs/pawl/run-1'), { recursive: true })
    fs.writeFileSync(at('.git/refs/pawl/run-1/S1.lock'), '')
    const keeping = snapshots.keep(kept)
    setTimeout(() => fs.rmSync(at('.git/refs/pawl/run-1/S1.lock')), 300)
    expect(await keeping).toMatch(/^[0-9a-f]{40}$/)
    fs.writeFileSync(at('.git/refs/pawl/run-1/S1.lock'), '')
    expect(await snapshots.keep(await storyOf(() => write('x', 'y\n')))).toMatch(/^[0-9a-f]{40}$/)
    expect(leftovers()).toEqual([])
  })

  test('a lock of the branch that stays: named and not removed', async () => {
    const { snapshots, storyOf, write, git, at } = newRepository()
    const kept = await storyOf(() => write('a.txt', 'x\n'))
    const lock = at(`.git/${git('symbolic-ref', 'HEAD')}.lock`)
    fs.writeFileSync(lock, '')
    await expect(snapshots.commit(kept, undefined)).rejects.toThrow(/cannot be moved.*remove the lock file/)
    expect(fs.existsSync(lock)).toBe(true)
  })

  test('locks from before the machine started are removed', async () => {
    const { snapshots, storyOf, write, git, at } = newRepository()
    const kept = await storyOf(() => write('a.txt', 'x\n'))
    for (const lock of ['index.lock', 'HEAD.lock', `${git('symbolic-ref', 'HEAD')}.lock`].map((name) =>
      at(`.git/${name}`),
    )) {
      fs.writeFileSync(lock, '')
      fs.utimesSync(lock, 1_000_000_000, 1_000_000_000)
    }
    expect(await snapshots.commit(kept, undefined)).toBe(git('rev-parse', 'HEAD'))
  })

  test('an old lock stays while a git works in the repository', async () => {
    const { snapshots, storyOf, write, git, at, folder } = newRepository()
    const kept = await storyOf(() => write('a.txt', 'x\n'))
    const lock = at(`.git/${git('symbolic-ref', 'HEAD')}.lock`)
    fs.writeFileSync(lock, '')
    fs.utimesSync(lock, 1_000_000_000, 1_000_000_000)
    const running = spawn('git', ['cat-file', '--batch'], { cwd: folder })
    onTestFinished(() => void running.kill())
    await expect(snapshots.commit(kept, undefined)).rejects.toThrow(/cannot be moved/)
    expect(fs.existsSync(lock)).toBe(true)
  })
})
