import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleanText, createFolds } from '../../../src/surfaces/repl/folds.ts'

const lines = (count: number): string => Array.from({ length: count }, (_, n) => `line ${n}`).join('\n')

test('up to three lines are shown, more become a tag', () => {
  const { fold } = createFolds()
  expect(fold('a\r\nb\rc\n', 'paste')).toBe('a⏎b⏎c⏎')
  expect(fold('a\tb', 'paste')).toBe('a⇥b')
  expect(fold(lines(4), 'paste')).toBe('[pasted 4 lines]')
  expect(fold('x'.repeat(401), 'paste')).toBe('[pasted 401 characters]')
  expect(fold(lines(5), 'history')).toBe('[5 lines: line 0 line 1 line 2 line 3 li…]')
})

test('the same text has the same tag, another text another tag', () => {
  const { fold, unfold } = createFolds()
  const [one, other] = [lines(12), lines(12).toUpperCase()]
  expect([one, other, one].map((text) => fold(text, 'paste'))).toEqual([
    '[pasted 12 lines]',
    '[pasted 12 lines #2]',
    '[pasted 12 lines]',
  ])
  expect(unfold('see [pasted 12 lines #2] and [pasted 12 lines], not [pasted 13 lines]')).toBe(
    `see ${other} and ${one}, not [pasted 13 lines]`,
  )
})

test('any text comes back as it was, also one that looks folded', () => {
  const part = fc.constantFrom(
    '[pasted 4 lines]',
    '⏎',
    '⇥',
    '[',
    ']',
    '\n',
    '\t',
    '\r\n',
    ' ',
    'ä',
    '👍',
    lines(4),
    '$&',
  )
  fc.assert(
    fc.property(fc.array(fc.array(fc.oneof(part, fc.string())), { maxLength: 5 }), (texts) => {
      const { fold, unfold } = createFolds()
      for (const parts of texts) {
        const text = cleanText(parts.join(''))
        expect(unfold(fold(text, 'paste'))).toBe(text)
        expect(fold(text, 'paste')).not.toMatch(/[\n\t\r\u2028]/)
      }
    }),
  )
})

test('a tag is deleted as a whole, whichever part of it a key deletes', () => {
  const { fold, mend } = createFolds()
  const tag = fold(lines(4), 'paste')
  const line = `a ${tag} b`
  const end = 2 + tag.length
  const deleted = (from: number, to: number) =>
    mend({ line, cursor: to }, { line: line.slice(0, from) + line.slice(to), cursor: from })
  expect(deleted(end - 1, end)).toEqual({ line: 'a  b', cursor: 2 })
  expect(deleted(end - 6, end + 2)).toEqual({ line: 'a ', cursor: 2 })
  expect(deleted(2, 3)).toEqual({ line: 'a  b', cursor: 2 })
  expect(deleted(1, 2)).toEqual({ line: `a${tag} b`, cursor: 1 })
  expect(deleted(end, end + 1)).toEqual({ line: `a ${tag}b`, cursor: end })
})

test('the cursor jumps over a tag', () => {
  const { fold, mend } = createFolds()
  const line = `a ${fold(lines(4), 'paste')} b`
  const end = line.length - 2
  expect(mend({ line, cursor: end }, { line, cursor: end - 1 })).toEqual({ line, cursor: 2 })
  expect(mend({ line, cursor: 2 }, { line, cursor: 3 })).toEqual({ line, cursor: end })
  expect(mend({ line, cursor: 0 }, { line, cursor: 1 })).toEqual({ line, cursor: 1 })
})
