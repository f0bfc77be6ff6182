import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newPerson } from './person.ts'

/** The first attempt leaves a file of its own and fails; the second succeeds. */
const second = [
  { when: { task: 'S1', attempt: 1 }, write: { 'draft.txt': 'a draft\n' } },
  { when: { task: 'S1' }, write: { S1: 'done\n' } },
  { when: { task: 'S2' }, write: { S2: 'done\n' } },
]

test('files that a person changed after a failed run are refused, and no story commits them', async () => {
  const { deliver, run, workspace, git, tries } = newPerson({ agent: second })
  expect(await deliver('--attempts', '1')).toMatchObject({ code: 30 })
  const before = tries()
  fs.writeFileSync(join(workspace, 'mine.txt'), 'mine\n')
  fs.appendFileSync(join(workspace, 'letters.md'), '\nA note.\n')
  for (const again of [() => run('resume', 'letters'), () => deliver('--attempts', '1')]) {
    const { code, err } = await again()
    expect([code, tries()]).toEqual([10, before])
    expect(err).toContain('2 files were changed after letters had stopped: letters.md, mine.txt')
    expect(err).toContain('Commit or stash what is yours')
  }
  git('checkout', '--quiet', 'letters.md')
  git('add', 'mine.txt')
  git('commit', '--quiet', '-m', 'mine')
  const { code, err } = await run('resume', 'letters')
  expect([code, err]).toEqual([0, expect.not.stringContaining('uncommitted')])
  expect(git('log', '--format=%s', '--', 'mine.txt')).toBe('mine')
})

test('with --dirty include they become part of the story, and the person is told', async () => {
  const { deliver, workspace } = newPerson({ agent: second })
  expect(await deliver('--attempts', '1', '--dirty', 'include')).toMatchObject({ code: 30 })
  fs.writeFileSync(join(workspace, 'mine.txt'), 'mine\n')
  const { code, err } = await deliver('--attempts', '1', '--dirty', 'include')
  expect(code).toBe(0)
  expect(err).toContain('changed after the run had stopped and become part of the story: mine.txt.')
})

test('files of the run itself are no reason to ask, also if its commands changed them', async () => {
  const { deliver, run } = newPerson({ agent: second, verify: 'echo x >>report.txt; test -s {story_id}' })
  expect(await deliver('--attempts', '1')).toMatchObject({ code: 30 })
  expect(await run('resume', 'letters')).toMatchObject({ code: 0, err: expect.not.stringContaining('uncommitted') })
})

test('a finished delivery has nothing to do, whatever a person has changed since', async () => {
  const { deliver, workspace } = newPerson()
  expect(await deliver()).toMatchObject({ code: 0 })
  fs.writeFileSync(join(workspace, 'mine.txt'), 'mine\n')
  expect(await deliver()).toMatchObject({ code: 0 })
})
