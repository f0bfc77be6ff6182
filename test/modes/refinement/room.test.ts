import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Rung } from '../../../src/contract/models.ts'
import type { Allowance } from '../../../src/kernel/policy.ts'
import type { Attempt } from '../../../src/kernel/run.ts'
import { measure } from '../../../src/modes/refinement/work/call.ts'
import type { RefinementTools } from '../../../src/modes/refinement/work/tools.ts'

const unbounded: Allowance = { tokens: Infinity, overheadTokens: Infinity, costUsd: Infinity, ms: Infinity }
const free: Pick<Rung, 'price' | 'contextTokens'> = { price: null, contextTokens: 200_000 }

/** The room beside a prompt of so many characters, of which four are a token, and how often that was found out. */
function room(characters: number, left: Partial<Allowance>, rung: typeof free, overhead = false) {
  let estimates = 0
  const tools = {
    request: { rules: { leastOutputTokens: 400 }, ladder: [{ id: 'one', ...rung }] },
    estimateTokens: (text: string) => {
      estimates++
      return Math.ceil(text.length / 4)
    },
  } as unknown as RefinementTools
  const attempt = { left: () => ({ ...unbounded, ...left }) } as Attempt
  const found = measure(attempt, { system: '', prompt: 'x'.repeat(characters) }, 'one', overhead, tools)
  return { found, estimates }
}

test('far from every bound a prompt is not gone through for its length, near one it is', () => {
  const far = room(4000, { tokens: 80_000 }, free)
  expect([far.found.maxOutputTokens, far.found.fits, far.estimates]).toEqual([32_000, true, 0])
  for (const [left, rung] of [
    [{ tokens: 39_000 }, free],
    [{ costUsd: 0.48 }, { ...free, price: { input: 3, output: 15 } }],
    [{}, { ...free, contextTokens: 39_000 }],
  ] as const) {
    const near = room(4000, left, rung)
    expect([near.found.fits, near.found.needsTokens, near.estimates]).toEqual([true, 1400, 2])
  }
})

test('a schema counts as part of the prompt', () => {
  const tools = {
    request: { rules: { leastOutputTokens: 400 }, ladder: [{ id: 'one', ...free }] },
    estimateTokens: (text: string) => Math.ceil(text.length / 4),
  } as unknown as RefinementTools
  const attempt = { left: () => ({ ...unbounded, tokens: 1000 }) } as Attempt
  const prompt = { system: '', prompt: 'x'.repeat(400) }
  const schema = { type: 'object', description: 'x'.repeat(800) }
  const rooms = [prompt, { ...prompt, schema }].map((one) => measure(attempt, one, 'one', false, tools))
  expect(rooms.map(({ maxOutputTokens }) => maxOutputTokens)).toEqual([900, 691])
})

test('the room is what the bounds leave beside the prompt, however far they are', () => {
  const amount = fc.integer({ min: 0, max: 120_000 })
  const price = fc.option(
    fc.record({ input: fc.integer({ max: 20, min: 0 }), output: fc.integer({ max: 80, min: 1 }) }),
  )
  fc.assert(
    fc.property(
      amount,
      amount,
      amount,
      amount,
      price,
      fc.boolean(),
      (characters, own, judging, context, cost, overhead) => {
        const left = { tokens: own, overheadTokens: judging, costUsd: 1 }
        const { found } = room(characters, left, { contextTokens: context, price: cost }, overhead)
        const tokens = Math.ceil(characters / 4)
        const affordable = cost ? (1e6 - tokens * cost.input) / cost.output : Infinity
        const bounds = [(overhead ? judging : own) - tokens, context - tokens, affordable, 32_000]
        const most = Math.floor(Math.min(...bounds))
        expect([found.maxOutputTokens, found.fits]).toEqual([most, most >= 400])
      },
    ),
    { numRuns: 2000 },
  )
})
