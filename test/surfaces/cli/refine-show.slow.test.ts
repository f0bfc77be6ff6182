import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { judgement } from '../../modes/refinement/cli/stage.ts'
import { refineWorkspace } from '../../modes/refinement/cli/workspace.ts'

const findings = [{ severity: 'major', quote: 'text', problem: 'It does not say who pays.' }]
const marked = (score: number, more: object = {}) => ({ judge: { text: judgement(score, more) } })
const low = { beats: [marked(3, { findings })] }
const passing = { beats: [marked(5)] }
const keyOf = (root: string): string => join(root, '.local', 'state', 'pawl', 'keys', 'content.key')

test('a refinement that fell short is shown with its score, its issues in words and what to do, and without git', async () => {
  const pawl = await refineWorkspace(low)
  expect((await pawl.refine('Write a guide', '--no-calibrate', '--local-only')).code).toBe(30)
  const { code, out } = await pawl.run('show')
  expect(code).toBe(0)
  expect(out).toMatch(/^ {2}60 ± 13 of 100, target 80: Outline, iteration 1 by Llama 3\.1 70B$/m)
  expect(out).toContain('judged by Llama 3.1 70B with general, 2 samples, uncalibrated, self-judged')
  expect(out).toContain('I1: It does not say who pays.')
  expect(out).toMatch(/pawl fork \S+ --feedback/)
  expect(out).not.toMatch(/WHAT CHANGED|the agent failed|GATES/)
  expect((await pawl.run('why')).out).toMatch(/rule {3}.*score 60 ± 13/)
  expect((await pawl.run('ls')).out).toMatch(/3\/7, 60 ± 13/)
  const markdown = (await pawl.run('show', '--format', 'github')).out
  expect(markdown).toContain('### STILL OPEN\n\n```text\nI1: It does not say who pays.\n```')
})

test('without the key everything is told but the words', async () => {
  const pawl = await refineWorkspace(low)
  await pawl.refine('Write a guide', '--no-calibrate', '--local-only')
  fs.rmSync(keyOf(pawl.root))
  const shown = await pawl.run('show')
  expect([shown.code, shown.err]).toEqual([0, ''])
  expect(shown.out).toMatch(/60 ± 13 of 100, target 80: Phase 1[\s\S]*the text cannot be decrypted: .*key/)
  expect(shown.out).toMatch(/STILL OPEN\n {2}I1\n/)
  expect((await pawl.run('why')).code).toBe(0)
  expect((await pawl.run('ls')).out).toContain('60 ± 13')
  const texts = await pawl.run('logs', '--output')
  expect([texts.code, texts.out]).toEqual([30, ''])
})

test('for machines there are numbers and ids, and no word of anybody', async () => {
  const pawl = await refineWorkspace(low)
  await pawl.refine('Write a guide', '--no-calibrate', '--local-only')
  const { out } = await pawl.run('show', '--json')
  const { refinement } = JSON.parse(out) as { refinement: { best: object; issues: object[]; next: object[] } }
  expect(refinement).toMatchObject({
    preset: 'standard',
    best: { iteration: 1, model: 'ollama', judged: { score: 60, judge: 'ollama' } },
    issues: [{ id: 'I1', state: 'open' }],
  })
  for (const word of ['who pays', 'Outline', 'text 1', 'Write a guide']) expect(out).not.toContain(word)
})

test('a completed one says which file holds its text, for as long as it does', async () => {
  const pawl = await refineWorkspace(passing)
  expect((await pawl.refine('Write a guide', '--no-calibrate', '--out', 'guide.md')).code).toBe(0)
  const holds = async (): Promise<string | undefined> => /guide\.md (.*)/.exec((await pawl.run('show')).out)?.[1]
  expect(await holds()).toBe('contains it')
  pawl.put('guide.md', 'something else\n')
  expect(await holds()).toBe('does not contain it')
})

test('the output of a refinement is its newest text, alone on stdout', async () => {
  const pawl = await refineWorkspace(low)
  await pawl.refine('Write a guide', '--no-calibrate', '--local-only')
  expect(await pawl.run('logs', '--output')).toEqual({ code: 0, out: 'text 3\n', err: '' })
  const followed = await pawl.run('logs', '-f', '--output')
  expect([followed.code, followed.out]).toEqual([0, 'text 1\ntext 2\ntext 3\n'])
})

test('a bound on iterations that is raised on going on holds for iterations, not for phases', async () => {
  const pawl = await refineWorkspace(passing)
  expect((await pawl.refine('Write a guide', '--no-calibrate', '-n', '1')).code).toBe(30)
  expect((await pawl.run('why')).out).toMatch(/next {3}pawl resume \S+ --max-iterations 2/)
  expect((await pawl.run('resume', '-n', '3')).code).toBe(0)
  expect((await pawl.run('why')).out).toContain('iterations 3 of 3, set by resume by')
})
