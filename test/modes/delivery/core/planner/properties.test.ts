import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sortByDependencies } from '../../../../../src/modes/delivery/core/planner/compile.ts'
import { plan } from './planned.ts'

/** For each of n lines, earlier lines that it depends on. */
const acyclic = fc
  .integer({ min: 1, max: 30 })
  .chain((n) =>
    fc.tuple(
      ...Array.from({ length: n }, (_, i) =>
        fc.uniqueArray(fc.nat({ max: Math.max(0, i - 1) }), { maxLength: i === 0 ? 0 : 3 }),
      ),
    ),
  )

test('any permutation of lines with dependencies gives the same order, and a valid one', () => {
  fc.assert(
    fc.property(
      acyclic.chain((needs) =>
        fc.tuple(
          fc.constant(needs),
          fc.shuffledSubarray(
            needs.map((_, i) => i),
            { minLength: needs.length },
          ),
        ),
      ),
      ([needs, shuffled]) => {
        const line = (i: number): string =>
          `- **AC-${i}:** text ${i}${needs[i]!.length > 0 ? ` Depends on ${needs[i]!.map((one) => `AC-${one}`).join(', ')}.` : ''}`
        const straight = plan(needs.map((_, i) => line(i)).join('\n')).stories
        const other = plan(shuffled.map(line).join('\n')).stories
        expect(other.map(({ source }) => source.id)).toEqual(straight.map(({ source }) => source.id))
        expect(other.map(({ sha256 }) => sha256)).toEqual(straight.map(({ sha256 }) => sha256))
        const place = new Map(straight.map(({ source }, index) => [source.id, index]))
        needs.forEach((all, i) => {
          for (const one of all) expect(place.get(`AC-${one}`)).toBeLessThan(place.get(`AC-${i}`)!)
        })
      },
    ),
  )
})

test('among what is ready the smallest comes first, and what has no order has a circle', () => {
  const graph = fc
    .integer({ min: 1, max: 12 })
    .chain((n) => fc.array(fc.uniqueArray(fc.nat({ max: n - 1 }), { maxLength: 2 }), { minLength: n, maxLength: n }))
  fc.assert(
    fc.property(graph, (before) => {
      const result = sortByDependencies(before)
      if (!result.ok) {
        result.cycle.forEach((one, index) => {
          expect(before[one]).toContain(result.cycle[(index + 1) % result.cycle.length])
        })
        return
      }
      const done = new Set<number>()
      for (const next of result.order) {
        const ready = before.flatMap((all, one) => (!done.has(one) && all.every((two) => done.has(two)) ? [one] : []))
        expect(next).toBe(Math.min(...ready))
        done.add(next)
      }
      expect(done.size).toBe(before.length)
    }),
  )
})

const requirement = fc.record({
  kind: fc.constantFrom('T', 'US', 'FR', 'AC', 'NFR'),
  number: fc.integer({ min: 1, max: 400 }),
  names: fc.constantFrom('', '', ' T-1', ' US-2', ' FR-3', ' AC-4', ' (see AC-5)'),
  nested: fc.boolean(),
})

test('every requirement line lands exactly once: in one story or in none', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(requirement, { minLength: 1, maxLength: 40, selector: ({ kind, number }) => kind + number }),
      (all) => {
        const lines = all.map(
          ({ kind, number, names, nested }, i) =>
            `${nested && i > 0 ? '  ' : ''}- ${kind}-${number}: line ${i}x${names}`,
        )
        const { stories, unmapped } = plan(lines.join('\n'))
        const own = stories.map(({ source, acceptance_criteria }) => [
          source.line,
          ...acceptance_criteria.map(({ line }) => line),
        ])
        const landed = [...own.flatMap((some) => [...new Set(some)]), ...unmapped.map(({ line }) => line)]
        expect(landed.sort((a, b) => a - b)).toEqual(lines.map((_, index) => index + 1))
      },
    ),
  )
})

test('a story keeps its hash when another one is added anywhere', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 2, max: 99 }), { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 100, max: 120 }),
      (numbers, extra) => {
        const lines = numbers.map((n) => `- AC-${n}: do \`thing${n}.ts\`\n  - well`)
        const before = plan(lines.join('\n')).stories
        for (const added of [`- AC-${extra}: something else`, '- AC-1: first of all']) {
          const after = plan([added, ...lines].join('\n')).stories
          for (const { source, sha256 } of before)
            expect(after.find((one) => one.source.id === source.id)?.sha256).toBe(sha256)
        }
      },
    ),
  )
})

test('any text at all gives a plan or a problem, never a throw', () => {
  const piece = fc.constantFrom(
    '- [ ] ',
    '## Tasks\n',
    'AC-1',
    'T-2: ',
    'depends on ',
    '`',
    '**',
    '|',
    '\n',
    '  ',
    '<!--',
    '-->',
    '```',
    '{',
    '"',
    '1.2 ',
    '> ',
    'As a x, I want y',
    'Given ',
    '_Requirements: 1_',
    'Files: ',
  )
  fc.assert(
    fc.property(
      fc.array(fc.oneof(piece, fc.string({ unit: 'binary', maxLength: 4 })), { maxLength: 60 }),
      fc.constantFrom('a.md', 'a.json'),
      (pieces, file) => {
        try {
          plan(pieces.join(''), file)
        } catch (error) {
          expect((error as Error).message).toMatch(
            /no requirements|not JSON|nested too deeply|circular dependency|depends on|is already the id of|not a text file/,
          )
        }
      },
    ),
    { numRuns: 1000 },
  )
})
