import fc from 'fast-check'
import { expect, test } from 'vitest'
import { alignItems, listPairs } from '../../../src/judging/text/align.ts'

const align = (before: string, after: string, left = 1e6) => {
  const found = alignItems([...before], [...after], { left })
  return found && listPairs(found).map(({ a, b }) => `${before[a]}${a}=${b}`)
}

const items = fc.stringMatching(/^[a-h]{0,40}$/)

test('pairs are equal items in the order of both sides, and nothing between two pairs is left that could be one', () => {
  fc.assert(
    fc.property(items, items, (before, after) => {
      const found = alignItems([...before], [...after], { left: 1e6 })!
      const pairs = listPairs(found)
      expect(pairs.every(({ a, b }) => before[a] === after[b])).toBe(true)
      const count = (flags: Uint8Array): number => flags.reduce((sum, flag) => sum + flag, 0)
      expect([before.length - count(found.removed), after.length - count(found.added)]).toEqual([
        pairs.length,
        pairs.length,
      ])
      const gaps = [...pairs, { a: before.length, b: after.length }].map((next, at) => {
        const last = pairs[at - 1] ?? { a: -1, b: -1 }
        return [before.slice(last.a + 1, next.a), after.slice(last.b + 1, next.b)] as const
      })
      expect(gaps.filter(([one, other]) => [...one].some((item) => other.includes(item)))).toEqual([])
    }),
    { numRuns: 500 },
  )
})

test('an item that each side has once is worth more than one that is everywhere', () => {
  expect(align('-a-b-', '-x-b-')).toEqual(['-0=0', '-2=2', 'b3=3', '-4=4'])
  expect(align('A----', '----A')).toEqual(['A0=4'])
})

test('of items that changed places, the most stay', () => {
  expect(align('abcdef', 'fabcde')).toEqual(['a0=1', 'b1=2', 'c2=3', 'd3=4', 'e4=5'])
})

test('gives up after a number of steps, and takes few when little is allowed', () => {
  expect(align('abc', 'abd', 5)).toBeUndefined()
  const budget = { left: 100_000 }
  const [before, after] = ['ab'.repeat(5000), 'ba'.repeat(2000) + 'abba'.repeat(1500)].map((text) => [...text])
  alignItems(before!, after!, budget)
  expect(budget.left).toBeGreaterThanOrEqual(0)
})
