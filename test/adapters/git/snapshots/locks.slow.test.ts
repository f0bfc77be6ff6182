import * as fs from 'node:fs'
import { describe, expect, test } from 'vitest'
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

  test('a ref that is locked is waited for, then told', async () => {
    const { snapshots, write, storyOf, at, leftovers } = newRepository()
    const kept = await storyOf(() => write('x', 'x\n'))
    fs.mkdirSync(at('.git/refs/pawl/run-1'), { recursive: true })
    fs.writeFileSync(at('.git/refs/pawl/run-1/S1.lock'), '')
    const keeping = snapshots.keep(kept)
    setTimeout(() => fs.rmSync(at('.git/refs/pawl/run-1/S1.lock')), 300)
    expect(await keeping).toMatch(/^[0-9a-f]{40}$/)
    fs.writeFileSync(at('.git/refs/pawl/run-1/S1.lock'), '')
    await expect(snapshots.keep(await storyOf(() => write('x', 'y\n')))).rejects.toThrow(/S1\.lock/)
    expect(fs.existsSync(at('.git/refs/pawl/run-1/S1.lock'))).toBe(true)
    expect(leftovers()).toEqual([])
  })
})
