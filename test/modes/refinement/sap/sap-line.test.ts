import { expect, test } from 'vitest'
import type { Fact, LoopEvent, Note } from '../../../../src/contract/event.ts'
import { hidePeople } from '../../../../src/modes/refinement/sap/sap-hide.ts'
import { createUuid, type SapAbout, type SapLine } from '../../../../src/modes/refinement/sap/sap-line.ts'
import { followRun } from '../../../../src/modes/refinement/sap/sap-log.ts'
import { about, call, generated, numbered, scored, started } from './a-run.ts'

const linesOf = (events: readonly LoopEvent[], of: SapAbout = about): SapLine[] =>
  events.map(followRun(of)).filter((line) => line !== undefined)
const told = (facts: readonly Fact[], of?: SapAbout) =>
  linesOf(numbered(facts), of).map(({ event, outcome, state }) => [event, outcome, state])

const phase = { task: 'phase-1', attempt: 1 }
const picked: Fact = { type: 'task-picked', picked: { id: 'phase-1', kind: 'work', via: 'local' } }
const attempt = (via: string): Fact => ({ type: 'attempt-started', via })
const note = (said: object): Fact => ({ type: 'note-received', note: { by: 'Ann', ...said } as Note })

test('a whole run, line by line', () => {
  const events = numbered([
    started,
    { type: 'task-picked', picked: { id: 'phases', kind: 'chore', via: 'local' }, task: 'phases', chore: true },
    { ...attempt('local'), task: 'phases', chore: true },
    { ...call('local', 'decompose'), task: 'phases', chore: true },
    {
      type: 'attempt-ended',
      outcome: { status: 'ok', data: { phases: 3, source: 'model' } },
      task: 'phases',
      chore: true,
    },
    { type: 'decision-made', decision: { do: 'settle', as: 'done' }, by: 'policy' },
    { ...picked, ...phase },
    { ...attempt('local'), ...phase },
    { ...call('local', 'generate'), ...phase },
    { ...generated(1, 120), ...phase },
    { ...call('local', 'judge'), ...phase },
    { ...scored(75, 'retry'), ...phase },
    { type: 'decision-made', decision: { do: 'retry', afterMs: 150 }, by: 'policy', ...phase },
    { type: 'wait-ended', skipped: false, ...phase, ms: 150 },
    { ...attempt('local'), ...phase },
    { ...call('local', 'generate'), ...phase },
    { ...generated(2), ...phase },
    { ...scored(60, 'escalate'), ...phase },
    { type: 'decision-made', decision: { do: 'escalate', via: 'grok' }, by: 'policy', ...phase },
    { ...attempt('grok'), ...phase },
    { ...call('grok', 'generate', { remote: true }), ...phase },
    { ...generated(3), ...phase },
    { ...call('grok', 'calibrate', { remote: true, raw: 91 }), ...phase },
    { ...call('grok', 'judge', { remote: true }), ...phase },
    { ...call('grok', 'judge', { remote: true }), ...phase },
    { ...scored(85, 'pass', 'c1'), ...phase },
    { type: 'decision-made', decision: { do: 'settle', as: 'done' }, by: 'policy', ...phase },
    { type: 'run-ended', ending: 'completed', reason: { code: 'threshold_met' } },
  ])
  const lines = linesOf(events)
  const table = lines.map((line) =>
    [line.event, line.outcome, line.iteration, line.score, line.model_used, line.elapsed_ms].join(' | '),
  )
  expect(table).toEqual([
    'start | started |  |  | Llama 70B | 10',
    'phases | 3 by model |  |  | Llama 70B | 50',
    'generate | ok | 1 |  | Llama 70B | 100',
    'score | retry | 1 | 75 | Llama 70B | 120',
    'retry | after 150 ms | 1 |  | Llama 70B | 130',
    'generate | ok | 2 |  | Llama 70B | 310',
    'score | escalate | 2 | 60 | Llama 70B | 320',
    'escalation | to Grok 4.1 | 2 |  | Grok 4.1 | 330',
    'generate | ok | 3 |  | Grok 4.1 | 360',
    'calibration | ok | 3 |  | Grok 4.1 | 370',
    'score | pass | 3 | 85 | Grok 4.1 | 400',
    'completion | threshold_met | 3 |  | Grok 4.1 | 420',
  ])
  expect(lines.map(({ line }) => line)).toEqual(lines.map((_line, index) => index + 1))
  expect(lines.map(({ remote }) => remote).filter((sent) => sent !== null)).toEqual([
    [{ rung: 'grok', bytes: 1000 }],
    [{ rung: 'grok', bytes: 1000 }],
    [{ rung: 'grok', bytes: 2000 }],
  ])
  expect(lines.map(({ raw_score }) => raw_score).filter((raw) => raw !== null)).toEqual([85, 70, 91, 95])
  expect(lines.at(-2)).toMatchObject({ calibration_id: 'c1', phase: 'phase-1', pruned_tokens: null })
  expect(lines[2]).toMatchObject({ pruned_tokens: 120, phase: 'phase-1' })
  for (const { engine_ms, provider_ms, wait_ms, elapsed_ms } of lines) {
    expect(engine_ms + provider_ms + wait_ms).toBe(elapsed_ms)
  }
  expect(lines.at(-1)).toMatchObject({ provider_ms: 32, wait_ms: 150, state: 'Completed' })
})

test('every field is there, in the order of the seeds, and what is not known is null', () => {
  const [line] = linesOf(numbered([started]))
  expect(JSON.stringify(line)).toBe(
    JSON.stringify({
      timestamp: '2026-11-15T12:00:00.000Z',
      task_id: 'refine-prd',
      branch: 'main',
      uuid: createUuid(about.run, 1),
      correlation_id: '6d1f9df4-6a3b-4b7e-9f2c-0f8f3f1f2a11',
      model_used: 'Llama 70B',
      elapsed_ms: 10,
      score: null,
      sub_agent: null,
      queue_job_id: null,
      iteration: null,
      pruned_tokens: null,
      outcome: 'started',
      event: 'start',
      detail: null,
      seq: 1,
      state: 'Pending',
      raw_score: null,
      calibration_id: null,
      engine_ms: 10,
      provider_ms: 0,
      wait_ms: 0,
      remote: null,
      phase: null,
      by: null,
      run_id: about.run,
      line: 1,
    }),
  )
})

test('a uuid has the shape of one, is the same for the same event and no other', () => {
  expect(createUuid('r', 1)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  const all = ['r', 's', 'r/1'].flatMap((run) => Array.from({ length: 200 }, (_, seq) => createUuid(run, seq)))
  expect(new Set(all).size).toBe(600)
  expect(createUuid('r', 1)).toBe(createUuid('r', 1))
})

test('pausing and going on is shown as the seed calls it', () => {
  const question = { id: 'pause-3', topic: { code: 'paused' } }
  expect(
    told([
      started,
      note({ id: 1, say: 'pause' }),
      { type: 'decision-made', decision: { do: 'pause', question }, by: 'person' },
      { type: 'run-interrupted', by: 'SIGTERM' },
      { type: 'run-resumed' },
      note({ id: 2, say: 'answer', questionId: 'another' }),
      note({ id: 3, say: 'answer', questionId: 'pause-3' }),
      note({ id: 4, say: 'feedback', text: { path: 'p', sha256: 's', bytes: 1 } }),
      { type: 'run-interrupted', by: 'SIGINT' },
      { type: 'run-resumed' },
      note({ id: 5, say: 'cancel' }),
      { type: 'run-ended', ending: 'cancelled', reason: { code: 'cancelled', by: 'Ann' } },
    ]),
  ).toEqual([
    ['start', 'started', 'Pending'],
    ['feedback', 'pause', 'Pending'],
    ['pause', 'paused', 'Paused'],
    ['pause', 'interrupted', 'Paused'],
    ['resume', 'resumed', 'Paused'],
    ['feedback', 'answer', 'Paused'],
    ['resume', 'answered', 'Resumed'],
    ['feedback', 'feedback', 'Resumed'],
    ['pause', 'interrupted', 'Paused'],
    ['resume', 'resumed', 'Resumed'],
    ['feedback', 'cancel', 'Resumed'],
    ['abort', 'cancelled', 'Aborted'],
  ])
})

test('what goes wrong is an error with a code for it; the words of others are only in its detail, without people', () => {
  const failed = (data: object, status: 'failed' | 'unavailable' | 'ok' = 'failed'): Fact => ({
    type: 'attempt-ended',
    outcome: {
      status,
      detail: 'the provider told ann@example.org: Zebra',
      data: { iteration: 1, prunedTokens: 0, feedback: 0, ...data },
    },
  })
  const lines = linesOf(
    numbered([
      picked,
      failed({ fault: 'provider' }, 'unavailable'),
      failed({ crossing: 'soft', needsTokens: 900 }),
      failed({ crossing: 'hard', needsTokens: 900 }),
      failed({}),
      {
        type: 'verdict-reached',
        verdict: { status: 'unavailable', detail: 'it said Zebra', data: { why: 'unreadable', judge: 'local' } },
      },
      { type: 'decision-made', decision: { do: 'failover', via: 'grok' }, by: 'policy' },
      { type: 'decision-made', decision: { do: 'wait', until: 9e12, reason: { code: 'limit' } }, by: 'policy' },
      call('local', 'single-shot'),
      failed({}, 'ok'),
      { type: 'run-ended', ending: 'failed', reason: { code: 'Zebra, said the model, and "more"' } },
    ]),
  )
  expect(lines.map(({ event, outcome }) => `${event} ${outcome}`)).toEqual([
    'error provider',
    'generate crossing-soft',
    'error crossing-hard',
    'error failed',
    'error no-score-unreadable',
    'failover to Grok 4.1',
    'wait limit',
    'single-shot ok',
    'abort other',
  ])
  const told = 'the provider told hidden(ann@example.org): Zebra'
  expect(lines.map(({ detail }) => detail)).toEqual([
    told,
    null,
    told,
    told,
    'it said Zebra',
    null,
    null,
    null,
    'it said Zebra',
  ])
  expect(JSON.stringify(lines.map((line) => ({ ...line, detail: null })))).not.toContain('Zebra')
})

test('planning that fails and a last plain try are no iterations', () => {
  const chore = (id: string) => ({ task: id, chore: true }) as const
  const lines = linesOf(
    numbered([
      { type: 'task-picked', picked: { id: 'decompose', kind: 'chore', via: 'local' }, ...chore('decompose') },
      {
        type: 'attempt-ended',
        outcome: { status: 'unavailable', data: { iteration: 0, prunedTokens: 0, feedback: 0, fault: 'provider' } },
        ...chore('decompose'),
      },
      { type: 'task-picked', picked: { id: 'single-shot', kind: 'chore' }, ...chore('single-shot') },
      { ...call('local', 'single-shot'), ...chore('single-shot') },
      { type: 'attempt-ended', outcome: { status: 'ok' }, ...chore('single-shot') },
      { type: 'verdict-reached', verdict: { status: 'passed' }, ...chore('single-shot') },
      { type: 'decision-made', decision: { do: 'escalate', via: 'of/another:70b' }, by: 'policy' },
    ]),
  )
  expect(lines.map(({ event, outcome, iteration, phase }) => [event, outcome, iteration, phase])).toEqual([
    ['error', 'provider', null, 'decompose'],
    ['single-shot', 'ok', null, 'single-shot'],
    ['escalation', 'to of/another:70b', null, null],
  ])
})

test('addresses, ids and names of people are nowhere in the clear, and the same person is the same', () => {
  const hide = hidePeople((text) => `<${text.length}${text[0]}>`, ['ann.lee'])
  expect(hide.words('fix/Ann.Lee@Example.org/x')).toBe('fix/<19a>/x')
  expect(hide.person('ann.lee@example.org')).toBe('<19a>')
  expect(hide.words('mail ann%40example.org, jörg@köln.de')).toBe('mail <17a>, <12j>')
  expect(hide.words('task-user-42, user_id=7, superuser1, users')).toBe('task-<7u>, <9u>, superuser1, users')
  expect(hide.words('ann.lee/feature, annxlee, joann.lee')).toBe('<7a>/feature, annxlee, joann.lee')
  const people = { ...about, hide, taskId: 'for ann.lee', branch: 'user-42/x', correlationId: 'x@y.org' }
  const lines = linesOf(
    numbered([started, note({ id: 1, say: 'pause' }), { type: 'run-reopened', by: 'Ann.Lee' }]),
    people,
  )
  expect(JSON.stringify(lines)).not.toMatch(/ann|user-42|x@y/i)
  expect(lines[1]!.by).toBe('<3a>')
})
