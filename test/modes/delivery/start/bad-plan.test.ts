import { expect, test } from 'vitest'
import { readPlan } from '../../../../src/modes/delivery/start/execute.ts'
import { fileWith, goodPlan, planOf, refusalOfFile, storyOf, withValue } from './contract-files.ts'

const long = 'x'.repeat(5000)

test.each<[pointer: string, value: unknown, says: RegExp]>([
  ['/planner_version', 0, /a whole number/],
  ['/planner_version', undefined, /missing/],
  ['/format', '', /allowed: text/],
  ['/format', long, /text of at most 64 characters/],
  ['/prd_sha256', 'abc', /a SHA-256 in hex/],
  ['/prd_sha256', 'A'.repeat(64), /a SHA-256 in hex/],
  ['/sha256', null, /a SHA-256 in hex/],
  ['/sha256', undefined, /missing/],
  ['/stories', undefined, /missing, found nothing, allowed: a list/],
  ['/stories', {}, /found an object, allowed: a list/],
  ['/stories', [], /found an empty list, allowed: at least one story/],
  ['/stories/0', null, /found null, allowed: an object/],
  ['/stories/0/id', '../../x', /found "\.\.\/\.\.\/x", allowed: a story id/],
  ['/stories/0/id', 'S1\n', /found "S1\\n"/],
  ['/stories/0/id', 'S0', /found "S0"/],
  ['/stories/0/id', 's1', /found "s1"/],
  ['/stories/0/id', 1, /found 1/],
  ['/stories/0/id', 'S9999999', /a story id/],
  ['/stories/0/title', '', /allowed: text/],
  ['/stories/0/title', 'x'.repeat(10 * 1024 * 1024), /text of at most 1000 characters/],
  ['/stories/0/depends_on', 'S1', /found "S1", allowed: a list/],
  ['/stories/0/depends_on', undefined, /missing/],
  ['/stories/1/depends_on/0', null, /a story id/],
  ['/stories/0/acceptance_criteria/0/line', 0, /a line number/],
  ['/stories/0/acceptance_criteria/0/line', 1.5, /a line number/],
  ['/stories/0/acceptance_criteria/0/id', undefined, /missing/],
  ['/stories/0/file_focus/0', '', /text/],
  ['/stories/0/verification', null, /a list/],
  ['/stories/0/verification/0', 3, /text/],
  ['/stories/0/source', undefined, /an object/],
  ['/stories/0/source/kind', 'epic', /found "epic", allowed: task, user-story, requirement, criterion, phase/],
  ['/stories/0/source/end_line', -1, /a line number/],
  ['/stories/2/sha256', 'g'.repeat(64), /a SHA-256 in hex/],
  ['/unmapped', undefined, /missing/],
  ['/unmapped/0/text', null, /text/],
])('a plan is refused at %s', (pointer, value, says) => {
  const path = pointer.slice(1).split('/')
  const refusal = refusalOfFile(fileWith(JSON.stringify(withValue(goodPlan, path, value))), readPlan)
  expect(refusal.pointer).toBe(pointer)
  expect(refusal.message).toMatch(says)
})

test.each([
  [
    'a cycle',
    [storyOf('S1', ['S3']), storyOf('S2'), storyOf('S3', ['S1'])],
    '/stories/0/depends_on/0',
    /found S1 -> S3 -> S1,/,
  ],
  [
    'a cycle behind others',
    [storyOf('S1', ['S2', 'S3']), storyOf('S2'), storyOf('S3', ['S4']), storyOf('S4', ['S2', 'S3'])],
    '/stories/2/depends_on/0',
    /found S3 -> S4 -> S3,/,
  ],
  [
    'a story that waits for itself',
    [storyOf('S1'), storyOf('S2', ['S1', 'S2'])],
    '/stories/1/depends_on/1',
    /depends on itself, found S2/,
  ],
  [
    'an unknown story',
    [storyOf('S11'), storyOf('S2', ['S12'])],
    '/stories/1/depends_on/0',
    /found S12, .* Did you mean S11\?/,
  ],
  [
    'an id that stands twice',
    [storyOf('S1'), storyOf('S2'), storyOf('S1')],
    '/stories/2/id',
    /found S1, .*\/stories\/0 has it too/,
  ],
  [
    'a story before what it depends on',
    [storyOf('S1', ['S2']), storyOf('S2')],
    '/stories/0/depends_on/0',
    /wrong order, found S1 before S2/,
  ],
] as const)('a plan is refused for %s', (_, stories, pointer, says) => {
  const refusal = refusalOfFile(fileWith(JSON.stringify(planOf(stories))), readPlan)
  expect(refusal.pointer).toBe(pointer)
  expect(refusal.message).toMatch(says)
})

test('a cycle through all of 10,000 stories is found without a pause and shown by its ends', () => {
  const stories = Array.from({ length: 10_000 }, (_, n) => storyOf(`S${n + 1}`, [`S${((n + 1) % 10_000) + 1}`]))
  const refusal = refusalOfFile(fileWith(JSON.stringify(planOf(stories))), readPlan)
  expect(refusal.message).toMatch(/found S1 -> S2 -> S3 -> S4 -> 9995 more -> S10000 -> S1,/)
})

test('a million mistakes cost no more than the first of them', () => {
  const plan = JSON.stringify({ ...goodPlan, stories: [] }).replace(
    '"stories":[]',
    `"stories":[${'{},'.repeat(1e6)}{}]`,
  )
  expect(refusalOfFile(fileWith(plan), readPlan).pointer).toBe('/stories/0/id')
})

test('a plan comes with its very bytes, and what later versions add is passed over', () => {
  const text = `\ufeff${JSON.stringify({ ...goodPlan, made_by: 'pawl 9' }, null, 1)}\n`
  const path = fileWith(text)
  expect(readPlan(path)).toEqual({ plan: goodPlan, text })
})
