import { describe, expect, test } from 'vitest'
import type { LoopEvent, Outcome, Verdict } from '../../../src/contract/event.ts'
import { type PresetName, presets } from '../../../src/contract/refinement/config.ts'
import type { Rung } from '../../../src/contract/refinement/request.ts'
import { runLoop, type Work } from '../../../src/kernel/run.ts'
import { firstDivergence } from '../../../src/kernel/step.ts'
import type { RefinementMemo } from '../../../src/modes/refinement/memo.ts'
import { refinementPolicy } from '../../../src/modes/refinement/policy.ts'
import { fakeClock, memoryInbox, memoryJournal } from '../../../src/testing/memory.ts'

/** One iteration as it is played: what it costs, what it scores, or what stands in its way. */
type Beat = { tokens?: number; score?: number; fault?: string; crossing?: 'soft' | 'hard'; mark?: string }

const rung = (id: string): Rung => ({
  id,
  label: id,
  provider: 'ollama',
  model: id,
  local: id === 'ollama',
  contextTokens: 100_000,
  price: null,
})

const ref = (name: string) => ({ path: name, sha256: name, bytes: 1 })

function play(preset: PresetName, beats: readonly Beat[], options: { phases?: number; escalateTo?: string[] } = {}) {
  const rules = presets[preset]
  const terms = {
    rules,
    ladder: ['ollama', 'grok', 'claude'].map(rung),
    start: 'ollama',
    escalateTo: options.escalateTo ?? ['grok', 'claude'],
    failover: ['grok', 'claude', 'ollama'],
    judges: ['ollama'],
  }
  const { iterations: attemptsPerRun, tokens, escalations } = rules
  const policy = refinementPolicy(terms, { attemptsPerRun, tokens, escalations, interruptionsInARow: 20 })
  const left = [...beats]
  let beat: Beat = {}
  const work: Work<RefinementMemo> = {
    async attempt(a): Promise<Outcome> {
      if (a.task.id === 'decompose') return { status: 'ok', data: { phases: options.phases ?? 3, source: 'model' } }
      if (a.task.id === 'single-shot') return { status: 'ok', output: ref('single-shot') }
      beat = left.shift() ?? { score: 100 }
      const told = { iteration: 0, prunedTokens: 0, feedback: 0 }
      if (beat.crossing) return { status: 'unavailable', data: { ...told, crossing: beat.crossing } }
      if (beat.fault) return { status: 'unavailable', data: { ...told, fault: beat.fault } }
      const usage = { tokens: beat.tokens ?? 10, costUsd: null }
      await a.record({ key: 'generate', via: a.via, status: 'ok', usage, providerMs: 0 })
      return {
        status: 'ok',
        output: ref(`${a.task.id}-${a.attempt}`),
        data: { ...told, mark: beat.mark ?? `${a.task.id}${a.attempt}` },
      }
    },
    async evaluate(a, { memo }): Promise<Verdict> {
      if (a.task.kind === 'chore') return { status: 'passed' }
      const score = beat.score ?? 0
      const band = score >= 80 ? 'pass' : score >= 70 ? 'retry' : 'escalate'
      const better = band === 'pass' || score > (memo.best?.score ?? -1)
      const data = { band, raw: score, spread: 2, judge: 'ollama', issues: [], ledger: null, calibration: null, better }
      return { status: band === 'pass' ? 'passed' : 'failed', score, data }
    },
  }
  const journal = memoryJournal()
  const clock = fakeClock()
  const never = new AbortController().signal
  const stop = { soft: never, hard: never }
  return runLoop({
    run: 'run',
    policy,
    work,
    journal,
    inbox: memoryInbox(),
    clock,
    stop,
    start: { pins: {} },
    attended: false,
    holdMs: Number.POSITIVE_INFINITY,
  }).then((end) => ({
    ...end,
    events: journal.events,
    slept: clock.slept,
    policy,
    state: end.view.state,
    memo: end.view.memo,
  }))
}

const decisions = (events: readonly LoopEvent[]): string[] =>
  events.flatMap((event) => {
    if (event.type !== 'decision-made') return []
    const { decision } = event
    return [decision.do === 'escalate' || decision.do === 'failover' ? `${decision.do} ${decision.via}` : decision.do]
  })

describe('sap-0020', () => {
  test('a score of 80 ends its phase, and the last phase the run', async () => {
    const { state } = await play('sap-0020', [{ score: 80 }, { score: 81 }, { score: 99 }])
    expect(state.ended).toEqual({ ending: 'completed', reason: 'threshold_met' })
    expect(state.attempts).toBe(3)
  })

  test('75 is tried again after 150 ms and 300 ms, then the run is given up with one plain answer', async () => {
    const { state, slept, memo } = await play('sap-0020', [{ score: 75 }, { score: 76 }, { score: 74 }])
    expect(slept).toEqual([150, 300])
    expect(state.ended).toEqual({ ending: 'failed', reason: 'retries_exhausted' })
    expect(memo.singleShot).toEqual(ref('single-shot'))
    expect(memo.best).toMatchObject({ score: 76, iteration: 2 })
  })

  test('below 70 a stronger model takes over, once; below 70 again ends it', async () => {
    const { events, state } = await play('sap-0020', [{ score: 60 }, { score: 65 }])
    expect(decisions(events)).toContain('escalate grok')
    expect(state).toMatchObject({ escalations: 1, ended: { reason: 'escalations_exhausted' } })
  })

  test('more than 500 tokens call for a stronger model, though the score would do with another try', async () => {
    const { events, state } = await play('sap-0020', [
      { score: 75, tokens: 501 },
      { score: 90 },
      { score: 90 },
      { score: 90 },
    ])
    expect(decisions(events)).toContain('escalate grok')
    expect(state.ended?.reason).toBe('threshold_met')
  })

  test('five iterations are all there are', async () => {
    const { state } = await play(
      'sap-0020',
      [75, 75, 85, 75, 75, 85].map((score) => ({ score })),
    )
    expect(state.attempts).toBe(5)
    expect(state.ended).toEqual({ ending: 'failed', reason: 'iteration_cap' })
  })

  test('a call that would go past 1,000 tokens is not made: a stronger model first, then the end', async () => {
    const beats: Beat[] = [{ score: 75, tokens: 490 }, { crossing: 'hard' }, { crossing: 'hard' }]
    const { state, memo } = await play('sap-0020', beats)
    expect(state).toMatchObject({ attempts: 1, escalations: 1, ended: { reason: 'token_budget' } })
    expect(memo.best?.score).toBe(75)
  })
})

describe('sap-0010', () => {
  test('seven iterations are all there are, with one escalation', async () => {
    const scores = [60, 75, 85, 75, 75, 85, 75, 75]
    const { state } = await play(
      'sap-0010',
      scores.map((score) => ({ score })),
    )
    expect(state).toMatchObject({ attempts: 7, escalations: 1, ended: { reason: 'iteration_cap' } })
  })

  test('where both limits are 500, the stronger model has one call past it', async () => {
    const { state, events } = await play('sap-0010', [
      { score: 75, tokens: 510 },
      { score: 75, tokens: 300 },
    ])
    expect(decisions(events)).toContain('escalate grok')
    expect(state).toMatchObject({ attempts: 2, tokens: 810, ended: { reason: 'token_budget' } })
  })

  test('nothing plain is asked for at the end', async () => {
    const { memo } = await play('sap-0010', [{ score: 60 }, { score: 60 }])
    expect(memo.singleShot).toBeNull()
  })
})

test('with one model alone a low score is tried again like any other', async () => {
  const { state, events } = await play('sap-0010', [{ score: 60 }, { score: 65 }, { score: 60 }], { escalateTo: [] })
  expect(decisions(events).filter((decision) => decision === 'retry')).toHaveLength(2)
  expect(state.ended?.reason).toBe('retries_exhausted')
})

describe('a provider that is down', () => {
  const down = { fault: 'provider' }

  test('has two more tries, 150 ms and 300 ms later', async () => {
    const { slept, state } = await play('sap-0010', [down, down, { score: 90 }, { score: 90 }, { score: 90 }])
    expect(slept).toEqual([150, 300])
    expect(state).toMatchObject({ attempts: 3, ended: { reason: 'threshold_met' } })
  })

  test('is followed by Claude and then by the local one, and by the end when none answers', async () => {
    const { events, state, memo } = await play('sap-0010', [{ score: 60 }, ...Array<Beat>(12).fill(down)])
    expect(decisions(events).filter((decision) => /escalate|failover/.test(decision))).toEqual([
      'escalate grok',
      'failover claude',
      'failover ollama',
    ])
    expect(state.ended).toEqual({ ending: 'failed', reason: 'escalation_failed' })
    expect(memo.best?.score).toBe(60)
  })

  test('and wants a login, is not asked again', async () => {
    const login = { fault: 'login' }
    const { events, state } = await play('sap-0010', [login, login, login])
    expect(decisions(events).filter((decision) => decision.startsWith('failover'))).toEqual([
      'failover grok',
      'failover claude',
    ])
    expect(state.ended).toEqual({ ending: 'blocked', reason: 'login_needed' })
  })
})

describe('standard', () => {
  test('no gain in two more rounds calls for a stronger model, and ends the run where there is none', async () => {
    const flat = [{ score: 75 }, { score: 75.5 }, { score: 75.2 }]
    expect(decisions((await play('standard', flat)).events)).toContain('escalate grok')
    expect((await play('standard', flat, { escalateTo: [] })).state.ended?.reason).toBe('plateau')
  })

  test('a text that was there before is a cycle', async () => {
    const { state } = await play(
      'standard',
      [
        { score: 72, mark: 'a' },
        { score: 77, mark: 'a' },
      ],
      { escalateTo: [] },
    )
    expect(state.ended?.reason).toBe('cycle')
  })
})

test('what was decided would be decided again, in every play', async () => {
  for (const preset of ['sap-0020', 'sap-0010', 'standard'] as const) {
    for (const scores of [
      [60, 60],
      [75, 75, 75],
      [85, 60, 90, 75, 95],
      [79, 81, 69, 90, 90],
    ]) {
      const { events, policy } = await play(
        preset,
        scores.map((score) => ({ score, tokens: 120 })),
      )
      expect(firstDivergence(events, policy)).toBeUndefined()
    }
  }
})
