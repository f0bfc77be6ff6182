import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newFolder } from '../../../../support/folder.ts'
import { compareText } from './level.ts'

/** Lines as in written work: empty ones, repeated ones, many that differ. */
const line = (variety: number) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant('') },
    { weight: 1, arbitrary: fc.constantFrom('---', '- ', '## Scene') },
    { weight: 8, arbitrary: fc.nat(variety).map((number) => `line ${number}`) },
  )

const edits = fc.array(fc.record({ at: fc.nat(), kind: fc.nat(3), with: line(50) }), { maxLength: 60 })

/** A text and a later version of it, or a text that has nothing to do with it. */
const versions = fc
  .record({
    variety: fc.constantFrom(2, 10, 100, 100_000),
    size: fc.constantFrom(5, 40, 300, 1500),
    edits,
    isOther: fc.boolean(),
    ends: fc.tuple(fc.boolean(), fc.boolean()),
  })
  .chain(({ variety, size, edits: list, isOther, ends }) => {
    const lines = fc.array(line(variety), { minLength: size / 5, maxLength: size, size: 'max' })
    return fc.tuple(lines, lines).map(([one, other]): readonly [string, string] => {
      const young = isOther ? other : applyEdits(one, list)
      return [endText(one, ends[0]), endText(young, ends[1])]
    })
  })

/** Long texts with hundreds of changes and stretches without any: then git gives up on the shortest list. */
const rewritten = fc
  .array(
    fc.record({
      isSame: fc.boolean(),
      lines: fc.array(line(5), { minLength: 30, maxLength: 60 }),
      others: fc.array(line(5), { maxLength: 60 }),
    }),
    {
      minLength: 60,
      maxLength: 80,
    },
  )
  .map((parts): readonly [string, string] => [
    endText(
      parts.flatMap(({ lines }) => lines),
      true,
    ),
    endText(
      parts.flatMap(({ isSame, lines, others }) => (isSame ? lines : others)),
      true,
    ),
  ])

function applyEdits(lines: readonly string[], list: readonly { at: number; kind: number; with: string }[]): string[] {
  const result = [...lines]
  for (const { at, kind, with: text } of list) {
    const place = at % (result.length + 1)
    if (kind === 0) result.splice(place, 1)
    else if (kind === 1) result.splice(place, 0, text)
    else if (kind === 2) result.splice(place, 1, text)
    else result.push(...result.splice(place, 7))
  }
  return result
}

const endText = (lines: readonly string[], hasEnd: boolean): string =>
  lines.length === 0 ? '' : `${lines.join('\n')}${hasEnd ? '\n' : ''}`

/** Counts as `git diff --numstat` does, one pair of numbers for each pair of texts. */
function countWithGit(pairs: readonly (readonly [string, string])[]): readonly Count[] {
  const folder = newFolder()
  const git = (...words: string[]): string =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'core.autocrlf=false', ...words], {
      cwd: folder,
      encoding: 'utf8',
    })
  const write = (side: 0 | 1): void => {
    for (const [at, pair] of pairs.entries()) writeFileSync(join(folder, `${at}.md`), pair[side])
  }
  git('init', '-q')
  write(0)
  git('add', '-A')
  git('commit', '-qm', 'before')
  write(1)
  const rows = git('diff', '--numstat', '--no-renames').split('\n')
  const counted = new Map(
    rows
      .map((row) => row.split('\t'))
      .map(([added, removed, path]) => [path, { added: Number(added), removed: Number(removed) }]),
  )
  return pairs.map((_, at) => counted.get(`${at}.md`) ?? { added: 0, removed: 0 })
}

type Count = { readonly added: number; readonly removed: number }

const countOurselves = ([before, after]: readonly [string, string]): Count => {
  const { lines_added, lines_removed } = compareText(before, after).stats
  return { added: lines_added, removed: lines_removed }
}

test('lines that differ from each other are counted as git counts them', () => {
  const alone = fc
    .tuple(
      fc.integer({ min: 1, max: 300 }),
      fc.array(fc.record({ at: fc.nat(), kind: fc.nat(2) }), { maxLength: 40, size: 'max' }),
    )
    .map(([size, list]): readonly [string, string] => {
      const lines = Array.from({ length: size }, (_, at) => `line ${at}`)
      const young = applyEdits(
        lines,
        list.map((edit, at) => ({ ...edit, with: `new ${at}` })),
      )
      return [endText(lines, true), endText(young, true)]
    })
  const pairs = fc.sample(alone, { numRuns: 200, seed: 11 })
  const counts = countWithGit(pairs)
  expect(counts.filter(({ added }) => added > 5).length).toBeGreaterThan(50)
  expect(pairs.map(countOurselves)).toEqual(counts)
})

test('where several answers are right, the count is about as short as that of git', () => {
  const pairs = [...fc.sample(versions, { numRuns: 300, seed: 11 }), ...fc.sample(rewritten, { numRuns: 5, seed: 11 })]
  const [ours, counts] = [pairs.map(countOurselves), countWithGit(pairs)]
  const total = (list: readonly Count[]): number => list.reduce((sum, { added, removed }) => sum + added + removed, 0)
  expect(ours.map(({ added, removed }) => added - removed)).toEqual(counts.map(({ added, removed }) => added - removed))
  expect(total(ours)).toBeLessThan(1.05 * total(counts))
})
