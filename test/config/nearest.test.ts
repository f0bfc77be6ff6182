import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findNearest } from '../../src/contract/nearest.ts'

test.each([
  ['gatse', ['gates', 'agent'], 'gates'],
  ['gate', ['agent', 'gates'], 'gates'],
  ['biuld', ['build', 'plan'], 'build'],
  ['xyzzy', ['build', 'plan'], undefined],
  ['a', ['b'], 'b'],
  ['', ['build'], undefined],
  ['build', [], undefined],
])('nearest to %j among %j is %j', (word, candidates, expected) => {
  expect(findNearest(word, candidates)).toBe(expected)
})

test('one edit away from a word of four letters or more is always found', () => {
  const words = fc.string({ minLength: 4, maxLength: 20 })
  fc.assert(
    fc.property(words, fc.nat(), fc.string({ minLength: 1, maxLength: 1 }), (word, at, letter) => {
      const cut = at % word.length
      expect(findNearest(word.slice(0, cut) + word.slice(cut + 1), [word])).toBe(word)
      expect(findNearest(word.slice(0, cut) + letter + word.slice(cut), [word])).toBe(word)
    }),
  )
})
