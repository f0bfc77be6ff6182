import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Rubric } from '../../../../src/contract/rubric.ts'
import { parseRubric, readRubric } from '../../../../src/modes/refinement/start/prepare.ts'
import { toPawlError } from '../../../../src/run/errors.ts'

const dimension = { id: 'clarity', question: 'Is it clear?', weight: 1 }
const shipped = { general: Rubric.parse({ id: 'general', version: 1, dimensions: [dimension] }) }

const yaml = `
id: mine
version: 2
dimensions:
  - id: clarity
    question: Is it clear?
    weight: 2
checks:
  banned: [synergy]
`

function refusal(read: () => Rubric): string {
  try {
    return `taken: ${read().id}`
  } catch (error) {
    const { exit, message, hint } = toPawlError(error)
    return `${exit}: ${message}${hint ? ` | ${hint}` : ''}`
  }
}

test('a rubric comes by the name of a shipped one, or from a file in YAML or JSON', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pawl-rubric-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const json = JSON.stringify({ id: 'mine', version: 2, dimensions: [{ ...dimension, weight: 2 }] }, null, '\t')
  writeFileSync(join(folder, 'mine.yml'), yaml)
  writeFileSync(join(folder, 'mine.json'), json)
  expect(readRubric('general', folder, shipped)).toBe(shipped.general)
  expect(readRubric('mine.yml', folder, shipped)).toMatchObject({ id: 'mine', dimensions: [{ floor: 60, weight: 2 }] })
  expect(readRubric('mine.json', folder, shipped)).toMatchObject({ id: 'mine', version: 2, anchors: [] })
  expect(refusal(() => readRubric('genral', folder, shipped))).toMatch(
    /^2: unknown rubric genral.*Did you mean general\?$/,
  )
  expect(refusal(() => readRubric('toString', folder, shipped))).toMatch(/^2: .*Built-in: general/)
})

test('every problem is named with its line and its path', () => {
  const wrong = yaml.replace('weight: 2', 'weight: none\n    wieght: 3').replace('banned: [synergy]', 'banned: synergy')
  const told = refusal(() => parseRubric(wrong, 'r.yml'))
  expect(told).toMatch(/^30: /)
  expect(told).toContain('r.yml:7:13 dimensions.0.weight: wrong value, found none')
  expect(told).toContain('r.yml:8:5 dimensions.0.wieght: unknown key')
  expect(told).toContain('r.yml:10:11 checks.banned: wrong value, found synergy')
})

test('parts that do not go together are named', () => {
  const twice = yaml.replace(
    'checks:',
    '  - { id: clarity, question: Again?, weight: 1 }\nchecks:\n  leastWords: 9\n  mostWords: 5',
  )
  const told = refusal(() => parseRubric(twice, 'r.yml'))
  expect(told).toContain('dimensions.1.id: wrong value, found clarity, allowed: an id that no other dimension has')
  expect(told).toContain('checks.leastWords: wrong value, found 9')
})

test.for([
  ['a tag', 'id: !!js/function x'],
  [
    'an alias bomb',
    `a: &a [1]\n${Array.from({ length: 9 }, (_, n) => `${'bcdefghij'[n]}: &${'bcdefghij'[n]} [*${'abcdefghi'[n]},*${'abcdefghi'[n]},*${'abcdefghi'[n]}]`).join('\n')}`,
  ],
  ['nesting without end', '['.repeat(100_000)],
  ['a prototype', '__proto__: { id: x }'],
  ['a key twice', 'id: a\nid: b'],
  ['nothing', ''],
  ['a list', '[]'],
  ['a second document', `${yaml}---\nid: other`],
])('%s is refused in a moment', ([, text]) => {
  const began = performance.now()
  expect(refusal(() => parseRubric(text!, 'r.yml'))).toMatch(/^30: r\.yml/)
  expect(performance.now() - began).toBeLessThan(2000)
})
