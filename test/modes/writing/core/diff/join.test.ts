import { describe, expect, test } from 'vitest'
import type { ChangeLabel, DiffLabels } from '../../../../../src/modes/writing/contract/diff-labels.ts'
import { SemanticDiff } from '../../../../../src/modes/writing/contract/semantic-diff.ts'
import { computeDiff } from '../../../../../src/modes/writing/core/diff/compute.ts'
import { joinDiff } from '../../../../../src/modes/writing/core/diff/join.ts'
import { change } from './cases/case.ts'
import { type Files, makeLevel } from './level.ts'

const about = {
  iteration_id: 'it_1',
  target: 'chapters',
  request: 'Darker.',
  verdict: { judge: 'approved', attempts: 2 },
  model: 'm',
} as const

/** Joins labels with a diff. Without labels, the fallback is made. */
function join(before: Files, after: Files, changes?: readonly Partial<ChangeLabel>[]): SemanticDiff {
  const level = makeLevel(before, after)
  const labels: DiffLabels | undefined = changes && {
    changes: changes.map((said, at) =>
      change({
        id: `C${at + 1}`,
        hunks: [],
        units: [],
        type: 'rewrite',
        magnitude: 'minor',
        title: 'Something else',
        summary: '',
        before: '',
        after: '',
        ...said,
      }),
    ),
    impact: { tone: null, arcs: [], consistency: '' },
    risks: [],
    rationale: '',
  }
  return joinDiff(computeDiff(level), labels, { ...about, before: level.before, after: level.after })
}

const words = (count: number, word = 'word'): string =>
  Array.from({ length: count }, (_, at) => `${word}${at}`).join(' ')

const old = {
  'chapter-01.md': `Alpha here. Then ${words(20)}. Beta here.`,
  'chapter-02.md': 'Gamma here.\n\nDelta stays.',
}
const young = {
  'chapter-01.md': `Alpha there. Then ${words(20)}. Beta there.`,
  'chapter-02.md': 'Gamma there.\n\nDelta stays.',
}

describe('what a model says', () => {
  test('is joined with what code has found, in the form of the contract', () => {
    const diff = join(old, young, [
      { hunks: ['h1', 'h2'], units: ['u1'] },
      { hunks: ['h3'], units: ['Chapter 2'], depends_on: ['C1'], ripple_of: 'C1' },
    ])
    expect(SemanticDiff.parse(diff)).toEqual(diff)
    expect(diff).toMatchObject({
      ...about,
      fallback: false,
      unexplained_hunks: [],
      flags: [],
      coverage: { hunks_explained_pct: 100, quotes_verified_pct: 100 },
    })
    expect(diff.changes[1]).toMatchObject({ units: ['u2'], depends_on: ['C1'], ripple_of: 'C1' })
  })

  test('loses ids that do not exist, and is flagged for hunks and units', () => {
    const diff = join(old, young, [
      { hunks: ['h1', 'h1', 'h9'], units: ['u1', 'u7'], depends_on: ['C1', 'C8'], ripple_of: 'C8' },
    ])
    expect(diff.changes[0]).toMatchObject({ hunks: ['h1'], units: ['u1'], depends_on: [], ripple_of: null })
    expect(diff.unexplained_hunks).toEqual(['h2', 'h3'])
    expect(diff.coverage.hunks_explained_pct).toBe(33)
    expect(diff.flags.map(({ change: id, code }) => [id, code])).toEqual([
      ['C1', 'unknown-hunk'],
      ['C1', 'unknown-unit'],
      [null, 'unit-not-explained'],
    ])
  })

  test('has quotes that are verified on their side', () => {
    const diff = join(old, young, [
      {
        hunks: ['h1', 'h2', 'h3'],
        evidence: [
          { side: 'before', quote: 'alpha   HERE' },
          { side: 'after', quote: '“Alpha there.”' },
          { side: 'after', quote: 'Alpha here' },
          { side: 'before', quote: 'Alpha … Beta here' },
        ],
      },
    ])
    expect(diff.changes[0]!.evidence.map(({ verified }) => verified)).toEqual([true, true, false, true])
    expect(diff.coverage.quotes_verified_pct).toBe(75)
  })

  test('cannot hide a rewrite as a minor change', () => {
    const texts = [{ 'story.md': words(30) }, { 'story.md': words(30, 'other') }] as const
    expect(join(...texts, [{ hunks: ['h1'], magnitude: 'minor' }]).changes[0]!.magnitude).toBe('moderate')
    expect(join(...texts, [{ hunks: ['h1'], magnitude: 'major' }]).changes[0]!.magnitude).toBe('major')
  })

  test('may call one word major, but not a comma', () => {
    const story = `${words(50)}. The killer is Anna. ${words(50, 'more')}.`
    const magnitude = (after: string) =>
      join({ 'a.md': story }, { 'a.md': after }, [{ hunks: ['h1'], magnitude: 'major' }]).changes[0]!.magnitude
    expect(magnitude(story.replace('Anna', 'Jonas'))).toBe('major')
    expect(magnitude(story.replace('killer is', 'killer, is'))).toBe('minor')
  })
})

describe('without labels', () => {
  test('each changed unit is a change, with nothing but numbers', () => {
    const diff = join({ ...old, 'chapter-03.md': 'Same.' }, { ...young, 'chapter-03.md': 'Same.' })
    expect(SemanticDiff.parse(diff)).toEqual(diff)
    expect(diff.fallback).toBe(true)
    expect(diff.changes.map(({ title, hunks }) => [title, hunks])).toEqual([
      ['Chapter 1: 2 passages changed (+4/-4 words)', ['h1', 'h2']],
      ['Chapter 2: 1 passage changed (+2/-2 words)', ['h3']],
    ])
  })

  test.each<[string, Files, Files, object]>([
    ['a new file', {}, { 'a.md': 'One two.' }, { title: 'A: new (2 words)', type: 'add', magnitude: 'major' }],
    [
      'a removed file',
      { 'a.md': 'One two.' },
      {},
      { title: 'A: removed (2 words)', type: 'remove', magnitude: 'major' },
    ],
    [
      'a renamed file',
      { 'a.md': 'One.' },
      { 'b.md': 'One.' },
      { title: 'B: renamed from a.md', type: 'rename', magnitude: 'minor' },
    ],
    [
      'fields',
      { 'a.json': '{"a":1,"b":"two"}' },
      { 'a.json': '{"a":2,"b":"2"}' },
      { title: 'A: 2 fields changed (+2/-2 words)', summary: 'In /a, /b.' },
    ],
    [
      'spaces',
      { 'a.md': 'One. Two.' },
      { 'a.md': 'One.\nTwo.' },
      { title: 'A: only spaces or line breaks changed', type: 'format' },
    ],
    [
      'a section',
      { 'a.md': `# T\n\n${words(90)}.\n\n## Scene\n\nOne ${words(10)}.` },
      { 'a.md': `# T\n\n${words(90)}.\n\n## Scene\n\nTwo ${words(10)}.` },
      { summary: 'In Scene.', magnitude: 'moderate', type: 'rewrite' },
    ],
  ])('%s', (_, before, after, expected) => {
    expect(join(before, after).changes).toMatchObject([expected])
  })
})
