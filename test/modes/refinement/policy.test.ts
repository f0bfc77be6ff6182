import { describe, expect, test } from 'vitest'
import type { LoopEvent } from '../../../src/contract/event.ts'
import { firstDivergence } from '../../../src/kernel/step.ts'
import { bestOutput } from '../../../src/modes/refinement/core/memo.ts'
import { type Beat, decisions, play, ref } from './play.ts'

describe('sap-0020', () => {
  test('a score of 80 ends its phase, and the last phase the run', async () => {
    const { state } = await play('sap-0020', [{ score: 80 }, { score: 81 }, { score: 99 }])
    expect(state.ended).toEqual({ ending: 'completed', reason: { code: 'threshold_met' } })
    expect(state.attempts).toBe(3)
  })

  test('75 is tried again after 150 ms and 300 ms, then the run is given up with one plain answer', async () => {
    const { state, slept, memo } = await play('sap-0020', [{ score: 75 }, { score: 76 }, { score: 74 }])
    expect(slept).toEqual([150, 300])
    expect(state.ended).toEqual({ ending: 'failed', reason: { code: 'retries_exhausted' } })
    expect(memo.singleShot).toEqual(ref('single-shot'))
    expect(memo.best).toMatchObject({ score: 76, iteration: 2 })
  })

  test('below 70 a stronger model takes over, once; below 70 again ends it', async () => {
    const { events, state } = await play('sap-0020', [{ score: 60 }, { score: 65 }])
    expect(decisions(events)).toContain('escalate grok')
    expect(state).toMatchObject({ escalations: 1, ended: { reason: { code: 'escalations_exhausted' } } })
  })

  test('more than 500 tokens call for a stronger model, though the score would do with another try', async () => {
    const { events, state } = await play('sap-0020', [
      { score: 75, tokens: 501 },
      { score: 90 },
      { score: 90 },
      { score: 90 },
    ])
    expect(decisions(events)).toContain('escalate grok')
    expect(state.ended?.reason.code).toBe('threshold_met')
  })

  test('five iterations are all there are', async () => {
    const { state } = await play(
      'sap-0020',
      [75, 75, 85, 75, 75, 85].map((score) => ({ score })),
    )
    expect(state.attempts).toBe(5)
    expect(state.ended).toEqual({ ending: 'failed', reason: { code: 'iteration_cap' } })
  })

  test('a call that would go past 1,000 tokens is not made: a stronger model first, then the end', async () => {
    const beats: Beat[] = [{ score: 75, tokens: 490 }, { crossing: 'hard' }, { crossing: 'hard' }]
    const { state, memo } = await play('sap-0020', beats)
    expect(state).toMatchObject({ attempts: 1, escalations: 1, ended: { reason: { code: 'token_budget' } } })
    expect(memo.best?.score).toBe(75)
  })
})

describe('a call that takes more than the hard limit', () => {
  const overrun: Beat[] = [{ score: 90 }, { score: 90 }, { score: 90, tokens: 1_200 }]

  test('ends a run of the seeds as one that spent too much, however good its text is', async () => {
    for (const preset of ['sap-0020', 'sap-0010'] as const) {
      const { state, memo } = await play(preset, overrun)
      expect(state.ended).toEqual({ ending: 'failed', reason: { code: 'token_budget' } })
      expect(bestOutput(memo)).toEqual(ref('phase-3-1'))
    }
  })

  test('the same for the call of grace where both limits are one', async () => {
    const { state } = await play('sap-0010', [{ score: 90 }, { score: 90 }, { score: 75, tokens: 501 }, { score: 90 }])
    expect(state).toMatchObject({ attempts: 4, escalations: 1, ended: { reason: { code: 'token_budget' } } })
  })

  test('a run that took exactly its limit has kept it', async () => {
    const { state } = await play('sap-0020', [{ score: 90 }, { score: 90 }, { score: 90, tokens: 980 }])
    expect(state).toMatchObject({ tokens: 1_000, ended: { ending: 'completed' } })
  })

  test('opened again with a higher limit it completes without another call', async () => {
    const { state, goOn } = await play('sap-0020', overrun)
    expect(state.ended?.ending).toBe('failed')
    const { state: after } = await goOn([])
    expect(after).toMatchObject({ attempts: 3, tokens: 1_220, ended: { ending: 'completed' } })
  })

  test('under standard a text that passed counts: the limit only forbids more calls', async () => {
    const { state } = await play('standard', [{ score: 90 }, { score: 90 }, { score: 90, tokens: 90_000 }])
    expect(state.ended?.ending).toBe('completed')
  })
})

test('one call that takes more than there ever was ends it for want of tokens, with nobody stronger asked', async () => {
  for (const preset of ['sap-0020', 'standard'] as const) {
    const { state } = await play(preset, [{ score: 75, tokens: 1_000_000 }])
    expect(state.ended).toEqual({ ending: 'failed', reason: { code: 'token_budget' } })
    expect(state.escalations).toBe(0)
  }
})

describe('a rate limit', () => {
  const waits = (events: readonly LoopEvent[]): number[] =>
    events.flatMap((event) =>
      event.type === 'decision-made' && event.decision.do === 'wait' ? [event.decision.until - event.at] : [],
    )

  test('whose time has passed when it is told is waited for twice as long each time, up to a bound', async () => {
    const { events, state } = await play('sap-0010', Array<Beat>(50).fill({ fault: 'limit', retryAt: 0 }))
    expect(waits(events).slice(0, 4)).toEqual([150, 300, 600, 1200])
    expect(state.ended?.reason.code).toBe('wait_budget')
    expect(waits(events).length).toBeLessThan(14)
  })

  test('is bounded also in the one call past the last limit', async () => {
    const beats: Beat[] = [{ score: 75, tokens: 510 }, ...Array<Beat>(50).fill({ fault: 'limit', retryAt: 0 })]
    const { state } = await play('sap-0010', beats)
    expect(state).toMatchObject({ grace: true, ended: { reason: { code: 'wait_budget' } } })
  })
})

describe('sap-0010', () => {
  test('seven iterations are all there are, with one escalation', async () => {
    const scores = [60, 75, 85, 75, 75, 85, 75, 75]
    const { state } = await play(
      'sap-0010',
      scores.map((score) => ({ score })),
    )
    expect(state).toMatchObject({ attempts: 7, escalations: 1, ended: { reason: { code: 'iteration_cap' } } })
  })

  test('where both limits are 500, the stronger model has one call past it', async () => {
    const { state, events } = await play('sap-0010', [
      { score: 75, tokens: 510 },
      { score: 75, tokens: 300 },
    ])
    expect(decisions(events)).toContain('escalate grok')
    expect(state).toMatchObject({ attempts: 2, tokens: 810, ended: { reason: { code: 'token_budget' } } })
  })

  test('nothing plain is asked for at the end', async () => {
    const { memo } = await play('sap-0010', [{ score: 60 }, { score: 60 }])
    expect(memo.singleShot).toBeNull()
  })
})

test('with one model alone a low score is tried again like any other', async () => {
  const { state, events } = await play('sap-0010', [{ score: 60 }, { score: 65 }, { score: 60 }], { escalateTo: [] })
  expect(decisions(events).filter((decision) => decision === 'retry')).toHaveLength(2)
  expect(state.ended?.reason.code).toBe('retries_exhausted')
})

describe('a provider that is down', () => {
  const down = { fault: 'provider' }

  test('has two more tries, 150 ms and 300 ms later', async () => {
    const { slept, state } = await play('sap-0010', [down, down, { score: 90 }, { score: 90 }, { score: 90 }])
    expect(slept).toEqual([150, 300])
    expect(state).toMatchObject({ attempts: 3, ended: { reason: { code: 'threshold_met' } } })
  })

  test('is followed by Claude and then by the local one, and by the end when none answers', async () => {
    const { events, state, memo } = await play('sap-0010', [{ score: 60 }, ...Array<Beat>(12).fill(down)])
    expect(decisions(events).filter((decision) => /escalate|failover/.test(decision))).toEqual([
      'escalate grok',
      'failover claude',
      'failover ollama',
    ])
    expect(state.ended).toEqual({ ending: 'failed', reason: { code: 'escalation_failed' } })
    expect(memo.best?.score).toBe(60)
  })

  test('and wants a login, is not asked again', async () => {
    const login = { fault: 'login' }
    const { events, state } = await play('sap-0010', [login, login, login])
    expect(decisions(events).filter((decision) => decision.startsWith('failover'))).toEqual([
      'failover grok',
      'failover claude',
    ])
    expect(state.ended).toEqual({ ending: 'blocked', reason: { code: 'login_needed' } })
  })
})

describe('standard', () => {
  test('no gain in two more rounds calls for a stronger model, and ends the run where there is none', async () => {
    const flat = [{ score: 75 }, { score: 75.5 }, { score: 75.2 }]
    expect(decisions((await play('standard', flat)).events)).toContain('escalate grok')
    expect((await play('standard', flat, { escalateTo: [] })).state.ended?.reason.code).toBe('plateau')
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
    expect(state.ended?.reason.code).toBe('cycle')
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

describe('a limit', () => {
  test('is waited for as long as it says, and by itself for longer and longer', async () => {
    const told = await play('sap-0010', [{ fault: 'limit', retryIn: 5000 }, { score: 90 }])
    expect(told.slept).toEqual([5000])
    expect(decisions(told.events)).toContain('wait')
    const untold = await play('sap-0010', [{ fault: 'limit' }, { fault: 'limit' }, { score: 90 }])
    expect(untold.slept).toEqual([2000, 4000])
  })

  test('that is longer than the run may wait ends it', async () => {
    const { state } = await play('sap-0010', [{ fault: 'limit', retryIn: 700_000 }])
    expect(state.ended).toEqual({ ending: 'failed', reason: { code: 'wait_budget' } })
  })
})

describe('a judge', () => {
  test('that is down has two more tries, then the next one is asked', async () => {
    const { judgedBy, slept, state } = await play('sap-0010', [{ score: 90, judge: { why: 'down', times: 3 } }], {
      judges: ['ollama', 'grok'],
    })
    expect(judgedBy.slice(0, 4)).toEqual(['ollama', 'ollama', 'ollama', 'grok'])
    expect(slept).toEqual([150, 300, 0])
    expect(state.ended?.reason.code).toBe('threshold_met')
  })

  test('that nobody can read is not asked again', async () => {
    const { judgedBy } = await play('sap-0010', [{ score: 90, judge: { why: 'unreadable', times: 1 } }], {
      judges: ['ollama', 'grok'],
    })
    expect(judgedBy.slice(0, 2)).toEqual(['ollama', 'grok'])
  })

  test('is wanted: without one the run ends, with its text, and no score', async () => {
    const { state, memo } = await play('sap-0010', [{ judge: { why: 'unreadable', times: 9 } }])
    expect(state.ended).toEqual({ ending: 'failed', reason: { code: 'judge_unavailable' } })
    expect([memo.best, state.outcome?.output]).toEqual([null, ref('phase-1-1')])
  })

  test('has tokens of its own, and no more', async () => {
    const { state } = await play('sap-0010', [{ judge: { why: 'budget', times: 9 } }])
    expect(state.ended).toEqual({ ending: 'failed', reason: { code: 'overhead_budget' } })
  })
})

describe('an issue that comes back twice', () => {
  const issues = [{ id: 'I1', state: 'open', severity: 'major', reopened: 2 }] as const
  const contested: Beat = { score: 75, issues }

  test('is asked about, and accepted', async () => {
    const { memo, state } = await play('standard', [contested, { score: 90 }, { score: 90 }], { answers: ['accept'] })
    expect(state.ended).toEqual({ ending: 'completed', reason: { code: 'accepted_by_person' } })
    expect(memo.accepted[0]).toEqual(ref('phase-1-1'))
  })

  test('is asked about once, and gone on with', async () => {
    const { state, events } = await play('standard', [contested, { ...contested, score: 78 }, { score: 90 }], {
      answers: ['go-on'],
    })
    expect(decisions(events).filter((decision) => decision === 'pause')).toHaveLength(1)
    expect(state.ended?.reason.code).toBe('threshold_met')
  })

  test('is asked about, and given up', async () => {
    expect((await play('standard', [contested], { answers: ['stop'] })).state.ended?.reason.code).toBe('contested')
  })

  test('waits for somebody where nobody answers', async () => {
    const { status, state } = await play('standard', [contested])
    expect([status, state.question?.topic]).toEqual(['waiting', { code: 'contested' }])
  })

  test('is nothing to the seeds', async () => {
    expect((await play('sap-0010', [contested, { score: 90 }])).state.ended?.reason.code).toBe('threshold_met')
  })
})

describe('what a person says', () => {
  const note = { by: 'ann', say: 'feedback', text: ref('words') } as const

  test('while the last text is written is heard in one more', async () => {
    const last = await play('sap-0010', [{ score: 90 }, { score: 90 }, { score: 90, notes: [note] }])
    expect(last.state.attempts).toBe(4)
    const first = await play('sap-0010', [{ score: 90, notes: [note] }, { score: 90 }, { score: 90 }])
    expect(first.state.attempts).toBe(3)
    expect(first.memo.feedback).toEqual([ref('words')])
  })
})

describe('ways on', () => {
  test('planning that fails leaves the usual phases', async () => {
    const { memo, state } = await play('sap-0010', [{ score: 90 }], { planFaults: 9 })
    expect(memo.phases).toEqual({ count: 3, titles: null })
    expect(state.ended?.reason.code).toBe('threshold_met')
  })

  test('an interrupted text is written again and burns nothing', async () => {
    const { state } = await play('sap-0010', [{ interrupted: true }, { score: 90 }])
    expect(state).toMatchObject({ attempts: 3, ended: { reason: { code: 'threshold_met' } } })
  })

  test('a refusal is an iteration without a score', async () => {
    const { memo, state } = await play('sap-0010', [{ failed: true }, { score: 90 }])
    expect(memo.iterations[0]).toMatchObject({ score: null, output: null })
    expect(state.attempts).toBe(4)
  })

  test('a crossing does not count as a provider that is down', async () => {
    const { events, state } = await play('sap-0020', [
      { crossing: 'soft' },
      { fault: 'provider' },
      { fault: 'provider' },
      { score: 90 },
    ])
    expect(decisions(events).filter((decision) => decision.startsWith('failover'))).toEqual([])
    expect(state.via).toBe('grok')
  })

  test('a stronger model that was found down is not called in', async () => {
    const down = { fault: 'provider' }
    const beats: Beat[] = [down, down, down, down, down, down, { score: 60 }, { score: 90 }]
    const { events } = await play('sap-0010', beats)
    // The local one is down, then Grok; Claude writes. What was found down is known until somebody answers.
    expect(
      decisions(events)
        .filter((decision) => /escalate|failover/.test(decision))
        .slice(0, 2),
    ).toEqual(['failover grok', 'failover claude'])
  })

  test('exactly 500 tokens are not past 500', async () => {
    expect(decisions((await play('sap-0020', [{ score: 75, tokens: 500 }, { score: 90 }])).events)).not.toContain(
      'escalate grok',
    )
  })

  test('a model that is not there is passed over at once', async () => {
    const { slept, events } = await play('sap-0010', [{ fault: 'model' }, { score: 90 }])
    expect([slept, decisions(events)[1]]).toEqual([[], 'failover grok'])
  })

  test('nothing plain is asked for where nobody answers', async () => {
    const { state, memo } = await play('sap-0020', Array<Beat>(12).fill({ fault: 'provider' }))
    expect([state.ended?.reason.code, memo.singleShot]).toEqual(['provider_unavailable', null])
  })

  test('a gain that could be chance is none', async () => {
    const { state } = await play(
      'standard',
      [
        { score: 71, spread: 9 },
        { score: 74, spread: 9 },
        { score: 73, spread: 9 },
      ],
      { escalateTo: [] },
    )
    expect(state.ended?.reason.code).toBe('plateau')
  })

  test('scores of the weaker model say nothing of the stronger one', async () => {
    const { events } = await play('standard', [
      { score: 75 },
      { score: 75 },
      { score: 75 },
      { score: 75 },
      { score: 76 },
      { score: 90 },
    ])
    expect(decisions(events).filter((decision) => decision === 'stop')).toHaveLength(1)
    expect(decisions(events).filter((decision) => decision === 'retry')).toHaveLength(4)
  })

  test('a run that was given up goes on in the phase where it was, with numbers that go on', async () => {
    const ended = await play('sap-0020', [{ score: 90 }, { score: 75 }, { score: 75 }, { score: 75 }])
    expect(ended.state.ended?.reason.code).toBe('retries_exhausted')
    const { state, memo, events } = await ended.goOn([{ score: 90 }, { score: 90 }])
    expect(state.ended?.reason.code).toBe('threshold_met')
    expect(memo.accepted).toHaveLength(3)
    expect(
      events.filter(({ type, task }) => type === 'attempt-started' && task === 'phase-2').map(({ attempt }) => attempt),
    ).toEqual([1, 2, 3, 4])
  })

  test('what is given back is the best of the open phase, else what the one before came to', async () => {
    const { memo } = await play('sap-0010', [{ score: 90 }, { fault: 'login' }, { fault: 'login' }, { fault: 'login' }])
    expect([memo.best, memo.accepted]).toEqual([null, [ref('phase-1-1')]])
  })
})

describe('standard goes on where the seeds end', () => {
  const rising = (...scores: number[]): Beat[] => scores.map((score) => ({ score, spread: 2 }))

  test('while a text still gets better, however many tries it takes', async () => {
    const { state } = await play('standard', rising(44, 52, 60, 68, 76, 84, 90), { escalateTo: [], phases: 1 })
    expect(state).toMatchObject({ attempts: 6, ended: { reason: { code: 'threshold_met' } } })
    const seed = await play('sap-0010', rising(44, 52, 60, 68), { escalateTo: [] })
    expect(seed.state).toMatchObject({ attempts: 3, ended: { reason: { code: 'retries_exhausted' } } })
  })

  test('with a low score and no escalation left', async () => {
    const { state } = await play('standard', rising(44, 60, 66, 82, 90, 90))
    expect(state).toMatchObject({ escalations: 1, ended: { reason: { code: 'threshold_met' } } })
  })

  test('when nobody answers: it waits, longer and longer, and asks all of them once more', async () => {
    const down = Array<Beat>(10).fill({ fault: 'provider' })
    const { slept, state, events } = await play('standard', [...down, { score: 90 }])
    expect(slept.filter((ms) => ms > 1000).length).toBeGreaterThan(0)
    expect(decisions(events).filter((decision) => decision === 'failover grok')).toHaveLength(1)
    expect(state.ended?.reason.code).toBe('threshold_met')
  })

  test('when no judge answers, and ends by that name when it may wait no longer', async () => {
    const judge = { why: 'down', times: 5 } as const
    expect((await play('standard', [{ score: 90, judge }])).state.ended?.reason.code).toBe('threshold_met')
    const never = { why: 'down', times: 99 } as const
    const rules = { waitMs: 20_000 }
    const { state } = await play('standard', [{ score: 90, judge: never }], { rules })
    expect(state.ended).toEqual({ ending: 'failed', reason: { code: 'judge_unavailable' } })
    const outage = await play('standard', Array<Beat>(60).fill({ fault: 'provider' }), { rules })
    expect(outage.state.ended).toEqual({ ending: 'failed', reason: { code: 'provider_unavailable' } })
  })
})

test.each([
  ['sap-0010', {}],
  ['standard', { waitMs: 5_000 }],
] as const)(
  '%s: a text that nobody could judge is judged when the run goes on, and not written again',
  async (preset, rules) => {
    const ended = await play(preset, [{ score: 90, judge: { why: 'down', times: 3 } }, { score: 90 }], { rules })
    expect(ended.state.ended?.reason.code).toBe('judge_unavailable')
    const { state, events } = await ended.goOn([])
    expect(state.ended?.reason.code).toBe('threshold_met')
    expect(events.filter(({ type, task }) => type === 'attempt-started' && task === 'phase-1')).toHaveLength(1)
  },
)

test('what a person says while the last text of all is written does not undo that it passed', async () => {
  const note = { by: 'ann', say: 'feedback', text: ref('words') } as const
  const { state } = await play('sap-0010', [{ score: 90, notes: [note] }], { phases: 1, rules: { iterations: 1 } })
  expect(state.ended?.reason.code).toBe('threshold_met')
})

test('an escalation never goes down the ladder', async () => {
  const down = { fault: 'provider' }
  const { events } = await play('sap-0010', [down, down, down, down, down, down, { score: 60 }, { score: 60 }])
  expect(decisions(events)).toContain('failover claude')
  expect(decisions(events)).not.toContain('escalate grok')
})
