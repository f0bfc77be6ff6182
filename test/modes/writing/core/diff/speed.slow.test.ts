import { describe, expect, test } from 'vitest'
import { compareFiles, compareText } from './level.ts'

/** Code without quadratic behaviour stays far below this on any machine. */
const hangsAboveMs = 15_000

function measure<Value>(work: () => Value): { readonly value: Value; readonly ms: number } {
  const start = performance.now()
  return { value: work(), ms: performance.now() - start }
}

/** Numbers that look random and are the same in each run. */
function createNumbers(): (below: number) => number {
  let seed = 7
  return (below) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((seed / 2 ** 32) * below)
  }
}

test('a novel of 300,000 words with one changed sentence in twenty', () => {
  const next = createNumbers()
  const sentence = (): string => `The ${Array.from({ length: 5 + next(15) }, () => `word${next(3000)}`).join(' ')}.`
  const novel = Array.from({ length: 100 }, () => Array.from({ length: 47 }, () => Array.from({ length: 5 }, sentence)))
  const print = (change: (text: string) => string) =>
    Object.fromEntries(
      novel.map((chapter, at) => {
        const body = chapter.map((paragraph) => paragraph.map(change).join(' ')).join('\n\n')
        return [`chapter-${String(at + 1).padStart(3, '0')}.md`, `# Chapter ${at + 1}\n\n${body}\n`]
      }),
    )
  const [before, after] = [print((text) => text), print((text) => (next(20) === 0 ? sentence() : text))]
  const { value, ms } = measure(() => compareFiles(before, after))
  expect(value.stats.words_before).toBeGreaterThan(300_000)
  expect(value.limited).toBe(false)
  expect(value.hunks.length).toBeGreaterThan(1000)
  expect(ms).toBeLessThan(hangsAboveMs)
})

describe('hostile texts take bounded time', () => {
  const next = createNumbers()
  const lines = (count: number, variety: number): string =>
    Array.from({ length: count }, () => `line ${next(variety)}`).join('\n\n')
  const list = (variety: number): string => JSON.stringify(Array.from({ length: 100_000 }, () => next(variety)))

  test.each([
    ['one line of 5 MB', 'word '.repeat(1e6), 'wort '.repeat(1e6)],
    ['one line of dots', '.'.repeat(3e6), `${'.'.repeat(3e6)}x`],
    ['one line of short sentences', 'Ab. '.repeat(5e5), `${'Ab. '.repeat(3e5)}Cd. ${'Ab. '.repeat(2e5)}`],
    ['a line of blanks', `${' '.repeat(3e6)}x`, `${' '.repeat(3e6)}y`],
    ['equal lines', 'same\n'.repeat(1e5), `${'same\n'.repeat(5e4)}x\n${'same\n'.repeat(4e4)}`],
    ['equal paragraphs', 'same\n\n'.repeat(1e5), `x\n\n${'same\n\n'.repeat(9e4)}`],
    ['two different lines in disorder', lines(1e5, 2), lines(1e5, 2)],
    ['a thousand different lines in disorder', lines(1e5, 1000), lines(1e5, 1000)],
    ['all lines different', lines(1e5, 1e12), lines(1e5, 1e12)],
    ['rules', 'x\n---\n'.repeat(1e5), 'y\n---\n'.repeat(1e5)],
    ['fences', '```\n'.repeat(1e5), '~~~\n'.repeat(1e5)],
    ['marks of headings', `# ${'#'.repeat(2e6)}`, `# ${' #'.repeat(1e6)}`],
  ])('%s', (_, before, after) => {
    const { value, ms } = measure(() => compareText(before, after))
    expect(value.hunks.length).toBeGreaterThan(0)
    expect(ms).toBeLessThan(hangsAboveMs)
  })

  test.each([
    ['a long list', list(50), list(50)],
    ['deep nesting', `${'['.repeat(1e5)}${']'.repeat(1e5)}`, `${'['.repeat(9e4)}${']'.repeat(9e4)}`],
  ])('JSON: %s', (_, before, after) => {
    const { value, ms } = measure(() => compareFiles({ 'a.json': before }, { 'a.json': after }))
    expect(value.hunks).toHaveLength(1)
    expect(ms).toBeLessThan(hangsAboveMs)
  })
})

describe('what is too long or too different', () => {
  test('is one hunk, and says so', () => {
    const [before, after] = ['word '.repeat(1e6), 'wort '.repeat(1e6)]
    const diff = compareText(before, after)
    expect(diff.limited).toBe(true)
    expect(diff.hunks).toHaveLength(1)
    expect(diff.hunks[0]).toMatchObject({ before: { start: 1, lines: 1, text: before }, words_before: 1e6 })
  })

  test('depends on steps, not on the time', () => {
    const [before, after] = ['One. Two.\n\nThree.', 'One. 2.\n\nThree.']
    expect(compareText(before, after, { mostSteps: 1 })).toMatchObject({
      limited: true,
      hunks: [{ before: { text: before }, after: { text: after } }],
    })
    expect(compareText(before, after).limited).toBe(false)
  })
})
