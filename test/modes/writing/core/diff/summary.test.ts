import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SemanticDiff } from '../../../../../src/modes/writing/contract/semantic-diff.ts'
import { summarizeDiff } from '../../../../../src/modes/writing/core/diff/summary.ts'

type Magnitude = SemanticDiff['changes'][number]['magnitude']

const summarize = (changes: readonly (readonly [string, Magnitude])[]): string =>
  summarizeDiff({
    changes: changes.map(([title, magnitude]) => ({ title, magnitude })),
    stats: { files_changed: 2, files_total: 5 },
  } as unknown as SemanticDiff)

test('the titles are sentences, the largest changes first', () => {
  expect(
    summarize([
      ['A comma is gone', 'minor'],
      ['Chapter 3 is darker!', 'major'],
      ['  Pell\nleaves ', 'moderate'],
    ]),
  ).toBe('Chapter 3 is darker! Pell leaves. A comma is gone.')
})

test('titles that do not fit are counted', () => {
  const text = summarize(
    Array.from({ length: 30 }, (_, at) => [`Change number ${at} of the long list`, 'minor'] as const),
  )
  expect(text.length).toBeLessThanOrEqual(600)
  expect(text).toMatch(/Change number \d+ of the long list\. And \d+ more changes\.$/)
})

test('a title that is too long alone is replaced by numbers', () => {
  expect(summarize([['x'.repeat(700), 'major']])).toBe('1 changes in 2 of 5 files.')
})

test('any titles give at most 600 characters of whole titles', () => {
  const title = fc.string({ maxLength: 300 }).filter((text) => text.trim() !== '')
  fc.assert(
    fc.property(
      fc.array(fc.tuple(title, fc.constantFrom<Magnitude>('major', 'moderate', 'minor')), { maxLength: 12 }),
      (changes) => {
        const text = summarize(changes)
        expect(text.length).toBeLessThanOrEqual(600)
        const titles = changes.map(([one]) => one.replace(/\s+/g, ' ').trim())
        if (changes.length > 0 && !/^\d+ changes in/.test(text))
          expect(titles.some((one) => text.startsWith(one))).toBe(true)
      },
    ),
  )
})
