import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { emptyState, type LoopState, reduce } from '../../../src/kernel/state.ts'
import { beginTurn, endTurn, type Span, traceEvent } from '../../../src/run/tracing/spans.ts'
import { eventsOf, firstMoment, gateFailed, iteration, passed, type Written } from '../../support/written-events.ts'

const minute = 60_000
const begin: Written = { type: 'run-started', journal: 2, policy: 'p', version: 1, caps: {}, pins: {} }

/** The spans of one turn, from the state that the turns before it left. */
function trace(facts: readonly Written[], from = 0, job = 'job-1'): readonly Span[] {
  const events = eventsOf(facts)
  let state: LoopState = emptyState
  for (const event of events.slice(0, from)) state = reduce(state, event)
  let open = beginTurn({ run: 'run-1', mode: 'procedure', job, start: events[from]!.at - 5 })
  const spans = events.slice(from).flatMap((event) => {
    state = reduce(state, event)
    const step = traceEvent(open, event, state)
    open = step.open
    return step.spans
  })
  return [...spans, ...endTurn(open, events.at(-1)!.at + 5, 'ended')]
}

const named = (spans: readonly Span[], name: Span['name']): Span => spans.find((span) => span.name === name)!

test('a turn has a span, and in it one per attempt, evaluation and call', () => {
  const spans = trace([
    begin,
    ...iteration(1, gateFailed(1, 1), { tokens: 70 }),
    ...iteration(2, passed(1), { tokens: 5 }),
  ])
  expect(spans.map(({ name }) => name)).toEqual([
    'call',
    'attempt',
    'evaluation',
    'call',
    'attempt',
    'evaluation',
    'turn',
  ])
  const [call, attempt, evaluation] = spans as [Span, Span, Span]
  const turn = spans.at(-1)!
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(
    new Set([createHash('sha256').update('run-1').digest('hex').slice(0, 32)]),
  )
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length)
  for (const { spanId } of spans) expect(spanId).toMatch(/^[0-9a-f]{16}$/)
  expect(turn).not.toHaveProperty('parentSpanId')
  expect([attempt.parentSpanId, evaluation.parentSpanId]).toEqual([turn.spanId, turn.spanId])
  expect(call.parentSpanId).toBe(attempt.spanId)
  expect([attempt.start, attempt.end]).toEqual([firstMoment, firstMoment + 2 * minute])
  expect([evaluation.start, evaluation.end]).toEqual([firstMoment + 2 * minute, firstMoment + 3 * minute])
  expect([turn.start, turn.end]).toEqual([firstMoment - 5, firstMoment + 6 * minute + 5])
  const run = { 'pawl.run': 'run-1', 'pawl.mode': 'procedure' }
  const about = { ...run, 'pawl.task': 'iteration-1', 'pawl.attempt': 1 }
  expect(call.attributes).toEqual({ ...about, 'pawl.status': 'ok', 'pawl.tokens': 70 })
  expect(attempt.attributes).toEqual({ ...about, 'pawl.status': 'ok', 'pawl.tokens': 70 })
  expect(evaluation.attributes).toEqual({ ...about, 'pawl.status': 'failed' })
  expect(turn.attributes).toEqual({ ...run, 'pawl.status': 'ended', 'pawl.tokens': 75 })
})

test('a call lasts as long as its provider took; one of the judge belongs to the evaluation', () => {
  const usage = { tokens: null, costUsd: null }
  const [picked, started, , ended] = iteration(1, passed(0))
  const judge = { key: 'judge', via: 'm', status: 'failed', usage, providerMs: 1500, overhead: true } as const
  const spans = trace([
    begin,
    picked!,
    started!,
    ended!,
    { type: 'call-ended', call: judge, after: 1 },
    { type: 'verdict-reached', verdict: { status: 'passed' } },
  ])
  const call = named(spans, 'call')
  expect(call.end - call.start).toBe(1500)
  expect(call.isError).toBe(true)
  expect(call.attributes).not.toHaveProperty('pawl.tokens')
  expect(call.parentSpanId).toBe(named(spans, 'evaluation').spanId)
})

test('a wait that another machine began is whole where it ends', () => {
  const limit = { code: 'limit' } as const
  const first: Written[] = [
    begin,
    ...iteration(1, passed(0)).slice(0, 4),
    {
      type: 'decision-made',
      decision: { do: 'wait', until: firstMoment + 9 * minute, reason: limit },
      by: 'policy',
      after: 1,
    },
  ]
  expect(trace(first).map(({ name }) => name)).toEqual(['call', 'attempt', 'evaluation', 'turn'])
  const all: Written[] = [...first, { type: 'run-resumed', after: 5 }, { type: 'wait-ended', skipped: false, after: 1 }]
  const spans = trace(all, first.length, 'job-2')
  expect(spans.map(({ name }) => name)).toEqual(['wait', 'turn'])
  const { start, end, traceId, attributes } = named(spans, 'wait')
  expect([start, end]).toEqual([firstMoment + 3 * minute, firstMoment + 9 * minute])
  expect(attributes['pawl.status']).toBe('over')
  expect(traceId).toBe(trace(first)[0]!.traceId)
  expect(named(spans, 'turn').spanId).not.toBe(named(trace(first), 'turn').spanId)
})

test('an attempt whose worker died is interrupted, from where the next turn found it', () => {
  const first: Written[] = [begin, ...iteration(1, passed(0)).slice(0, 2)]
  const outcome = { status: 'interrupted', detail: 'the process ended during this attempt' } as const
  const recovered: Written = { type: 'attempt-ended', outcome, after: 2 }
  const spans = trace([...first, { type: 'run-resumed', after: 1 }, recovered], first.length)
  expect(spans.map(({ name, isError }) => [name, isError])).toEqual([
    ['attempt', true],
    ['turn', false],
  ])
  const { start, end, attributes } = named(spans, 'attempt')
  expect([start, end]).toEqual([firstMoment + minute, firstMoment + 3 * minute])
  expect(attributes['pawl.status']).toBe('interrupted')
})

test('no text of a run is in a span', () => {
  const secret = 'the text of a person'
  const usage = { tokens: 1, costUsd: null }
  const output = { path: secret, sha256: secret, bytes: 1 }
  const spans = trace([
    begin,
    { type: 'task-picked', picked: { id: 'S1', kind: 'work', data: { title: secret } } },
    { type: 'attempt-started', via: secret },
    {
      type: 'call-ended',
      call: { key: secret, via: secret, status: 'ok', usage, providerMs: 1, output, data: { secret } },
    },
    { type: 'attempt-ended', outcome: { status: 'ok', output, detail: secret, data: { secret } } },
    { type: 'verdict-reached', verdict: { status: 'failed', evidence: output, detail: secret, data: { secret } } },
  ])
  expect(spans).toHaveLength(4)
  expect(JSON.stringify(spans)).not.toContain(secret)
})
