import { expect, test } from 'vitest'
import { type Difference, diffTexts } from '../../../../src/judging/text/difference.ts'
import { differenceBlock } from '../../../../src/modes/refinement/show/difference.ts'
import { renderDiff } from '../../../../src/surfaces/terminal/render-diff.ts'

const shown = (found: Difference, terminal: boolean) => renderDiff(differenceBlock('a.md', found), terminal)

test('a diff has its colours and ends with its sums', () => {
  expect(shown(diffTexts('a.md', 'one\ntwo\n', 'one\n2\n3\n'), true)).toEqual([
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
  const found = diffTexts('a.md', '', long)
  const lines = shown(found, true)
  expect(lines).toHaveLength(1002)
  expect(lines.slice(-2).map(({ text }) => text)).toEqual(['… 2005 lines more', '1 hunk, +3,001 −0'])
  expect(shown(found, false)).toHaveLength(3006)
  expect(shown(diffTexts('a.md', '', 'x'.repeat(9000)), true)[3]?.text).toHaveLength(2000)
})

test('what took too long to compare is told with its counts, and what is the same as such', () => {
  expect(shown({ status: 'replaced', added: 1340, removed: 1200 }, true)).toEqual([
    { text: 'entire text replaced: +1,340 −1,200' },
  ])
  expect(shown({ status: 'same' }, true)).toEqual([{ text: 'No difference.' }])
})
