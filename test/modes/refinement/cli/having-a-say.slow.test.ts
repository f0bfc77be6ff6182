import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { until } from '../../../surfaces/cli/pawl.ts'
import type { Role } from './stage.ts'
import { refineWorkspace } from './workspace.ts'

const scores = (...given: number[]) => given.map((score) => ({ score }))
const sap = ['--preset', 'sap-0010'] as const

/** Holds the nth call of a role back until it is let go. */
function holding(role: Role, number: number) {
  const held = Promise.withResolvers<undefined>()
  let seen = 0
  return {
    instead: (_: unknown, asked: Role) => (asked === role && ++seen === number ? held.promise : undefined),
    letGo: () => held.resolve(undefined),
  }
}

test.each([
  ['while it plans', 'plan', 1],
  ['while it writes', 'write', 1],
  ['while it judges', 'judge', 1],
  ['between phases', 'write', 2],
] as const)(
  'a pause %s is kept at the next boundary, and what is said then is told to the next text',
  async (_, role, number) => {
    const hold = holding(role, number)
    const { refine, run, staged, names } = await refineWorkspace({ beats: scores(85), instead: hold.instead })
    const going = refine('Write it', ...sap)
    await until(() => staged.calls(role).length === number, `${role} ${number}`)
    expect((await run('pause')).code).toBe(0)
    hold.letGo()
    expect((await going).code).toBe(10)
    const before = staged.calls('write').length
    expect((await run('answer', '--text', 'Mention the moon')).code).toBe(0)
    expect((await run('resume')).code).toBe(0)
    for (const { prompt } of staged.calls('write').slice(before))
      expect(prompt).toContain('Human feedback: Mention the moon')
    expect(staged.calls('write').length).toBeGreaterThan(before)
    expect(names().filter((name) => name === 'decide/pause')).toHaveLength(1)
  },
)

test('feedback while the last text is judged leads to one more text, though it passes', async () => {
  const hold = holding('judge', 3)
  const { refine, run, staged } = await refineWorkspace({ beats: scores(85), instead: hold.instead })
  const going = refine('Write it', ...sap)
  await until(() => staged.calls('judge').length === 3, 'the last judgement')
  expect((await run('feedback', 'refine', 'Mention the moon')).code).toBe(0)
  hold.letGo()
  expect((await going).code).toBe(0)
  expect(staged.calls('write').map(({ prompt }) => prompt.includes('Mention the moon'))).toEqual([
    false,
    false,
    false,
    true,
  ])
})

test('a run can be stopped, and gone on with', async () => {
  const hold = holding('write', 2)
  const { refine, run, staged } = await refineWorkspace({ beats: scores(85), instead: hold.instead })
  const going = refine('Write it', ...sap)
  await until(() => staged.calls('write').length === 2, 'a second text')
  expect((await run('stop')).code).toBe(0)
  expect((await going).code).toBe(130)
  hold.letGo()
  const { code, out } = await run('resume')
  expect([code, out]).toEqual([0, 'text 4\n'])
  expect(staged.calls('plan')).toHaveLength(1)
})

test('fork goes another way from a moment on, pays nothing twice and leaves the first way as it is', async () => {
  const { refine, run, staged, runs, dirOf, journal } = await refineWorkspace({ beats: scores(85) })
  expect((await refine('Write it', ...sap)).out).toBe('text 3\n')
  const before = staged.server.calls.length
  const first = readFileSync(join(dirOf(0), 'progress.ndjson'), 'utf8')
  const second = journal().filter(({ phase, status }) => `${String(phase)}/${String(status)}` === 'verify/passed')[2]!
  const forked = await run('fork', 'refine', '--at', String(second.seq), '--feedback', 'Mention the moon')
  expect([forked.code, forked.out]).toEqual([0, 'text 4\n'])
  // Of the second phase the text is there and judged; what was said calls for the third phase alone.
  const later = staged.calls('write').filter(({ number }) => number > before)
  expect(later.map(({ prompt }) => prompt.includes('Human feedback: Mention the moon'))).toEqual([true])
  expect(later[0]!.prompt).toContain('text 2')
  expect(readFileSync(join(dirOf(0), 'progress.ndjson'), 'utf8')).toBe(first)
  const child = runs().sort()[1]!
  const request = JSON.parse(readFileSync(join(dirOf(1), 'request.json'), 'utf8')) as { with: { parent: object } }
  expect(request.with.parent).toEqual({ run: runs().sort()[0], seq: second.seq })
  for (const id of runs()) expect((await run('fsck', id)).code).toBe(0)
  expect((await run('show', child, '--text')).out).toBe('text 4\n')
  expect(readdirSync(join(dirOf(1), 'artifacts')).length).toBeGreaterThan(3)
})

test('without a moment, fork goes on from the last judgement', async () => {
  const { refine, run, staged } = await refineWorkspace({ beats: scores(85) })
  await refine('Write it', ...sap)
  const { code, out } = await run('fork', 'refine', '--feedback', 'Mention the moon')
  expect([code, out]).toEqual([0, 'text 4\n'])
  expect(staged.calls('write').at(-1)!.prompt).toContain('text 3')
})

test('a fork of a run that has spent a bound says by how much it is raised', async () => {
  const { refine, run } = await refineWorkspace({ beats: scores(50) })
  expect((await refine('Write it', '--max-iterations', '1')).code).toBe(20)
  const { err } = await run('fork', 'refine', '--feedback', 'Mention the moon')
  expect(err).toMatch(/pawl: .*max_iterations raised from 1 to \d+/)
})

test('what cannot be forked is refused, and leaves nothing behind', async () => {
  const { refine, run, runs } = await refineWorkspace({ beats: scores(85) })
  await refine('Write it', ...sap)
  for (const words of [
    ['--at', '999', '--feedback', 'x'],
    ['--at', 'x', '--feedback', 'x'],
    ['--at', '3'],
    ['--feedback', ' '],
  ]) {
    expect((await run('fork', 'refine', ...words)).code, words.join(' ')).toBe(2)
  }
  expect(runs()).toHaveLength(1)
})

test('the file that the first way writes is not written by another one', async () => {
  const { refine, run, read } = await refineWorkspace({ beats: scores(85) })
  expect((await refine('Write it', '--out', 'it.md', ...sap)).code).toBe(0)
  const { code, out } = await run('fork', 'refine', '--feedback', 'Mention the moon')
  expect([code, out, read('it.md')]).toEqual([0, 'text 4\n', 'text 3\n'])
})
