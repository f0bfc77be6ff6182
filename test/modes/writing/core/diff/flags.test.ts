import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ChangeLabel } from '../../../../../src/modes/writing/contract/diff-labels.ts'
import { computeDiff } from '../../../../../src/modes/writing/core/diff/compute.ts'
import { joinDiff } from '../../../../../src/modes/writing/core/diff/join.ts'
import { change } from './cases/case.ts'
import { makeLevel } from './level.ts'

const level = makeLevel(
  {
    'foundation.md': '# Cast\n\nTone: light\nHero: Ada\n',
    'chapter-01.md':
      '# The Road\n\nAda walked home. It was late. She had waited five days.\n\nThe dog slept by the door until the morning came, and then it followed the cart to the mill and back.\n',
    'chapter-02.md': '# The Valley\n\nNothing happened in the valley that year.\n',
  },
  {
    'foundation.md': '# Cast\n\nTone: grim\nHero: Ada\n',
    'chapter-01.md':
      '# The Road\n\nAda ran straight home. It was late. She had waited seven days.\n\nThe dog slept by the door until the morning came, and then it followed the cart to the mill and back.\n',
    'chapter-02.md': '# The Valley\n\nNothing happened in the valley that year.\n',
  },
)
const computed = computeDiff(level)
const run = computed.hunks.filter(({ unit }) => unit === 'u2').map(({ id }) => id)
const tone = computed.hunks.filter(({ unit }) => unit === 'u1').map(({ id }) => id)

/** The flags for a change of chapter 1 that says this, and for a conclusion. */
function flag(said: Partial<ChangeLabel>, rationale = '', overall: { from: string; to: string } | null = null) {
  const base = { type: 'rewrite', magnitude: 'moderate', summary: '', before: '', after: '' } as const
  const changes = [
    change({ ...base, id: 'C1', hunks: run, units: ['u2'], title: 'Ada hurries', ...said }),
    change({ ...base, id: 'C2', hunks: tone, units: ['u1'], title: 'A grim tone' }),
  ]
  const labels = { changes, impact: { tone: overall, arcs: [], consistency: '' }, risks: [], rationale }
  const about = {
    iteration_id: 'it_1',
    target: 'chapters',
    request: 'Let Bo win',
    verdict: { judge: 'none', attempts: 0 },
    model: null,
  } as const
  return joinDiff(computed, labels, { ...about, before: level.before, after: level.after }).flags
}

const codes = (...about: Parameters<typeof flag>) => flag(...about).map(({ code }) => code)

test('a flag names the change, the claim and what is true', () => {
  expect(flag({ summary: 'Chapter 2 was rewritten.' })).toEqual([
    { change: 'C1', code: 'claims-change-where-none', says: '“Chapter 2 was rewritten.”: Chapter 2: not changed' },
  ])
  expect(flag({}, 'Three files changed.')).toEqual([
    { change: null, code: 'count-differs', says: expect.stringContaining('2 of 3') },
  ])
})

test.each([
  'Chapter 2',
  'Chapter two',
  'The second chapter',
  'The last chapter',
  'Chapters 2-2',
  'The title of chapter 2',
])('%s is recognised', (subject) => {
  expect(codes({}, `${subject} was rewritten.`)).toEqual(['claims-change-where-none'])
  expect(codes({}, `${subject} was not rewritten.`)).toEqual([])
})

describe('a claim is only checked if it is one', () => {
  test.each([
    ['a possibility', 'Chapter 2 should be rewritten next.'],
    ['a condition', 'If chapter 2 was rewritten, the valley would matter.'],
    ['an exception', 'Chapter 1 is unchanged except for two sentences.'],
    ['the others', 'All other chapters are unchanged.'],
    ['an active verb', 'Chapter 2 changes its meaning now.'],
    ['a part of a phrase', 'The mood of chapter 2 changes.'],
    ['words of the request', 'The wish to let Bo win is not met.'],
  ])('%s', (_, rationale) => {
    expect(codes({}, rationale)).toEqual([])
    expect(codes({ summary: rationale })).toEqual([])
  })
})

describe('each kind of claim has its code', () => {
  test.each<[string, Partial<ChangeLabel>, readonly string[]]>([
    ['an unknown hunk', { hunks: [...run, 'h99'] }, ['unknown-hunk']],
    ['an unknown unit', { units: ['u2', 'u99'] }, ['unknown-unit']],
    ['a chapter that there is not', { summary: 'As in chapter 7.' }, ['unknown-unit']],
    ['a unit without its hunks', { units: ['u2', 'u3'] }, ['wrong-unit']],
    ['the title of another unit', { title: 'Chapter 2: Ada hurries' }, ['wrong-unit']],
    ['a quote that nobody wrote', { evidence: [{ side: 'after', quote: 'Ada flew home' }] }, ['quote-not-found']],
    ['such a quote in a sentence', { summary: 'It ends with “and she never came back”.' }, ['quote-not-found']],
    [
      'a fact that is not there',
      { facts: [{ entity: 'Ada', attribute: 'gait', from: 'walked', to: 'flew' }] },
      ['fact-not-found'],
    ],
    [
      'a fact that did not change',
      { facts: [{ entity: 'dog', attribute: 'state', from: 'slept', to: 'slept' }] },
      ['claims-change-where-none'],
    ],
    [
      'swapped gists',
      { before: 'Ada ran; seven days.', after: 'Ada walked; five days.' },
      ['direction-differs', 'fact-not-found', 'fact-not-found'],
    ],
    ['a move', { type: 'reorder' }, ['claims-change-where-none']],
    ['a denial', { summary: 'No sentence changed.' }, ['denies-change']],
    ['a removal', { type: 'remove', hunks: run.slice(0, 1) }, ['direction-differs']],
    ['nothing lost', { summary: 'All sentences are kept.' }, []],
    ['a wrong place', { locator: 'Ending' }, ['wrong-unit']],
    ['a length', { summary: 'Chapter 1 is longer now.' }, []],
    ['another length', { summary: 'Chapter 1 is 60 % longer.' }, ['count-differs']],
    ['the other direction', { summary: 'Chapter 1 is shorter.' }, ['direction-differs']],
  ])('%s', (_, said, expected) => {
    expect(codes(said)).toEqual(expected)
  })

  test('a changed unit that no change explains', () => {
    expect(codes({ hunks: tone, units: ['u1'], title: 'The tone' })).toEqual(['unit-not-explained'])
  })

  test('a tone that the text does not have', () => {
    expect(codes({}, '', { from: 'light', to: 'grim' })).toEqual([])
    expect(codes({}, '', { from: 'light', to: 'festive' })).toEqual(['fact-not-found'])
    expect(codes({}, '', { from: 'carefree', to: 'bleak' })).toEqual([])
  })
})

describe('numbers', () => {
  test.each<[string, Partial<ChangeLabel>, readonly string[]]>([
    ['of the right side', { before: 'She waited five days.', after: 'She waited seven days.' }, []],
    ['of the wrong side', { before: 'She waited seven days.' }, ['fact-not-found']],
    ['in other measures', { after: 'She waited one week, that is 168 hours.' }, []],
    ['with another measure', { after: 'She waited seven months.' }, ['fact-not-found']],
    ['in another order', { summary: 'The wait goes from seven days to five days.' }, ['direction-differs']],
    ['of things that nobody added', { summary: 'Five scenes are added.' }, ['count-differs']],
  ])('%s', (_, said, expected) => {
    expect(codes(said)).toEqual(expected)
  })
})

describe('names', () => {
  test.each<[string, Partial<ChangeLabel>, readonly string[]]>([
    ['that occur', { summary: 'Now Ada runs.' }, []],
    ['that occur nowhere', { summary: 'Now Berta runs.' }, ['fact-not-found']],
    ['of people who are still there', { summary: 'Ada was removed.' }, ['claims-change-where-none']],
    ['of people who lost an office', { summary: 'Ada was removed from office.' }, []],
  ])('%s', (_, said, expected) => {
    expect(codes(said)).toEqual(expected)
  })
})

test('whatever a model says, checking it ends, and quickly', () => {
  const piece = fc.constantFrom(
    'chapter',
    'chapters 1-9',
    '1,',
    'and',
    'was',
    'removed',
    'all',
    '⟦0⟧',
    '"',
    'Ada',
    'three',
    'new',
    'scenes',
    '%',
    '+15',
    'from',
    'to',
    'no',
    'changes',
    '(',
    '$',
    '\\',
    '.',
    ':',
    '\n',
    'Tone',
    'longer',
    'the',
    'of',
  )
  const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(' '))
  const start = performance.now()
  fc.assert(
    fc.property(text, text, text, (title, summary, rationale) => {
      flag(
        {
          title: title || 'x',
          summary,
          before: summary,
          after: title,
          locator: title,
          why: summary,
          facts: [{ entity: '', attribute: '', from: title, to: summary }],
        },
        rationale,
      )
    }),
    { numRuns: 300 },
  )
  for (const word of [
    'chapters 1, ',
    '1, 2 and 3 ',
    'is was removed ',
    '"aaaa bbb ccc ddd ',
    'all of the new two chapters and chapter 1 and ',
    ' ',
  ])
    flag(
      { title: 'x', summary: word.repeat(20_000), before: word.repeat(20_000), locator: word.repeat(20_000) },
      word.repeat(20_000),
    )
  expect(performance.now() - start).toBeLessThan(30_000)
})
