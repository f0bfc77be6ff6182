import { expect, test } from 'vitest'
import { newRepository } from './scratch.ts'

/** Two stories on one file, both committed. */
async function twoStories() {
  const scratch = newRepository()
  const { write, storyOf, snapshots } = scratch
  const deliver = async (key: string, work: () => void) => {
    const story = await storyOf(work, key)
    return { story, commit: (await snapshots.commit(story, undefined))! }
  }
  const first = await deliver('run-1/S1', () => write('a.txt', 'first\n'))
  const second = await deliver('run-1/S2', () => {
    write('a.txt', 'first\nsecond\n')
    write('b.txt', 'b\n')
  })
  const lost = () => snapshots.findLost([first.story, second.story])
  return { ...scratch, first, second, lost }
}

test('a story is in the branch while its commit is, also if later work changed the same file', async () => {
  const { lost, write, commit } = await twoStories()
  expect(await lost()).toEqual([])
  write('a.txt', 'other\n')
  commit('by hand')
  expect(await lost()).toEqual([])
})

test('a story whose commit was reset away is lost', async () => {
  const { lost, git } = await twoStories()
  git('reset', '-q', '--hard', 'HEAD~1')
  expect(await lost()).toEqual(['run-1/S2'])
  git('reset', '-q', '--hard', 'HEAD~1')
  expect(await lost()).toEqual(['run-1/S1', 'run-1/S2'])
})

test('a reverted story is lost, by git revert as by undo, until the revert is reverted', async () => {
  const { lost, git, snapshots, second } = await twoStories()
  git('revert', '--no-edit', second.commit)
  expect(await lost()).toEqual(['run-1/S2'])
  git('revert', '--no-edit', 'HEAD')
  expect(await lost()).toEqual([])
  await snapshots.undo(second.commit, { commit: true, key: 'run-1/S2', subject: 'Undo S2' })
  expect(await lost()).toEqual(['run-1/S2'])
})

test('a squash with a message of its own keeps both stories', async () => {
  const { lost, git } = await twoStories()
  git('reset', '-q', '--soft', 'HEAD~2')
  git('commit', '-q', '-m', 'both')
  expect(await lost()).toEqual([])
})

test('a story that changed nothing is never lost', async () => {
  const { snapshots } = newRepository()
  const tree = await snapshots.take()
  expect(await snapshots.findLost([{ key: 'run-1/S1', from: tree, to: tree }])).toEqual([])
})
