import stringWidth from 'string-width'
import { describe, expect, test } from 'vitest'
import { plainOf, type Text } from '../../../src/surfaces/terminal/styled.ts'
import { layoutTable, type TableOptions } from '../../../src/surfaces/terminal/table.ts'

const lay = (rows: readonly (readonly Text[])[], options?: TableOptions): string[] =>
  layoutTable(rows, options).map(plainOf)

test('a table is as wide as its widest cells', () => {
  const rows = [
    ['A', 'B'],
    ['long', 'x'],
  ]
  expect(lay(rows)).toEqual(['A     B', 'long  x'])
  expect(lay([])).toEqual([])
})

test('columns without content are left out, and some are aligned at their end', () => {
  const rows = [
    ['NAME', 'NOTE', 'TOKENS'],
    ['a', '', '5'],
    ['b', '', '1,000'],
  ]
  expect(lay(rows, { headings: 1, ends: [2] })).toEqual(['NAME  TOKENS', 'a          5', 'b      1,000'])
})

test('wide characters and emoji count as wide as they are', () => {
  const rows = [
    ['漢字', 'x'],
    ['👍 ok', 'y'],
    ['plain', 'z'],
  ]
  expect(lay(rows)).toEqual(['漢字   x', '👍 ok  y', 'plain  z'])
})

const head = ['RUN', 'NAME', 'STATUS', 'DONE', 'STARTED (UTC)', 'WHERE']
const rows = [
  ['20260214-220000-0a1b2c', 'build', 'completed', '3/3', '2026-02-14 22:00', '/home/someone/projects/one'],
  [
    '20260214-230000-0a1b2d',
    'a long name of 漢字 and 👍',
    'interrupted',
    '12/40 stories',
    '2026-02-14 23:00',
    '/srv/x',
  ],
]
const options = { headings: 1, shorten: [5, 3, 1], drop: [5, 4, 0, 3] }

describe.each([40, 60, 80, 100, 140, 200])('in %i columns', (width) => {
  const lines = lay([head, ...rows], { ...options, width })

  test('no line is wider than the terminal', () => {
    expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(width)
  })

  test('what may not be shortened is complete or dropped for all rows', () => {
    for (const word of ['completed', 'interrupted']) expect(lines.join('\n')).toContain(word)
    const ids = lines.filter((line) => /\d{8}-\d{6}-\w{6}/.test(line)).length
    expect([0, 2]).toContain(ids)
  })
})

test('the least important columns go first', () => {
  const shown = (width: number): string[] => lay([head, ...rows], { ...options, width })[0]!.split(/ {2,}/)
  expect(shown(200)).toEqual(head)
  expect(shown(80)).toEqual(['RUN', 'NAME', 'STATUS', 'DONE', 'STARTED (UTC)'])
  expect(shown(65)).toEqual(['RUN', 'NAME', 'STATUS', 'DONE'])
  expect(shown(40)).toEqual(['NAME', 'STATUS', 'DONE'])
})

test('a cut is marked, and made between words where that loses little', () => {
  const cut = (text: string, width: number): string => lay([[text]], { width })[0]!
  expect(cut('reached max iterations', 20)).toBe('reached max…')
  expect(cut('abcdefghijklmnopqrstuvwxyz', 10)).toBe('abcdefghi…')
  expect(cut('漢字漢字漢字漢字', 9)).toBe('漢字漢字…')
})

test('a prose column is wrapped at words, below itself', () => {
  const table = lay(
    [
      ['ok', 'one two three four'],
      ['weak', 'five'],
    ],
    { width: 16, shorten: [], drop: [], wrap: 1 },
  )
  expect(table).toEqual(['ok    one two', '      three four', 'weak  five'])
})

test('control characters are escaped before they are measured', () => {
  expect(
    lay([
      ['\u001b[2J', 'x'],
      ['a\nb', 'y'],
    ]),
  ).toEqual(['\\u{1b}[2J  x', 'a\\nb       y'])
})

test('styles stay with their cells, and the padding has none', () => {
  const styled: Text = [{ text: 'failed', look: 'red' }]
  expect(
    layoutTable([
      ['passed', 'x'],
      [styled, 'y'],
    ]),
  ).toEqual(['passed  x', [{ text: '' }, { text: 'failed', look: 'red' }, { text: '' }, { text: '  ' }, { text: 'y' }]])
})
