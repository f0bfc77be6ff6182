import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { until } from '../../../surfaces/cli/pawl.ts'
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

test('what the run itself cannot tell apart is listed: after git has removed its trees nothing is refused', async () => {
  const agent = [
    { when: { task: 'S1' }, write: { S1: 'done\n' } },
    { when: { task: 'S2', attempt: 1 }, write: { 'draft.txt': 'a draft\n' } },
    { when: { task: 'S2' }, write: { S2: 'done\n' } },
  ]
  const { deliver, run, git, workspace } = newPerson({ agent })
  expect(await deliver('--attempts', '1')).toMatchObject({ code: 30 })
  git('gc', '--quiet', '--prune=now')
  fs.writeFileSync(join(workspace, 'mine.txt'), 'mine\n')
  expect(await run('resume', 'letters')).toMatchObject({ code: 0, err: expect.stringContaining('mine.txt') })
})

test("files that the checks write are no person's, also if a person ran them; after a rejected attempt the rest is", async () => {
  const verify = 'date +%s%N >report.txt; test -s {story_id}'
  const agent = [
    { when: { task: 'S1', attempt: 1 }, write: { 'package.json': '{"scripts":{"test":"true || true"}}' } },
    ...second,
  ]
  const { deliver, run, workspace } = newPerson({ agent, verify })
  expect(await deliver('--attempts', '1', '--no-clean-room')).toMatchObject({ code: 30 })
  fs.writeFileSync(join(workspace, 'report.txt'), 'by hand\n')
  fs.writeFileSync(join(workspace, 'mine.txt'), 'mine\n')
  const { code, err } = await run('resume', 'letters')
  expect([code, err]).toEqual([10, expect.stringContaining('a file was changed after letters had stopped: mine.txt')])
  fs.rmSync(join(workspace, 'mine.txt'))
  expect(await run('resume', 'letters')).toMatchObject({ code: 0 })
})

test('--dirty include lets an unfinished run go on as well', async () => {
  const { deliver, workspace } = newPerson({
    agent: [{ when: { task: 'S1', attempt: 1 }, silent_ms: 60_000 }, ...second],
  })
  const first = deliver()
  await until(() => first.said().includes('S1 attempt 1'), 'an attempt')
  first.child.kill('SIGTERM')
  await first
  fs.writeFileSync(join(workspace, 'mine.txt'), 'mine\n')
  expect(await deliver('--dirty', 'include')).toMatchObject({ code: 0 })
})
