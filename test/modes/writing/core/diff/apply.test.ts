import { describe, expect, test } from 'vitest'
import { apply, makeDiff, type Owner } from './picks.ts'

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
    const diff = makeDiff(old, young)
    const refused = { refused: expect.stringMatching(/^a is not the text that was compared/) }
    expect(apply(diff, { a: 'Other.' }, young, [])).toEqual(refused)
    expect(apply(diff, old, { a: `${young.a} ` }, ['C1', 'C2'])).toEqual(refused)
  })

  test('the rest can be picked like a change', () => {
    const diff = makeDiff(old, young, [{ id: 'C1', hunks: ['h1'] }])
    expect(apply(diff, old, young, ['rest'])).toEqual({ files: new Map([['a', 'One. Three stays. Vier.']]) })
    expect(apply(diff, old, young, ['C1', 'rest'])).toEqual({ files: new Map([['a', young.a]]) })
    expect(apply(diff, old, young, ['C1'])).toEqual({ files: new Map([['a', 'Uno. Three stays. Four.']]) })
  })
})
