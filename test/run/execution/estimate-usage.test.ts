import { expect, test } from 'vitest'
import type { Call, LoopEvent } from '../../../src/contract/event.ts'
import type { Caps, Usage } from '../../../src/contract/values.ts'
import type { Agent } from '../../../src/ports/agent.ts'
import { estimateUnknown } from '../../../src/run/execution/tools.ts'

const unknown: Usage = { tokens: null, costUsd: null }
const call = (usage: Usage, more: Partial<Call> = {}): Call => ({
  key: 'agent',
  via: 'a',
  status: 'ok',
  usage,
  providerMs: 1,
  ...more,
})

/** What a killed attempt counts as, in a run with these calls and caps. */
async function recovered(known: Usage, calls: readonly Call[], caps: Caps = {}): Promise<Usage> {
  const stamp = { at: 1, ms: 0, task: 'T', attempt: 1, epoch: 1 }
  const started = {
    type: 'run-started',
    journal: 2,
    policy: 'p',
    version: 1,
    caps,
    pins: {},
    ...stamp,
    seq: 1,
  } as const
  const events: LoopEvent[] = [
    started,
    ...calls.map((one, index) => ({ type: 'call-ended' as const, call: one, ...stamp, seq: index + 2 })),
  ]
  const agent: Agent = { name: 'a', run: () => Promise.reject(new Error('not here')), recover: async () => known }
  async function* pages() {
    yield events
  }
  return estimateUnknown(agent, {
    read: async () => ({ snapshot: undefined, last: undefined, events: pages() }),
  }).recover!({})
}

test('what is known is not touched', async () => {
  expect(await recovered({ tokens: 7, costUsd: 0 }, [call({ tokens: 100, costUsd: 1 })])).toEqual({
    tokens: 7,
    costUsd: 0,
  })
})

test('an unknown amount is the mean of those that were reported, and marked', async () => {
  const calls = [
    call({ tokens: 100, costUsd: 1 }),
    call({ tokens: 201, costUsd: null }),
    call({ tokens: 9999, costUsd: 9, estimated: true }),
    call({ tokens: 5, costUsd: 5 }, { overhead: true }),
  ]
  expect(await recovered(unknown, calls)).toEqual({ tokens: 151, costUsd: 1, estimated: true })
  expect(await recovered({ tokens: 7, costUsd: null }, calls)).toEqual({ tokens: 7, costUsd: 1, estimated: true })
})

test('before anything was reported, a default counts where there is a bound', async () => {
  expect(await recovered(unknown, [], { tokens: 1000 })).toEqual({ tokens: 20_000, costUsd: null, estimated: true })
  expect(await recovered(unknown, [], { costUsd: 2 })).toEqual({ tokens: null, costUsd: 0.2, estimated: true })
  expect(await recovered(unknown, [])).toEqual(unknown)
})

test('an agent that has finished without a report never reports, so nothing is made up', async () => {
  expect(await recovered(unknown, [call(unknown)], { tokens: 1000 })).toEqual(unknown)
  const killed = call({ tokens: 20_000, costUsd: null, estimated: true }, { status: 'failed' })
  expect((await recovered(unknown, [killed], { tokens: 1000 })).tokens).toBe(20_000)
})
