import { expect, test } from 'vitest'
import { cleanOutput } from '../../../src/judging/text/clean-output.ts'
import { diffTexts } from '../../../src/judging/text/difference.ts'

const textsOf = (before: string, after: string): string[] => {
  const found = diffTexts('a.md', before, after)
  return found.status === 'changed' ? found.lines.map(({ text }) => text) : [found.status]
}

test('a unified diff names the file, its hunks and its lines', () => {
  const before = 'a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\n'
  expect(textsOf(before, before.replace('b', 'B').replace('k\n', ''))).toEqual([
    '--- a.md',
    '+++ a.md',
    '@@ -1,5 +1,5 @@',
    ' a',
    '-b',
    '+B',
    ' c',
    ' d',
    ' e',
    '@@ -8,5 +8,4 @@',
    ' h',
    ' i',
    ' j',
    '-k',
    ' l',
  ])
  expect(diffTexts('a.md', before, before.replace('b', 'B').replace('k\n', ''))).toMatchObject({
    hunks: 2,
    added: 1,
    removed: 2,
  })
})

test('a new text has no line before it, a missing last newline is told', () => {
  expect(textsOf('', 'a')).toEqual(['--- a.md', '+++ a.md', '@@ -0,0 +1,1 @@', '+a', '\\ No newline at end of file'])
  expect(textsOf('a\n', 'a\n')).toEqual(['same'])
})

test('lines that look like parts of a diff are counted as what they are', () => {
  expect(diffTexts('a.md', 'x\n-- y\n', 'x\n++ y\n')).toMatchObject({ hunks: 1, added: 1, removed: 1 })
})

test('texts of a mebibyte that have nothing in common are given up in time', () => {
  const lines = (mark: string): string => Array.from({ length: 120_000 }, (_, n) => `${mark}${n}`).join('\n')
  const began = performance.now()
  const found = diffTexts('a.md', lines('a'), lines('b'), 200)
  expect(performance.now() - began).toBeLessThan(2000)
  expect(found).toEqual({ status: 'replaced', added: 120_000, removed: 120_000 })
})

test('escape sequences without an end cost one pass', () => {
  const attacks = ['\u001b[', '\u001b]', '\u001b[1;', '\u001bP', '\u001b'].map((start) => start.repeat(1 << 19))
  const began = performance.now()
  for (const attack of [...attacks, `\u001b]8;;${'a'.repeat(1 << 20)}`])
    expect(cleanOutput(attack)).not.toContain('\u001b')
  expect(performance.now() - began).toBeLessThan(3000)
  expect(cleanOutput('a\u001b]0;title\nb')).toBe('a\nb')
})
