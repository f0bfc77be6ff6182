import { describe, expect, test } from 'vitest'
import { findFailedChecks } from '../../../src/judging/scoring/checks.ts'
import { fastestMs } from './judges.ts'

/** What does not grow with the square of its input is far below, on any machine. */
const hangsAboveMs = 3000

describe('checks of code tell their figure and nobody’s words', () => {
  test.each([
    ['long enough', { leastWords: 3 }, 'one two three', []],
    ['too short', { leastWords: 4 }, 'one two three', ['words 3 < 4']],
    ['nothing at all', { leastWords: 1 }, ' \n ', ['words 0 < 1']],
    ['too long', { mostWords: 2 }, 'one\ntwo\u00A0three', ['words 3 > 2']],
    ['headings in other dress', { headings: ['Goal', 'Open questions'] }, '# 1. goal\n\n### Open  Questions: ##\n', []],
    ['a heading too few', { headings: ['Goal', 'Risks'] }, '# Goal\nRisks\n#Risks', ['headings missing 1 of 2']],
    ['a heading only in code', { headings: ['Goal'] }, '```\n# Goal\n```', ['headings missing 1 of 1']],
    ['a heading behind code', { headings: ['Goal'] }, '```\nx\n```\n# Goal', []],
    ['a heading behind a longer fence', { headings: ['Goal'] }, '````\n```\n# Goal\n````', ['headings missing 1 of 1']],
    ['banned words', { banned: ['synergy', 'best in class'] }, 'Synergy is BEST\nin class.', ['banned words 2']],
    ['banned words inside others', { banned: ['AI', 'c++'] }, 'He said: samurai aim well.', []],
    ['banned marks', { banned: ['TODO', '—'] }, 'Done — TODO: rest', ['banned words 2']],
    ['no repeats', { mostRepeats: 1 }, 'a b c d e f g h i j', []],
    ['repeats', { mostRepeats: 2 }, 'a b c d e f g h. '.repeat(3), ['repeats 3 > 2']],
    ['repeats as often as allowed', { mostRepeats: 3 }, 'a b c d e f g h. '.repeat(3), []],
    ['the same word on and on', { mostRepeats: 3 }, 'ha '.repeat(12), ['repeats 5 > 3']],
    ['short of a run', { mostRepeats: 1 }, 'ha ha ha', []],
    ['JSON', { json: true }, ' {"a":[1]}\n', []],
    ['no JSON', { json: true }, '{"a":[1],}', ['no JSON']],
    ['deep JSON that never ends', { json: true }, '['.repeat(200_000), ['no JSON']],
    ['several at once', { mostWords: 1, json: true }, 'two words', ['words 2 > 1', 'no JSON']],
    ['none asked for', {}, 'anything', []],
  ] as const)('%s', (_, checks, text, failed) => {
    expect(findFailedChecks(text, checks)).toEqual(failed)
  })
})

const mebibyte = 1024 * 1024
const all = {
  leastWords: 1,
  mostWords: 9_000_000,
  headings: Array.from({ length: 50 }, (_, at) => `Heading ${at}`),
  banned: Array.from({ length: 40 }, (_, at) => `word${at}`),
  mostRepeats: 1000,
  json: true,
} as const

test.each([
  ['words', Array.from({ length: 150_000 }, (_, at) => `w${at}`).join(' ')],
  ['single letters', 'a b '.repeat(mebibyte / 4)],
  ['one letter', 'a'.repeat(mebibyte)],
  ['blanks', ' '.repeat(mebibyte)],
  ['line ends', '\n'.repeat(mebibyte)],
  ['hashes', '# '.repeat(mebibyte / 2)],
  ['hash lines', '#\n'.repeat(mebibyte / 2)],
  ['fences', '```\n'.repeat(mebibyte / 4)],
  ['colons behind a heading', `# ${':'.repeat(mebibyte)}x`],
])('a mebibyte of %s does not hold it up', (_, text) => {
  expect(fastestMs(() => findFailedChecks(text, all))).toBeLessThan(hangsAboveMs)
})
