import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SemanticDiff } from '../../../../../src/modes/writing/contract/semantic-diff.ts'
import { applyPicks } from '../../../../../src/modes/writing/core/diff/apply.ts'
import { compareFiles, type Files } from './level.ts'

type Owner = {
  readonly id: string
  readonly hunks: readonly string[]
  readonly depends_on?: readonly string[]
  readonly units?: readonly string[]
}

/** A diff with these changes. Without them, each hunk is a change of its own: C1 has h1. Moves are not marked unless asked for. */
function makeDiff(before: Files, after: Files, owners?: readonly Owner[], keepMoves = false): SemanticDiff {
  const { hunks, ...computed } = compareFiles(before, after)
  const list = owners ?? hunks.map(({ id }) => ({ id: id.replace('h', 'C'), hunks: [id] }))
  const explained = new Set(list.flatMap((owner) => owner.hunks))
  return {
    schema: 'semdiff/1',
    iteration_id: 'it_1',
    target: 'chapters',
    request: '',
    ...computed,
    hunks: keepMoves ? hunks : hunks.map((hunk) => ({ ...hunk, moved: null })),
    changes: list.map((owner) => ({
      magnitude: 'minor',
      type: 'rewrite',
      units: [],
      locator: '',
      title: '',
      summary: '',
      before: '',
      after: '',
      facts: [],
      why: '',
      depends_on: [],
      ripple_of: null,
      evidence: [],
      ...owner,
    })),
    unexplained_hunks: hunks.map(({ id }) => id).filter((id) => !explained.has(id)),
    impact: { tone: null, arcs: [], consistency: '' },
    risks: [],
    rationale: '',
    coverage: { hunks_explained_pct: 0, quotes_verified_pct: 0 },
    flags: [],
    verdict: { judge: 'none', attempts: 0 },
    fallback: false,
    model: null,
  }
}

const apply = (diff: SemanticDiff, before: Files, after: Files, picked: readonly string[]) =>
  applyPicks(diff, new Map(Object.entries(before)), new Map(Object.entries(after)), picked)

/** Applies to a single file. */
function applyText(before: string, after: string, picked: readonly string[], owners?: readonly Owner[]): string | null {
  const [old, young] = [{ 'story.md': before }, { 'story.md': after }]
  const result = apply(makeDiff(old, young, owners), old, young, picked)
  if ('refused' in result) throw new Error(result.refused)
  return result.files.get('story.md')!
}

describe('some hunks of a text', () => {
  test('sentences of one paragraph', () => {
    const before = 'One was red. Two stayed. Three was red.\n'
    const after = 'One is blue. Two stayed. Three is blue. Four came.\n'
    expect(applyText(before, after, ['C1'])).toBe('One is blue. Two stayed. Three was red.\n')
    expect(applyText(before, after, ['C2'])).toBe('One was red. Two stayed. Three is blue. Four came.\n')
  })

  test('added and removed paragraphs keep the empty lines between them', () => {
    const [a, b, c, d] = ['Alpha goes first here.', 'Beta is dropped.', 'Gamma is kept as it is.', 'Delta is added.']
    const [before, after] = [`${a}\n\n${b}\n\n${c}\n`, `${a}\n\n${c}\n\n${d}\n`]
    expect(applyText(before, after, ['C1'])).toBe(`${a}\n\n${c}\n`)
    expect(applyText(before, after, ['C2'])).toBe(`${a}\n\n${b}\n\n${c}\n\n${d}\n`)
  })

  test('a removed last paragraph and an added one are two paragraphs if both stay', () => {
    const passage = 'This passage has more than eight words and it moves up.'
    const before = `Start.\n\nMiddle is here.\n\n${passage}\n`
    const after = `${passage}\n\nStart.\n\nMiddle is here.\n\n- New end\n`
    const diff = makeDiff({ a: before }, { a: after })
    const last = diff.hunks.filter(({ after: side }) => side.text === '- New end').map(({ id }) => id.replace('h', 'C'))
    const result = apply(diff, { a: before }, { a: after }, last)
    expect(result).toEqual({ files: new Map([['a', `Start.\n\nMiddle is here.\n\n- New end\n\n${passage}\n`]]) })
  })

  test('fields of JSON, in the form of the new text', () => {
    const old = { 'a.json': '{"a": 1, "gone": "x", "list": [1, 2, 3]}' }
    const young = {
      'a.json': '{\n    "a": 2,\n    "list": [\n        1,\n        5,\n        3,\n        4\n    ]\n}\n',
    }
    const diff = makeDiff(old, young)
    const ids = diff.hunks.map(({ id, field }) => [field, id.replace('h', 'C')])
    const { '/a': a, '/list/1': second, '/gone': gone } = Object.fromEntries(ids)
    const pick = (...picked: string[]) => {
      const result = apply(diff, old, young, picked)
      return 'files' in result ? JSON.parse(result.files.get('a.json')!) : result
    }
    expect(pick(a)).toEqual({ a: 2, gone: 'x', list: [1, 2, 3] })
    expect(pick(second, gone)).toEqual({ a: 1, list: [1, 5, 3] })
    const result = apply(diff, old, young, [gone])
    expect('files' in result && result.files.get('a.json')).toBe(
      '{\n    "a": 1,\n    "list": [\n        1,\n        2,\n        3\n    ]\n}\n',
    )
  })

  test('JSON on one line stays on one line', () => {
    const [old, young] = [{ 'a.json': '{"a":1,"b":[1,{"c":2}]}' }, { 'a.json': '{"a":2,"b":[1,{"c":3}]}' }]
    expect(apply(makeDiff(old, young), old, young, ['C1'])).toEqual({
      files: new Map([['a.json', '{"a":2,"b":[1,{"c":2}]}']]),
    })
  })

  test('line ends are those of the new text', () => {
    expect(applyText('One. Two.\n\nThree.\n', 'One. Too.\r\n\r\nTree.\r\n', ['C1'])).toBe('One. Too.\r\n\r\nThree.\r\n')
  })
})

describe('files', () => {
  test('an added file is dropped and a removed one kept unless picked', () => {
    const [old, young] = [
      { 'a.md': 'Old text.', 'b.md': 'Gone.' },
      { 'a.md': 'New text.', 'c.md': 'Come with me.' },
    ]
    const diff = makeDiff(old, young)
    const change = (unit: string) => diff.hunks.find((hunk) => hunk.unit === unit)!.id.replace('h', 'C')
    const files = (...picked: string[]) => {
      const result = apply(diff, old, young, picked)
      return 'files' in result ? Object.fromEntries(result.files) : result
    }
    expect(files()).toEqual({ ...old, 'c.md': null })
    expect(files(change('u2'))).toEqual({ 'a.md': 'Old text.', 'b.md': null, 'c.md': null })
    expect(files(change('u3'))).toEqual({ ...old, 'c.md': 'Come with me.' })
    expect(files(...diff.changes.map(({ id }) => id))).toEqual({ ...young, 'b.md': null })
  })

  test('a renamed file keeps its old name unless something of it is picked', () => {
    const lines = Array.from({ length: 10 }, (_, at) => `Line ${at} here.`)
    const text = lines.join('\n\n')
    const [old, young] = [
      { 'x.md': text },
      { 'y.md': text.replace('Line 1 here', 'Line one here').replace('Line 9', 'The end') },
    ]
    const diff = makeDiff(old, young)
    expect(apply(diff, old, young, [])).toEqual({
      files: new Map([
        ['x.md', text],
        ['y.md', null],
      ]),
    })
    expect(apply(diff, old, young, ['C1'])).toEqual({
      files: new Map([
        ['x.md', null],
        ['y.md', text.replace('Line 1 here', 'Line one here')],
      ]),
    })
  })

  test('a file without hunks follows the change that names it', () => {
    const [old, young] = [
      { 'a.md': 'One.\n', 'b.md': 'Old.' },
      { 'a.md': 'One.\n\n\n', 'b.md': 'New.' },
    ]
    const diff = makeDiff(old, young, [
      { id: 'C1', hunks: [], units: ['u1'] },
      { id: 'C2', hunks: ['h1'], units: ['u2'] },
    ])
    expect(apply(diff, old, young, ['C1'])).toEqual({
      files: new Map([
        ['a.md', 'One.\n\n\n'],
        ['b.md', 'Old.'],
      ]),
    })
    expect(apply(diff, old, young, ['C2'])).toEqual({
      files: new Map([
        ['a.md', 'One.\n'],
        ['b.md', 'New.'],
      ]),
    })
  })
})

describe('refusals', () => {
  const [old, young] = [{ a: 'One. Three stays. Four.' }, { a: 'Uno. Three stays. Vier.' }]

  test.each<[string, readonly Owner[], readonly string[], RegExp]>([
    ['an unknown change', [], ['C9'], /no change C9/],
    [
      'a change without the one it depends on',
      [
        { id: 'C1', hunks: ['h1'] },
        { id: 'C2', hunks: ['h2'], depends_on: ['C1'] },
      ],
      ['C2'],
      /C2 depends on C1/,
    ],
    [
      'one of two changes that share a hunk',
      [
        { id: 'C1', hunks: ['h1', 'h2'] },
        { id: 'C2', hunks: ['h2'] },
      ],
      ['C1'],
      /C1 and C2 share the hunk h2/,
    ],
  ])('%s', (_, owners, picked, says) => {
    expect(apply(makeDiff(old, young, owners), old, young, picked)).toEqual({ refused: expect.stringMatching(says) })
  })

  test('one end of a move', () => {
    const passage = 'This passage has more than eight words and it moves.'
    const [one, other] = [{ a: `${passage}\n\nAnd so on.` }, { a: `And so on.\n\n${passage}` }]
    expect(apply(makeDiff(one, other, undefined, true), one, other, ['C1'])).toEqual({
      refused: expect.stringMatching(/C1 and C2/),
    })
    expect(apply(makeDiff(one, other, undefined, true), one, other, ['C1', 'C2'])).toHaveProperty('files')
  })

  test('other texts than those that were compared', () => {
    expect(apply(makeDiff(old, young), { a: 'Other.' }, young, ['C1'])).toEqual({
      refused: expect.stringMatching(/compare again/),
    })
  })

  test('the rest can be picked like a change', () => {
    const diff = makeDiff(old, young, [{ id: 'C1', hunks: ['h1'] }])
    expect(apply(diff, old, young, ['rest'])).toEqual({ files: new Map([['a', 'One. Three stays. Vier.']]) })
    expect(apply(diff, old, young, ['C1', 'rest'])).toEqual({ files: new Map([['a', young.a]]) })
    expect(apply(diff, old, young, ['C1'])).toEqual({ files: new Map([['a', 'Uno. Three stays. Four.']]) })
  })
})

describe('any texts and any choice', () => {
  const piece = fc.constantFrom(
    'No.',
    'Yes it is.',
    'The door closed behind her.',
    'Anna left',
    'at dawn.',
    '\n# One\n',
    '\n- item\n',
    '\n\n',
    '\n\n',
    '\n',
    '```\n',
    '\nKey: value\n',
    ' ',
    '\n---\n',
    'One two three four five six seven eight nine.',
  )
  const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(' '))
  const file = fc.option(text, { nil: undefined })
  const texts = fc.tuple(file, file)
  const level = fc.array(texts, { minLength: 1, maxLength: 3 }).map((pairs) => {
    const side = (at: 0 | 1): Files =>
      Object.fromEntries(pairs.flatMap((pair, number) => (pair[at] === undefined ? [] : [[`${number}.md`, pair[at]]])))
    return [side(0), side(1)] as const
  })

  test('all give the new files and none the old ones, byte for byte', () => {
    fc.assert(
      fc.property(level, fc.boolean(), ([before, after], isWindows) => {
        const young = isWindows
          ? Object.fromEntries(Object.entries(after).map(([path, one]) => [path, one.replaceAll('\n', '\r\n')]))
          : after
        const diff = makeDiff(before, young)
        const expected = (files: Files) =>
          Object.fromEntries(
            [...new Set([...Object.keys(before), ...Object.keys(young)])].map((path) => [path, files[path] ?? null]),
          )
        const files = (picked: readonly string[]) => {
          const result = apply(diff, before, young, picked)
          return 'files' in result ? Object.fromEntries(result.files) : result
        }
        expect(files([])).toEqual(expected(before))
        fc.pre(diff.hunks.length > 0)
        expect(files([...diff.changes.map(({ id }) => id), 'rest'])).toEqual(expected(young))
      }),
      { numRuns: 500 },
    )
  })

  test('each hunk is either its old or its new side, and the rest is as it was', () => {
    fc.assert(
      fc.property(text, text, fc.infiniteStream(fc.boolean()), (before, after, flips) => {
        const [old, young] = [{ a: before }, { a: after }]
        const diff = makeDiff(old, young)
        const picked = diff.changes.filter(() => flips.next().value).map(({ id }) => id)
        const result = apply(diff, old, young, picked)
        if ('refused' in result) throw new Error(result.refused)
        const made = result.files.get('a')!
        let at = 0
        for (const { id, before: one, after: other } of diff.hunks) {
          const side = picked.includes(id.replace('h', 'C')) ? other.text : one.text
          const isDivision = collapse(one.text) === collapse(other.text)
          const found = made.indexOf(side, at)
          expect(found).toBeGreaterThanOrEqual(at)
          // The sentences around a new paragraph may also belong to the next hunk.
          at = isDivision ? at : found + side.length
        }
        // Words that belong to no hunk are all there, once.
        expect(collapse(made).length).toBe(
          collapse(after).length +
            sum(
              diff.hunks.map((hunk) =>
                picked.includes(hunk.id.replace('h', 'C'))
                  ? 0
                  : collapse(hunk.before.text).length - collapse(hunk.after.text).length,
              ),
            ),
        )
      }),
      { numRuns: 2000 },
    )
  })

  test('what is left to pick is what was not picked', () => {
    fc.assert(
      fc.property(text, text, fc.infiniteStream(fc.boolean()), (before, after, flips) => {
        // A fence makes code of all that follows: then a line may differ that looks the same.
        fc.pre(!before.includes('```') && !after.includes('```'))
        const [old, young] = [{ a: before }, { a: after }]
        const diff = makeDiff(old, young)
        const picked = diff.changes.filter(() => flips.next().value).map(({ id }) => id)
        const result = apply(diff, old, young, picked)
        if ('refused' in result) throw new Error(result.refused)
        const made = { a: result.files.get('a')! }
        const changed = (one: Files, other: Files) => compareFiles(one, other).hunks.length > 0
        if (picked.length === 0) expect(changed(old, made)).toBe(false)
        if (picked.length === diff.changes.length) expect(changed(made, young)).toBe(false)
        else expect(changed(made, young)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  const json = fc.dictionary(
    fc.constantFrom('a', 'b', 'c/d', 'list', 'name'),
    fc.oneof(
      fc.nat(3),
      fc.constantFrom('x', 'y'),
      fc.array(fc.nat(3), { maxLength: 4 }),
      fc.dictionary(fc.constantFrom('p', 'q'), fc.nat(2)),
    ),
  )

  test('JSON stays JSON', () => {
    fc.assert(
      fc.property(json, json, fc.infiniteStream(fc.boolean()), (one, other, flips) => {
        const [old, young] = [{ 'a.json': JSON.stringify(one) }, { 'a.json': JSON.stringify(other, null, 2) }]
        const diff = makeDiff(old, young)
        const picked = diff.changes.filter(() => flips.next().value).map(({ id }) => id)
        const result = apply(diff, old, young, picked)
        if ('refused' in result) throw new Error(result.refused)
        const made = JSON.parse(result.files.get('a.json')!) as Record<string, unknown>
        // A member that is the same on both sides stays, and a member that one side has is one of both.
        for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
          if (key in one && JSON.stringify(one[key]) === JSON.stringify(other[key])) expect(made[key]).toEqual(one[key])
          if (typeof one[key] === 'number' || typeof other[key] === 'number')
            expect([one[key], other[key]]).toContainEqual(made[key])
        }
      }),
    )
  })

  const collapse = (source: string): string => source.replace(/\s+/g, '')
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
})
