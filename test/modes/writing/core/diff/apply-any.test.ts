import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareFiles, type Files } from './level.ts'
import { apply, makeDiff } from './picks.ts'

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
