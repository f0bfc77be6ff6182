import { expect, test } from 'vitest'
import { emptyState } from '../../../src/kernel/state.ts'
import type { Report } from '../../../src/run/report.ts'
import { spendOf } from '../../../src/show/spend.ts'
import { markdownOf } from '../../../src/surfaces/terminal/report-markdown.ts'

const report: Report = {
  id: '20260214-220000-0a1b2c',
  dir: '/repo/.pawl/runs/20260214-220000-0a1b2c',
  name: 'build',
  workspace: '/repo',
  created: '2026-02-14T22:00:00.000Z',
  standing: 'blocked',
  reason: 'it needs a person',
  rule: null,
  last: null,
  underWay: null,
  waitsUntil: null,
  spend: spendOf(emptyState),
  next: null,
  startedAt: 0,
  lastAt: 0,
  lookFirst: [],
  base: null,
  changes: null,
  changesNote: null,
  gates: [],
  attempts: [],
  attemptsMade: 0,
  delivery: null,
  refinement: null,
}

test('a fence is longer than any row of marks inside it', () => {
  const lines = markdownOf({ ...report, next: '`````' }, '/repo')
  expect(lines.slice(-4)).toEqual(['``````text', '`````', '``````', ''])
})

test('a reason in plain words is a heading; any other is a code span that nothing in it ends', () => {
  const headline = (reason: string): string | undefined => markdownOf({ ...report, reason }, '/repo')[0]
  expect(headline('it needs a person')).toBe('## build is blocked: it needs a person')
  expect(headline('a `b` ``c``')).toBe('## ``` build is blocked: a `b` ``c`` ```')
  for (const reason of [
    'see www.x.yz',
    'http://x',
    '@all',
    '<b>',
    '[a](b)',
    '*a*',
    '_a_',
    '![a](b)',
    '&lt;',
    '#1',
    'a\\b',
  ]) {
    expect(headline(reason)).toBe(`## \` build is blocked: ${reason} \``)
  }
  expect(headline('a\nb')).toBe('## ` build is blocked: a\\nb `')
})

test('no line becomes a command to a runner that reads the output', () => {
  const text = markdownOf({ ...report, next: '::error::x ##[error]y' }, '/repo').join('\n')
  expect(text).toContain(': :error::x ## [error]y')
})
