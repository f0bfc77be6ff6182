import { describe, expect, test } from 'vitest'
import { compareFiles, showHunks } from './level.ts'

describe('JSON is compared by fields', () => {
  const before = { premise: 'A hero.', themes: ['duty', 'loss', 'hope'], stakes: { personal: 1, old: true } }
  const compare = (after: unknown, indent = 2) =>
    compareFiles(
      { 'premise.json': JSON.stringify(before, null, 2) },
      { 'premise.json': JSON.stringify(after, null, indent) },
    )

  test('changed, added and removed fields have their paths', () => {
    const diff = compare({
      premise: 'An anti-hero.',
      themes: ['duty', 'guilt', 'hope', 'pride'],
      stakes: { personal: 1, 'a/b': [1] },
    })
    expect(showHunks(diff)).toEqual([
      '/premise: "A hero." => "An anti-hero."',
      '/themes/1: "loss" => "guilt"',
      '/themes/3:  => "pride"',
      '/stakes/a~1b:  => [\n  1\n]',
      '/stakes/old: true => ',
    ])
    expect(diff.hunks[1]).toMatchObject({
      granularity: 'field',
      before: { start: 5, lines: 1 },
      after: { start: 5, lines: 1 },
    })
  })

  test('indentation and the order of keys are no change', () => {
    const { stakes, ...rest } = before
    expect(compare({ stakes, ...rest }, 0)).toMatchObject({ hunks: [], units: [{ status: 'modified' }] })
    const lists = compareFiles({ 'a.json': '["x", {"b": 1, "c": 2}]' }, { 'a.json': '[{"c": 2, "b": 1}]' })
    expect(showHunks(lists)).toEqual(['/0: "x" => '])
  })

  test('items with the same id or name belong together', () => {
    const one = {
      list: [
        { id: 'R1', text: 'a' },
        { id: 'R2', text: 'b' },
      ],
    }
    const other = {
      list: [
        { id: 'R0', text: 'new' },
        { id: 'R1', text: 'aa' },
        { id: 'R2', text: 'bb' },
      ],
    }
    const diff = compareFiles({ 'a.json': JSON.stringify(one) }, { 'a.json': JSON.stringify(other) })
    expect(diff.hunks.map(({ field }) => field)).toEqual(['/list/0', '/list/1/text', '/list/2/text'])
  })

  test.each([
    ['broken JSON', '{"a": 1,\n"b": }', '{"a": 2,\n"b": }'],
    ['a key that is there twice', '{"a": 1,\n"a": 3}', '{"a": 2,\n"a": 3}'],
    ['nesting that is too deep', `${'['.repeat(99)}1,\n2${']'.repeat(99)}`, `${'['.repeat(99)}3,\n2${']'.repeat(99)}`],
  ])('%s is compared by lines', (_, old, young) => {
    const { hunks } = compareFiles({ 'a.json': old }, { 'a.json': young })
    expect(hunks).toHaveLength(1)
    expect(hunks[0]).toMatchObject({ granularity: 'line', field: null, before: { start: 1, lines: 1 } })
  })

  test('a number keeps its last digits', () => {
    const { hunks } = compareFiles(
      { 'a.json': '{"n": 12345678901234567890}' },
      { 'a.json': '{"n": 12345678901234567891}' },
    )
    expect(hunks[0]).toMatchObject({
      before: { text: '12345678901234567890' },
      after: { text: '12345678901234567891' },
    })
  })
})
