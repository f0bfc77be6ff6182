import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Piece, pruneText } from '../../../src/modes/refinement/core/prune.ts'

const estimateTokens = (text: string): number => Math.ceil(text.length / 4)
const room = (tokens: number, about = '') => ({ tokens, about, estimateTokens, elapsed: () => 0, deadline: 200 })
const piece = (label: string, ...paragraphs: string[]): Piece => ({ label, text: paragraphs.join('\n\n') })
const size = (pieces: readonly Piece[]): number => pieces.reduce((sum, { text }) => sum + estimateTokens(text), 0)

test('what fits is left as it is', () => {
  const pieces = [piece('a', 'one', 'two'), piece('b', 'three')]
  expect(pruneText(pieces, room(100))).toEqual({ pieces, prunedTokens: 0 })
})

test('what has to do with the matter stays, in its order, and gaps are marked', () => {
  const pieces = [
    piece(
      'notes',
      'Billing runs at night on the ledger.',
      'Lunch is at noon in the garden.',
      'The ledger is closed on Sundays.',
    ),
    piece('menu', 'Soup and bread, every day of the week.'),
  ]
  const { pieces: kept, prunedTokens } = pruneText(pieces, room(18, 'when does billing close the ledger'))
  expect(kept).toEqual([
    { label: 'notes', text: 'Billing runs at night on the ledger.\n\n[…]\n\nThe ledger is closed on Sundays.' },
  ])
  expect(prunedTokens).toBe(estimateTokens(pieces[0]!.text.split('\n\n')[1]!) + estimateTokens(pieces[1]!.text))
})

test('of what is equally to the matter, the newer stays', () => {
  const pieces = [piece('old', 'a phase about the plan'), piece('new', 'a phase about the plan')]
  expect(pruneText(pieces, room(6, 'plan')).pieces.map(({ label }) => label)).toEqual(['new'])
})

test('it is never more than there is room for, and what is kept and pruned is all there was', () => {
  const pieces = fc.array(fc.record({ label: fc.string(), text: fc.string({ maxLength: 200 }) }), { maxLength: 6 })
  fc.assert(
    fc.property(pieces, fc.nat(100), (given, tokens) => {
      const { pieces: kept, prunedTokens } = pruneText(given, room(tokens, 'some words'))
      const marks = kept.reduce((sum, { text }) => sum + 2 * text.split('[…]').length, 0)
      if (prunedTokens > 0) expect(size(kept)).toBeLessThanOrEqual(tokens + marks)
      expect(prunedTokens).toBeGreaterThanOrEqual(0)
    }),
  )
})

test('a mebibyte does not hold it up, and past its time it is cut without being weighed', () => {
  const pieces = [piece('long', ...Array.from({ length: 8000 }, (_, index) => `paragraph ${index} `.repeat(8)))]
  const best = Math.min(
    ...[1, 2, 3].map(() => {
      const began = performance.now()
      pruneText(pieces, { ...room(4000, 'paragraph of the ledger'), elapsed: () => performance.now() - began })
      return performance.now() - began
    }),
  )
  // Its own limit is 200 ms; a machine that is busy elsewhere is given more.
  expect(best).toBeLessThan(2000)
  const late = pruneText([piece('a', 'ledger', 'x'), piece('b', 'y')], { ...room(1, 'ledger'), elapsed: () => 300 })
  expect(late.pieces.map(({ label }) => label)).toEqual(['b'])
})
