import { expect, test } from 'vitest'
import { renderMarkdown, type ShownReport } from '../../../src/surfaces/terminal/report-markdown.ts'

const rendering = { program: 'pawl', cwd: '/repo', now: 0 }
const report = (reason: string, next: string): ShownReport => ({
  headline: [`build is blocked: ${reason}`],
  place: ['20260214-220000-0a1b2c, ', { is: 'path', path: '/repo/.pawl/runs/20260214-220000-0a1b2c' }],
  sections: [{ id: 'next', title: 'NEXT', blocks: [{ kind: 'text', lines: [[next]] }] }],
})
const render = ({ reason = 'it needs a person', next = 'pawl resume' }): string[] =>
  renderMarkdown(report(reason, next), rendering)

test('a report is a heading, a place and its sections, each in a fence', () => {
  expect(render({})).toEqual([
    '## build is blocked: it needs a person',
    '',
    '` 20260214-220000-0a1b2c, .pawl/runs/20260214-220000-0a1b2c `',
    '',
    '### NEXT',
    '',
    '```text',
    'pawl resume',
    '```',
    '',
  ])
})

test('a fence is longer than any row of marks inside it', () => {
  expect(render({ next: '`````' }).slice(-4)).toEqual(['``````text', '`````', '``````', ''])
})

test('a reason in plain words is a heading; any other is a code span that nothing in it ends', () => {
  const headline = (reason: string): string | undefined => render({ reason })[0]
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
  expect(render({ next: '::error::x ##[error]y' }).join('\n')).toContain(': :error::x ## [error]y')
})
