import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { until } from '../../../surfaces/cli/pawl.ts'
import { atTerminal } from '../../../surfaces/cli/pseudo-terminal.ts'
import { newPerson } from './person.ts'
import { deliver, newDelivery, oneStory } from './santiago.ts'

test('a command that fails for every story is reported before an agent starts, with the ways out', async () => {
  const red = newPerson({ verify: 'test -s S1 && test -s S2' })
  const { code, out } = await red.deliver()
  expect([code, red.tries()]).toEqual([10, []])
  const failed = 'before any work, "test -s S1 && test -s S2" failed (exit 1)'
  for (const part of [failed, '{story_id}', 'by_requirement', 'pawl answer letters <continue|stop>'])
    expect(out).toContain(part)
  expect(await red.run('why', 'letters')).toMatchObject({ out: expect.stringContaining(failed) })
  expect(await red.run('answer', 'letters', 'stop')).toMatchObject({ code: 0 })
  expect(await red.run('resume', 'letters')).toMatchObject({
    code: 10,
    out: expect.stringContaining('stopped, because a command that several stories share fails before any work'),
  })
  // It asks again, and does not start an agent because it has asked before.
  expect([(await red.deliver()).code, red.tries()]).toEqual([10, []])
})

test('at a terminal a question is answered with a key', async () => {
  const red = newPerson({ verify: 'test -s S1 && test -s S2' })
  const shown = atTerminal(red, ['deliver', 'letters.md', '--verify', "'test -s S1 && test -s S2'", '--trust'])
  const seen = (text: string): Promise<void> => until(() => shown.said().includes(text), text)
  await seen('asks: ')
  shown.type('a')
  await seen('answer (Enter sends')
  shown.type('stop\r')
  expect([await shown.ended, red.tries()]).toEqual([10, []])
})

test('a person may go on with a red command, at once or by an answer', async () => {
  const both = { write: { S1: 'x', S2: 'x' } }
  const { deliver, tries } = newPerson({ verify: 'test -s S1 && test -s S2', agent: [both] })
  expect(await deliver('--red-baseline', 'accept')).toMatchObject({ code: 0 })
  expect(tries()[0]).toBe('S1 1')
  const asked = newPerson({ verify: 'test -s S1 && test -s S2', agent: [both] })
  expect((await asked.deliver()).code).toBe(10)
  expect(await asked.run('answer', 'letters', 'continue')).toMatchObject({ code: 0 })
  expect(await asked.run('resume', 'letters')).toMatchObject({ code: 0 })
})

test('a person who takes the advice and gives each story its own command need not start over by hand', async () => {
  const here = newPerson({ verify: 'test -s S1 && test -s S2' })
  expect((await here.deliver()).code).toBe(10)
  const again = await here.run('deliver', 'letters.md', '--verify', 'test -s {story_id}', '--trust')
  expect([again.code, here.titles().length]).toEqual([0, 3])
})

test('two attempts that change nothing and fail in the same way end a story, and the next one is tried', async () => {
  const { deliver, tries, result } = newPerson({
    agent: [
      { when: { task: 'S1' }, output: 'done\n' },
      { when: { task: 'S2' }, write: { S2: 'x' } },
    ],
  })
  expect((await deliver()).code).toBe(30)
  expect(tries()).toEqual(['S1 1', 'S1 2', 'S2 1'])
  expect(result()).toMatchObject({ reason: 'story_verification_failed' })
  expect(JSON.stringify(result().stories)).toContain('2 attempts in a row changed nothing and failed in the same way')
})

test('an agent that only fails blocks the run after the second time, in its own words', async () => {
  const { deliver, tries, result } = newPerson({
    agent: [{ stderr: 'error: the variable LETTER_KEY is not set\n', exit: 1 }],
    env: { LETTER_KEY: 'a-dummy-value' },
  })
  expect((await deliver()).code).toBe(10)
  expect(tries()).toEqual(['S1 1', 'S1 2'])
  expect(result()).toMatchObject({ status: 'blocked', reason: 'blocked_dependency' })
  expect(result().detail).toMatch(/LETTER_KEY is set here, but hidden from agents: add it to env:/)
})

test('a verification that hangs is what failed, not the number of attempts', async () => {
  const { code, result, tries } = await deliver({
    prd: oneStory,
    agent: [{ write: { S1: 'x' } }],
    input: {
      verification: { story_commands: ['test -s S1 || exit 1; sleep 600'], run_commands: [] },
      limits: { story_max_attempts: 2, story_timeout_minutes: 0.05 },
    },
  })
  expect([code, result().reason, tries()]).toEqual([30, 'story_verification_failed', ['S1 1']])
  expect(result().detail).toMatch(/sleep 600.*timed-out/)
})

test.each([
  ['an unknown mode', { agent: { mode: 'ralph_frsh' } }, 'plan_generation_failed', '/agent/mode'],
  [
    'a command that is not allowed',
    { verification: { story_commands: ['curl x'], run_commands: [], allow: ['npm'] } },
    'story_verification_failed',
    '/verification',
  ],
])('plan refuses what execute would refuse: %s', async (_, input, reason, pointer) => {
  const { plan, result } = newDelivery({ input })
  expect((await plan()).code).toBe(30)
  expect(result()).toMatchObject({ reason, error: { pointer } })
})

test('a check that rewrites the product after it passed does not make a story done', async () => {
  const spoil = 'grep -q good S1 && echo bad > S1'
  const { code, result, git } = await deliver({
    prd: oneStory,
    agent: [{ write: { S1: 'good\n' } }],
    input: { verification: { story_commands: [spoil], run_commands: [] }, limits: { story_max_attempts: 1 } },
  })
  expect([code, result().stories[0]!.status, git('log', '--format=%s', '--all')]).toEqual([30, 'failed', 'before'])
})

test('a check that changes files each time verifies nothing; one that settles is named first', async () => {
  const input = (command: string) => ({
    verification: { story_commands: [command], run_commands: [] },
    limits: { story_max_attempts: 1 },
  })
  const agent = [{ write: { S1: 'WORK\n' } }]
  const restless = await deliver({ prd: oneStory, agent, input: input('test -s S1 && echo more >> S1') })
  expect([restless.code, restless.result().stories[0]!.because]).toEqual([30, expect.stringContaining('each of the 3')])
  const formatted = await deliver({
    prd: oneStory,
    agent,
    input: input('test -s S1 && tr A-Z a-z < S1 > .new && mv .new S1'),
  })
  expect([formatted.code, formatted.result().stories[0]!.rewritten]).toEqual([0, ['S1']])
  const { out } = await formatted.start('show', formatted.out)
  expect(out.slice(out.indexOf('LOOK AT FIRST')).split('\n')[1]).toContain('the verification of S1 changed S1')
})

test('a cache that changes with the product is no rewritten product, and is not committed', async () => {
  const { deliver, git, run } = newPerson({ verify: 'cat S1 S2 >cache.txt 2>&1; test -s {story_id}' })
  expect(await deliver()).toMatchObject({ code: 0 })
  expect(git('ls-files', 'cache.txt')).toBe('')
  expect((await run('show', 'letters')).out).not.toContain('verification itself changed')
})

test('a formatter that has changed several files before the work is no report: what it makes of a story is committed', async () => {
  const wrong = { write: { 'src/a': 'BAD a', 'src/b': 'BAD b', 'src/c': 'BAD c', 'src/d': 'BAD d' } }
  const agent = [
    { when: { task: 'S1' }, write: { S1: 'x', 'src/e': 'BAD e\n' } },
    { when: { task: 'S2' }, write: { S2: 'x', 'src/f': 'BAD f\n' } },
  ]
  const { deliver, git, workspace } = newPerson({ agent, verify: 'sed -i s/BAD/good/ src/*; test -s {story_id}' })
  fs.mkdirSync(join(workspace, 'src'))
  for (const [path, text] of Object.entries(wrong.write)) fs.writeFileSync(join(workspace, path), `${text}\n`)
  git('add', '.')
  git('commit', '--quiet', '-m', 'source')
  expect(await deliver('--no-clean-room')).toMatchObject({ code: 0 })
  expect([git('show', 'HEAD:src/e'), git('show', 'HEAD:src/f')]).toEqual(['good e', 'good f'])
})

test('a report that the commands write each time is no rewritten product, and is not committed', async () => {
  const report =
    'date +%s%N > report.txt; mkdir -p cov; for n in 1 2 3 4 5; do date +%s%N > cov/$n; done; test -s {story_id}'
  const { deliver, git, tries } = newPerson({ verify: report })
  expect(await deliver()).toMatchObject({ code: 0 })
  expect([tries(), git('ls-files', 'report.txt', 'cov')]).toEqual([['S1 1', 'S2 1'], ''])
})

test('a run whose stories changed nothing says so in its last line, in show and in why', async () => {
  const { deliver, run } = newPerson({ agent: [{ output: 'done\n' }], verify: 'true' })
  const { code, out } = await deliver('--attempts', '1')
  expect([code, out]).toEqual([0, expect.stringContaining('2 of 2 stories done, 2 without proof')])
  const { out: shown } = await run('show', 'letters')
  expect(shown).toContain('all stories are done, but 2 without proof')
  expect(shown).toMatch(/S1 +done +unproven .*no change/)
  expect(await run('why', 'letters')).toMatchObject({ out: expect.not.stringContaining('done and verified') })
})

test('a check that fails because the sandbox refused a write says so', async () => {
  const { deliver, result } = newPerson({ verify: 'echo "touch: x: Read-only file system" >&2; false' })
  expect((await deliver('--attempts', '1', '--red-baseline', 'accept')).code).toBe(30)
  expect(JSON.stringify(result().stories)).toContain('commands can write to the repository and to $TMPDIR')
})
