import { describe, expect, test } from 'vitest'
import type { LoopEvent } from '../../../src/contract/event.ts'
import type { Action, Block, Bound, Line, Span } from '../../../src/contract/show.ts'
import { type Rendering, renderAction, renderEventLines, renderLine } from '../../../src/surfaces/terminal/render.ts'
import { renderBlock, renderSections } from '../../../src/surfaces/terminal/render-blocks.ts'
import { renderDiff } from '../../../src/surfaces/terminal/render-diff.ts'
import { plainOf } from '../../../src/surfaces/terminal/styled.ts'

const now = Date.UTC(2026, 1, 14, 10, 15)
const rendering: Rendering = { program: 'pawl', cwd: '/repo', now }
const local = new Date(2026, 1, 14, 9, 5, 7).getTime()

describe('spans', () => {
  test.each<[string, Span, string]>([
    ['a text', 'plain', 'plain'],
    ['strong', { is: 'strong', text: 'x' }, 'x'],
    ['muted', { is: 'muted', text: 'x' }, 'x'],
    ['good', { is: 'good', text: 'x' }, 'x'],
    ['bad', { is: 'bad', text: 'x' }, 'x'],
    ['warning', { is: 'warning', text: 'x' }, 'x'],
    ['code', { is: 'code', text: 'npm test' }, 'npm test'],
    ['a moment', { is: 'at', at: new Date(2026, 1, 14, 10, 15).getTime() }, '2026-02-14 10:15'],
    ['a time of day', { is: 'clock', at: local }, '09:05'],
    ['since when', { is: 'since', at: now - 90_400 }, '1m30s'],
    ['since a moment ago', { is: 'since', at: now - 12_300 }, '12.3s'],
    ['until when', { is: 'until', at: now + 8_000_000 }, '2h13m'],
    ['until a moment that has passed', { is: 'until', at: now - 5 }, '0.0s'],
    ['a duration', { is: 'duration', ms: 45_200 }, '45.2s'],
    ['a path in here', { is: 'path', path: '/repo/.pawl/runs/r1' }, '.pawl/runs/r1'],
    ['a path elsewhere', { is: 'path', path: '/elsewhere/r1' }, '/elsewhere/r1'],
    ['this folder', { is: 'path', path: '/repo' }, '/repo'],
    ['an address that is no path', { is: 'path', path: 'postgres:r1' }, 'postgres:r1'],
    ['an action', { is: 'action', action: { do: 'resume', now: true } }, 'pawl resume --now'],
  ])('%s', (_, span, text) => {
    expect(renderLine([span], rendering)).toBe(text)
  })

  test('what ticks has whole seconds', () => {
    const line: Line = [{ is: 'since', at: now - 12_900 }, ', ', { is: 'until', at: now + 59_999 }]
    expect(renderLine(line, { ...rendering, ticks: true })).toBe('12s, 59s')
  })

  test('a line break in a value makes no line', () => {
    expect(renderLine(['a\nb', { is: 'code', text: 'c\r\nd' }], rendering)).toBe('a\\nbc\\nd')
  })

  test('the lines of an event stand behind its time, and count from it', () => {
    const event = { at: local } as LoopEvent
    const lines: Line[] = [['one'], ['waits ', { is: 'until', at: local + 2000 }]]
    expect(renderEventLines(event, lines, rendering)).toEqual(['[09:05:07] one', '[09:05:07] waits 2.0s'])
  })
})

describe('actions', () => {
  const run = 'r1'
  test.each<[Action, string]>([
    [{ do: 'resume' }, 'pawl resume'],
    [{ do: 'resume', run, now: true }, 'pawl resume r1 --now'],
    [{ do: 'resume', run, raise: ['tasks', 'costUsd'] }, 'pawl resume r1 --max-iterations N --max-cost USD'],
    [{ do: 'resume', run, raise: ['tokens', 'activeMs'] }, 'pawl resume r1 --max-tokens N --max-time DURATION'],
    [{ do: 'answer', run }, 'pawl answer r1'],
    [{ do: 'answer', run, choices: ['accept', 'stop'] }, 'pawl answer r1 <accept|stop>'],
    [{ do: 'answer', run, text: true }, 'pawl answer r1 --text "…"'],
    [{ do: 'feedback', run }, 'pawl feedback r1 "…"'],
    [{ do: 'watch', run }, 'pawl logs -f r1'],
    [{ do: 'stop', run }, 'pawl stop r1'],
    [{ do: 'show', run }, 'pawl show r1'],
    [{ do: 'why', run }, 'pawl why r1'],
    [{ do: 'logs', run }, 'pawl logs r1'],
    [{ do: 'text', run }, 'pawl show r1 --text'],
    [{ do: 'diff', run }, 'pawl show r1 --diff'],
    [{ do: 'fork', run }, 'pawl fork r1 --feedback "…"'],
    [{ do: 'fork', run, at: 14 }, 'pawl fork r1 --at 14 --feedback "…"'],
    [{ do: 'command', argv: ['pawl', 'doctor'] }, 'pawl doctor'],
    [{ do: 'command', argv: ['git', 'switch', 'my branch'] }, `git switch 'my branch'`],
  ])('%j', (action, text) => {
    expect(renderAction(action, rendering)).toBe(text)
  })

  test('are commands of the program as it was called, for the run that is shown', () => {
    const shown = { program: 'rooda', run: 'r2' }
    expect(renderAction({ do: 'resume' }, shown)).toBe('rooda resume r2')
    expect(renderAction({ do: 'resume', run: 'r1' }, shown)).toBe('rooda resume r1')
    expect(renderAction({ do: 'command', argv: ['pawl', 'doctor'] }, shown)).toBe('rooda doctor')
  })
})

const bounds: readonly Bound[] = [
  { cap: 'attemptsPerRun', name: 'iterations', used: 3, of: 7, unit: 'count', fired: true },
  {
    cap: 'tokens',
    name: 'tokens',
    used: 412,
    of: 1000,
    unit: 'tokens',
    soft: { from: 800, says: 'a stronger model' },
    atLeast: true,
    setBy: '--max-tokens',
  },
  { cap: 'costUsd', name: 'cost', used: 0.001, of: 2, unit: 'usd' },
  { cap: 'activeMs', name: 'time', used: 61_000, of: 3_600_000, unit: 'ms' },
]

const diff: Extract<Block, { kind: 'diff' }> = {
  kind: 'diff',
  path: 'a.md',
  lines: [
    { kind: 'name', text: '--- a.md' },
    { kind: 'hunk', text: '@@ -1,2 +1,3 @@' },
    { kind: 'same', text: ' one' },
    { kind: 'removed', text: '-two' },
    { kind: 'added', text: '+2' },
  ],
  hunks: 1,
  added: 1,
  removed: 1,
}

describe('blocks', () => {
  const texts = (block: Block): string[] => renderBlock(block, { ...rendering, run: 'r1' }).map(plainOf)

  test('a text is its lines', () => {
    expect(texts({ kind: 'text', lines: [['a ', { is: 'strong', text: 'b' }], []] })).toEqual(['a b', ''])
  })

  test('a list says how much more there is, and is numbered where its order counts', () => {
    expect(texts({ kind: 'list', items: [['a'], ['b']], more: 3 })).toEqual(['a', 'b', 'and 3 more'])
    expect(texts({ kind: 'list', items: [['a'], ['b']], ordered: true })).toEqual(['1. a', '2. b'])
  })

  test('a table pads its columns and leaves out those that say nothing', () => {
    const row = (...cells: string[]) => cells.map((cell) => ({ line: [cell] }))
    expect(
      texts({ kind: 'table', head: ['TASK', 'EMPTY', 'COST'], rows: [row('a', '', '$1'), row('longer', '', '')] }),
    ).toEqual(['TASK    COST', 'a       $1', 'longer'])
    expect(texts({ kind: 'table', head: [], rows: [row('a', 'b'), row('longer', 'c')] })).toEqual([
      'a       b',
      'longer  c',
    ])
    expect(texts({ kind: 'table', head: ['TASK'], rows: [] })).toEqual([])
  })

  test('a column of numbers ends where it ends', () => {
    const number = (text: string) => ({ line: [text], align: 'end' as const })
    expect(
      texts({
        kind: 'table',
        head: ['N', 'X'],
        rows: [
          [number('5'), { line: ['a'] }],
          [number('1,000'), { line: ['b'] }],
        ],
      }),
    ).toEqual(['    N  X', '    5  a', '1,000  b'])
  })

  test('facts stand behind their names', () => {
    expect(
      texts({
        kind: 'facts',
        rows: [
          { name: 'rule', lines: [['max_iterations']] },
          { name: 'spent', lines: [['a'], ['b']] },
          { name: 'next', lines: [] },
        ],
      }),
    ).toEqual(['  rule   max_iterations', '  spent  a', '         b'])
  })

  test('bounds say how much is used, where they were set and which ended it', () => {
    expect(texts({ kind: 'bounds', bounds })).toEqual([
      'iterations  3 of 7                                                           <- ended it',
      'tokens      at least 412 of 1,000 (a stronger model from 800)  --max-tokens',
      'cost        <$0.01 of $2.00',
      'time        1m01s of 1h00m',
    ])
    expect(texts({ kind: 'bounds', bounds: bounds.slice(2) })).toEqual([
      'cost  <$0.01 of $2.00',
      'time  1m01s of 1h00m',
    ])
  })

  test('a diff ends with its sums', () => {
    expect(texts(diff)).toEqual(['--- a.md', '@@ -1,2 +1,3 @@', ' one', '-two', '+2', '1 hunk, +1 −1'])
  })

  test('a chart is left out: a table says the same', () => {
    expect(texts({ kind: 'chart', title: 'score', series: [], marks: [] })).toEqual([])
  })

  test('a log is quoted, with where the rest of it is', () => {
    expect(texts({ kind: 'log', name: 'npm test', lines: ['a\tb', 'c'], log: '/repo/x.log' })).toEqual([
      'npm test:',
      '   | a b',
      '   | c',
      '   x.log',
    ])
  })

  test('a document is its lines', () => {
    expect(texts({ kind: 'document', format: 'markdown', text: '# a\n\nb\n' })).toEqual(['# a', '', 'b'])
  })

  test('a question is what it asks, its choices and what it is about', () => {
    const question = {
      id: 'q',
      asks: ['which?'],
      choices: [
        { choice: 'accept', does: 'take it' },
        { choice: 'stop', does: '' },
      ],
      takesText: false,
      about: [diff],
    }
    expect(texts({ kind: 'question', question })).toEqual(['which?', 'accept   take it', 'stop', ...texts(diff)])
  })

  test('actions are commands, with what they are for', () => {
    expect(
      texts({
        kind: 'actions',
        actions: [
          { action: { do: 'watch' }, does: 'watch it' },
          { action: { do: 'feedback' }, does: 'have a say' },
        ],
      }),
    ).toEqual(['pawl logs -f r1       (watch it)', 'pawl feedback r1 "…"  (have a say)'])
    expect(texts({ kind: 'actions', actions: [{ action: { do: 'resume' } }] })).toEqual(['pawl resume r1'])
  })

  test('notices are numbered, with the end of the output that they are about', () => {
    const notices = [
      { about: 'gate-failed', weight: 2, says: 'gate 2 failed\nin x', lines: ['FAIL a', 'b'], log: '/repo/a.log' },
      { about: 'not-committed', weight: 1, says: '2 files are not committed', lines: [] },
    ]
    expect(texts({ kind: 'notices', notices })).toEqual([
      '1. gate 2 failed\\nin x',
      '   | FAIL a',
      '   | b',
      '   a.log',
      '2. 2 files are not committed',
    ])
  })

  test('a section without lines is left out', () => {
    const section = (id: string, lines: Line[]) => ({ id, title: id, blocks: [{ kind: 'text', lines } as const] })
    expect(renderSections([section('A', [['a']]), section('B', [])], rendering)).toEqual([{ title: 'A', lines: ['a'] }])
  })
})

describe('a diff', () => {
  test('has its colours', () => {
    expect(renderDiff(diff, true).map(({ look }) => look)).toEqual([
      'bold',
      'cyan',
      undefined,
      'red',
      'green',
      undefined,
    ])
  })

  test('is as much as a person reads at a terminal, and all of it for a program', () => {
    const lines = Array.from({ length: 3000 }, (_, n) => ({ kind: 'added' as const, text: `+${n}` }))
    const long = { ...diff, lines: [{ kind: 'added' as const, text: 'x'.repeat(9000) }, ...lines], added: 3001 }
    const shown = renderDiff(long, true)
    expect(shown).toHaveLength(1002)
    expect(shown[0]!.text).toHaveLength(2000)
    expect(shown.slice(-2)).toEqual([{ text: '… 2001 lines more', look: 'dim' }, { text: '1 hunk, +3,001 −1' }])
    expect(renderDiff(long, false)).toHaveLength(3002)
    expect(renderDiff(long, false)[0]!.text).toHaveLength(9000)
  })

  test('of what took too long to compare is its counts, and of what is the same says so', () => {
    const replaced = { ...diff, lines: [], added: 1340, removed: 1200, replaced: true as const }
    expect(renderDiff(replaced, true)).toEqual([{ text: 'entire text replaced: +1,340 −1,200' }])
    expect(renderDiff({ ...diff, lines: [], hunks: 0, added: 0, removed: 0 }, true)).toEqual([
      { text: 'No difference.' },
    ])
  })
})

test('in a narrow terminal facts, texts and notices are wrapped at words; commands and paths stay whole', () => {
  const blocks: Block[] = [
    {
      kind: 'facts',
      rows: [
        { name: 'spent', lines: [['1 of 3 iterations, 2,400 tokens, $0.04']] },
        { name: 'next', lines: [[{ is: 'action', action: { do: 'resume', run: 'a-run-with-a-rather-long-name' } }]] },
      ],
    },
    { kind: 'notices', notices: [{ about: 'x', weight: 1, says: 'the agent was denied permission once', lines: [] }] },
    { kind: 'text', lines: [['  one two three four five six seven']] },
  ]
  const narrow = { ...rendering, width: 30 }
  expect(blocks.flatMap((block) => renderBlock(block, narrow)).map(plainOf)).toEqual([
    '  spent  1 of 3 iterations,',
    '         2,400 tokens, $0.04',
    '  next   pawl resume a-run-with-a-rather-long-name',
    '1. the agent was denied',
    '   permission once',
    '  one two three four five six',
    '  seven',
  ])
})
