import { expect, test } from 'vitest'
import { differenceOf } from '../../../../src/judging/text/difference.ts'
import { differenceLines, handOverLines } from '../../../../src/modes/refinement/show/hand-over-lines.ts'
import { createScreen } from '../../../../src/surfaces/terminal/screen.ts'

test('a diff has its colours and ends with its sums', () => {
  const lines = differenceLines(differenceOf('a.md', 'one\ntwo\n', 'one\n2\n3\n'), true)
  expect(lines).toEqual([
    { text: '--- a.md', look: 'bold' },
    { text: '+++ a.md', look: 'bold' },
    { text: '@@ -1,2 +1,3 @@', look: 'cyan' },
    { text: ' one' },
    { text: '-two', look: 'red' },
    { text: '+2', look: 'green' },
    { text: '+3', look: 'green' },
    { text: '1 hunk, +2 −1' },
  ])
})

test('a terminal gets as much as a person reads, a program gets all', () => {
  const long = Array.from({ length: 3000 }, (_, n) => `${n}\n`).join('') + 'x'.repeat(9000)
  const found = differenceOf('a.md', '', long)
  const shown = differenceLines(found, true)
  expect(shown).toHaveLength(1002)
  expect(shown.slice(-2).map(({ text }) => text)).toEqual(['… 2005 lines more', '1 hunk, +3,001 −0'])
  expect(differenceLines(found, false)).toHaveLength(3006)
  expect(differenceLines(differenceOf('a.md', '', 'x'.repeat(9000)), true)[3]?.text).toHaveLength(2000)
})

test('what took too long to compare is told with its counts, and what is the same as such', () => {
  expect(differenceLines({ status: 'replaced', added: 1340, removed: 1200 }, true)).toEqual([
    { text: 'whole text replaced: +1,340 −1,200' },
  ])
  expect(differenceLines({ status: 'same' }, true)).toEqual([{ text: 'No difference.' }])
})

test('what was not written comes with the command that takes it', () => {
  expect(handOverLines({ did: 'kept', says: 'a.md has changed.', next: 'pawl show r1 --text > FILE' })).toEqual([
    'a.md has changed. To take it: pawl show r1 --text > FILE',
  ])
  expect(handOverLines({ did: 'kept', says: 'The best text so far:', next: 'pawl show r1 --text' })).toEqual([
    'The best text so far: pawl show r1 --text',
  ])
  expect(handOverLines({ did: 'shown', says: '' })).toEqual([])
})

test('a finished line has its colour, and none where people do not want any', () => {
  const said = (env: NodeJS.ProcessEnv): string => {
    const raw: string[] = []
    const sink = {
      line: () => {},
      raw: (text: string) => void raw.push(text),
      unread: () => 0,
      closed: () => false,
      flush: async () => {},
    }
    const terminal = { columns: 80, rows: 24, on: () => process.stdout, off: () => process.stdout }
    createScreen(sink, terminal, env).line('+2', 'green')
    return raw.join('')
  }
  expect(said({})).toBe('\u001b[32m+2\u001b[0m\n')
  expect(said({ NO_COLOR: '1' })).toBe('+2\n')
})
