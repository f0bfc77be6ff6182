import * as fs from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compilePlan } from '../../../../../src/modes/delivery/core/planner/compile.ts'
import type { Explained } from '../../../../../src/modes/delivery/core/planner/explain.ts'
import { plan, proof } from './planned.ts'

function explain(text: string, file = 'prd.md'): readonly Explained[] {
  const result = compilePlan(text, file, proof)
  if (!result.ok) throw new Error(result.problem.message)
  return result.explained
}

/** For each line that is not blank, how many blocks it belongs to. */
function countBlocks(text: string, explained: readonly Explained[]): [line: number, blocks: number][] {
  const counts = new Map<number, number>()
  for (const { line, end_line } of explained)
    for (let at = line; at <= end_line; at++) counts.set(at, (counts.get(at) ?? 0) + 1)
  return text
    .split('\n')
    .flatMap((line, index) => (line.trim() === '' ? [] : [[index + 1, counts.get(index + 1) ?? 0]]))
}

const once = (text: string): [number, number][] => countBlocks(text, []).map(([line]) => [line, 1])

const word = fc.constantFrom(
  'tree',
  'apple',
  'must',
  'FR-2',
  'T1',
  '`a.ts`',
  '**bold**',
  'Depends on T-1',
  '→',
  '<b>x</b>',
  '~~old~~',
)
const words = fc.array(word, { minLength: 1, maxLength: 5 }).map((all) => all.join(' '))
const heading = fc.constantFrom(
  'Tasks',
  'Notes',
  'Verification',
  'Non-goals',
  'Anforderungen',
  'Coverage',
  'Requirements',
  'Goals',
  'Phase 1',
)
const marker = fc.constantFrom('- ', '* ', '1. ', '- [ ] ', '- [x] ', '  - ', '    - ', '> - ', '      ')
const id = fc.integer({ min: 10, max: 99_999 }).map((number) => `T-${number}`)

const block: fc.Arbitrary<string> = fc.oneof(
  fc
    .tuple(fc.constantFrom('#', '##', '###', '> ##'), fc.oneof(heading, words))
    .map(([marks, text]) => `${marks} ${text}`),
  heading.map((text) => `${text}\n---`),
  heading.map((text) => `**${text}:**`),
  words,
  fc.tuple(words, words).map((lines) => lines.join('\n')),
  fc
    .array(
      fc
        .tuple(
          marker,
          fc.oneof(
            id.map((one) => `${one}: `),
            fc.constant(''),
          ),
          words,
        )
        .map((all) => all.join('')),
      { minLength: 1, maxLength: 5 },
    )
    .map((all) => all.join('\n')),
  fc.tuple(id, words, words).map(([one, a, b]) => `| ID | Title |\n|----|-------|\n| ${one} | ${a} |\n| - | ${b} |`),
  fc.tuple(words, words).map(([a, b]) => `| Size | Colour |\n|-|-|\n| ${a} | ${b} |`),
  words.map((text) => `\`\`\`ts\n${text}\n\n- [ ] code\n\`\`\``),
  words.map((text) => `\`\`\`gherkin\nFeature: x\n  Scenario: ${text}\n    Given y\n\`\`\``),
  words.map((text) => `    ${text}`),
  words.map((text) => `> ${text}\n>\n> **NOTE: x**`),
  words.map((text) => `<!-- ${text}\n\n- [ ] hidden -->`),
  words.map((text) => `<context>\n${text}\n</context>`),
  words.map((text) => `<details><summary>Tasks</summary>\n- [ ] ${text}\n</details>`),
  words.map((text) => `<ul>\n<li>${text}</li>\n<li>two</li>\n</ul>`),
  words.map((text) => `<script>\n${text}\n</script>`),
  fc.constantFrom(
    '---',
    '***',
    '[a link]: https://example.org',
    '- \n- ',
    '>',
    '***\n---',
    '**Files:**\n- `a.ts`\n- write it',
    '$$\nx\n$$',
    '[^1]: a note',
    '\\',
    '\t- tab',
  ),
)

describe('every line that is not blank belongs to exactly one block', () => {
  test('of any document made of blocks', () => {
    fc.assert(
      fc.property(
        fc.array(block, { maxLength: 12 }),
        fc.constantFrom('\n', '\n\n'),
        fc.boolean(),
        (blocks, between, front) => {
          const text = `${front ? '---\ntitle: x\n\nowner: y\n---\n' : ''}${[...blocks, '', '# End', '', '- [ ] one task', ''].join(between)}`
          const result = compilePlan(text, 'prd.md', proof)
          if (!result.ok) {
            expect(result.problem.code).toMatch(/unknown-dependency|duplicate-id|cycle|nothing-found/)
            return
          }
          expect(countBlocks(text, result.explained)).toEqual(once(text))
          expect(result.explained.filter(({ because }) => because === '' || because === 'not read')).toEqual([])
        },
      ),
      { numRuns: 2000 },
    )
  })

  const golden = join(import.meta.dirname, 'golden')
  test.each(fs.readdirSync(golden))('of %s', (name) => {
    const file = ['prd.md', 'prd.json'].find((one) => fs.existsSync(join(golden, name, one)))!
    const text = fs.readFileSync(join(golden, name, file), 'utf8')
    const explained = explain(text, file)
    if (file === 'prd.md') expect(countBlocks(text, explained)).toEqual(once(text))
    else expect(countBlocks(text, explained).filter(([, blocks]) => blocks === 0)).toEqual([])
    expect(explained.filter(({ because }) => because === '')).toEqual([])
  })

  test('of JSON, at least one, and fields that nobody knows are named', () => {
    const json = {
      name: 'x',
      teams: [{ who: 'me' }],
      tasks: [{ id: 1, title: 'Sell', extra: { a: [1] } }, 7],
      outOfScope: ['Lend'],
    }
    const text = JSON.stringify(json, null, 2)
    const explained = explain(text, 'a.json')
    expect(countBlocks(text, explained).filter(([, blocks]) => blocks === 0)).toEqual([])
    const ignored = explained.filter(({ role }) => role === 'ignored').map(({ line, because }) => [line, because])
    expect(ignored).toEqual([
      [3, 'unknown field "teams"'],
      [18, 'neither text nor an object'],
    ])
    expect(explained.filter(({ role }) => role === 'excluded').map(({ line }) => line)).toEqual([20])
  })
})

test('what is not understood is ignored, with line and reason, and the plan says so', () => {
  const text = [
    '# Kiosk',
    '',
    'A shop.',
    '',
    '## Anforderungen',
    '- verkaufen',
    '- wiegen',
    '',
    '## Tasks',
    '- [ ] Sell',
    '',
    '## Out of scope',
    '- Lend',
    '',
    '<!-- later -->',
    '',
    '| Who | When |',
    '|-|-|',
    '| me | now |',
  ].join('\n')
  const roles = explain(text).map(({ line, role, because }) => `${line} ${role}: ${because}`)
  expect(roles).toEqual([
    '1 context: a heading',
    '3 context: an introduction',
    '5 ignored: an unknown heading',
    '6 ignored: no id or checkbox under the unknown heading "Anforderungen"',
    '7 ignored: no id or checkbox under the unknown heading "Anforderungen"',
    '9 context: a heading',
    '10 story: no dependencies',
    '12 excluded: under "Out of scope"',
    '13 excluded: under "Out of scope"',
    '15 ignored: a comment',
    '17 context: the head of a table',
    '19 excluded: under "Out of scope"',
  ])
  expect(plan(text).ignored).toEqual([
    { line: 5, end_line: 5, because: 'an unknown heading' },
    { line: 6, end_line: 7, because: 'no id or checkbox under the unknown heading "Anforderungen"' },
    { line: 15, end_line: 15, because: 'a comment' },
  ])
})

test('a dependency in words that names nothing is ignored, and "none" is not', () => {
  const roles = explain('### T-1: Sell\n\nDepends: the snow\n\n### T-2: Buy\n\nDepends: none').map(({ line, role }) => [
    line,
    role,
  ])
  expect(roles).toEqual([
    [1, 'story'],
    [3, 'ignored'],
    [5, 'story'],
    [7, 'context'],
  ])
})

test('what is crossed out is excluded, with or without a box, and a link inside the document is context', () => {
  const roles = explain('- [Tasks](#tasks)\n\n## Tasks\n- [ ] ~~Lend~~\n- ~~Rent~~\n- [ ] Sell').map(
    ({ line, role }) => [line, role],
  )
  expect(roles).toEqual([
    [1, 'context'],
    [3, 'context'],
    [4, 'excluded'],
    [5, 'excluded'],
    [6, 'story'],
  ])
})

test('nothing found: the hint says what was ignored', () => {
  const result = compilePlan('# Laden\n\n## Anforderungen\n- verkaufen', 'prd.md', proof)
  expect(result.ok ? '' : result.problem.hint).toMatch(/Ignored: line 3 \(an unknown heading\), line 4 \(no id/)
})
