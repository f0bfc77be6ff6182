import * as fs from 'node:fs'
import { describe, expect, test } from 'vitest'
import { newRepository } from './scratch.ts'

const lines = (...changed: readonly [number, string][]): string =>
  Array.from({ length: 20 }, (_, at) => changed.find(([line]) => line === at)?.[1] ?? `line ${at}`).join('\n')

/** Two stories on one file, far from each other, the first also with a file of its own. */
async function twoStories(format = 'sha1') {
  const scratch = newRepository({ format })
  const { write, commit, storyOf, snapshots } = scratch
  write('long.txt', lines())
  write('old.txt', 'old\n')
  commit('long')
  const deliver = async (key: string, work: () => void): Promise<string> =>
    (await snapshots.commit(await storyOf(work, key), undefined))!
  const first = await deliver('run-1/S1', () => {
    write('long.txt', lines([2, 'first']))
    write('own/new.txt', 'n\n')
    fs.rmSync(scratch.at('old.txt'))
  })
  const second = await deliver('run-1/S2', () => write('long.txt', lines([2, 'first'], [17, 'second'])))
  return { ...scratch, deliver, first, second }
}
const taking = { commit: true, key: 'run-1/S1', subject: 'Undo S1' }

describe('a story that is taken back', () => {
  test.each(['sha1', 'sha256'])('its changes are gone, later ones and uncommitted ones stay (%s)', async (format) => {
    const { snapshots, first, git, write, at, status, leftovers } = await twoStories(format)
    write('a.txt', 'uncommitted\n')
    write('staged.txt', 's\n')
    git('add', 'staged.txt')
    const id = await snapshots.undo(first, taking)
    expect(id).toBe(git('rev-parse', 'HEAD'))
    expect(fs.readFileSync(at('long.txt'), 'utf8')).toBe(lines([17, 'second']))
    expect([fs.existsSync(at('own')), fs.readFileSync(at('old.txt'), 'utf8')]).toEqual([false, 'old\n'])
    expect(status()).toEqual([' M a.txt', 'A  staged.txt'])
    expect(git('log', '-1', '--format=%B')).toBe(`Undo S1\n\nThis takes back ${first}.\n\nPawl-Undo: run-1/S1`)
    expect([await snapshots.undo(first, taking), git('rev-parse', 'HEAD')]).toEqual([id, id])
    expect(leftovers()).toEqual([])
  })

  test('without a commit only the files change, and the same again is no error', async () => {
    const { snapshots, first, second, git, at, status } = await twoStories()
    for (let round = 0; round < 2; round++) {
      expect(await snapshots.undo(first, { ...taking, commit: false })).toBeNull()
      expect(git('rev-parse', 'HEAD')).toBe(second)
      expect(status()).toEqual([' M long.txt', ' D own/new.txt', '?? old.txt'])
      expect(fs.readFileSync(at('long.txt'), 'utf8')).toBe(lines([17, 'second']))
    }
    expect(await snapshots.undo(first, taking)).toBe(git('rev-parse', 'HEAD'))
    expect(status()).toEqual([])
  })

  test('is refused where something later builds on it, or where its files were edited since', async () => {
    const { snapshots, first, git, write, at, deliver, status } = await twoStories()
    write('long.txt', 'edited\n')
    const [head, before] = [git('rev-parse', 'HEAD'), status()]
    await expect(snapshots.undo(first, taking)).rejects.toThrow(/changed since and not committed: long\.txt\./)
    expect([git('rev-parse', 'HEAD'), status(), fs.existsSync(at('own/new.txt'))]).toEqual([head, before, true])
    git('checkout', '-q', 'long.txt')
    const third = await deliver('run-1/S3', () => write('long.txt', lines([2, 'third'], [17, 'second'])))
    await expect(snapshots.undo(first, taking)).rejects.toThrow(/later changes build on it in long\.txt/)
    expect([git('rev-parse', 'HEAD'), status()]).toEqual([third, []])
    await snapshots.undo(third, { ...taking, key: 'run-1/S3' })
    await snapshots.undo(first, taking)
    expect(fs.readFileSync(at('long.txt'), 'utf8')).toBe(lines([17, 'second']))
  })

  test('modes and binary files: the executable bit is merged, bytes are not', async () => {
    const { snapshots, git, write, at, deliver } = await twoStories()
    write('blob', Buffer.from([0, 1, 2]))
    git('add', 'blob')
    git('commit', '-q', '-m', 'blob')
    const id = await deliver('run-1/S4', () => {
      fs.chmodSync(at('a.txt'), 0o755)
      write('blob', Buffer.from([0, 1, 3]))
    })
    await deliver('run-1/S5', () => write('a.txt', 'later\n'))
    const next = await deliver('run-1/S6', () => write('blob', Buffer.from([0, 1, 4])))
    await expect(snapshots.undo(id, { ...taking, key: 'run-1/S4' })).rejects.toThrow(/in blob:/)
    await snapshots.undo(next, { ...taking, key: 'run-1/S6' })
    await snapshots.undo(id, { ...taking, key: 'run-1/S4' })
    expect([fs.statSync(at('a.txt')).mode & 0o100, fs.readFileSync(at('a.txt'), 'utf8')]).toEqual([0, 'later\n'])
    expect(fs.readFileSync(at('blob'))).toEqual(Buffer.from([0, 1, 2]))
  })

  test('a commit that is not on this branch, the first one, and none at all are refused', async () => {
    const { snapshots, git, first } = await twoStories()
    await expect(snapshots.undo(git('rev-list', '--max-parents=0', 'HEAD'), taking)).rejects.toThrow(/first commit/)
    git('checkout', '-q', '-b', 'other', `${first}^`)
    await expect(snapshots.undo(first, taking)).rejects.toThrow(/not on this branch/)
    await expect(snapshots.undo('HEAD', taking)).rejects.toThrow(/not a git object id/)
  })
})
