import { expect, test } from 'vitest'
import type { Reason } from '../../../../src/contract/reasons.ts'
import { aboutOf, attempt, begun, decided, done, outcome, picked, ref, score, stopped, told } from './refinement.ts'

const retry = decided({ do: 'retry', afterMs: 150 })
const escalate = decided({ do: 'escalate', via: 'grok' })

test('seed 000: phases, retries and escalations in its own words', () => {
  const facts = [
    begun,
    picked(1),
    ...attempt(1, 75),
    retry,
    ...attempt(2, 85),
    done,
    picked(4),
    ...attempt(3, 65),
    escalate,
  ]
  expect(told(facts, aboutOf('sap-0020'))).toEqual([
    'Pending: prd',
    'Phase 1: Outline complete - Score: 75%',
    'Retrying iteration 1',
    'Phase 1: Outline complete - Score: 85%',
    'Phase 4: Polish complete - Score: 65%',
    'Escalated to Grok 4.1 for phase 4',
  ])
})

test('seed 000: human input is told of once, in the iteration that first had it', () => {
  const pause = decided({ do: 'pause', question: { id: 'p', topic: { code: 'paused' } } }, 'person')
  const answer = { id: 1, by: 'ann', say: 'answer', questionId: 'p' } as const
  const facts = [
    begun,
    picked(3),
    pause,
    { type: 'note-received', note: answer } as const,
    ...attempt(3, 75, { feedback: 1 }),
    retry,
    ...attempt(4, 75, { feedback: 1 }),
    retry,
    ...attempt(5, 85, { feedback: 2 }),
  ]
  expect(told(facts, aboutOf('sap-0020'))).toEqual([
    'Pending: prd',
    'Paused; continue with: pawl resume',
    'Resumed',
    'ann answered',
    'Iteration 3: Refined with human input',
    'Phase 3: Refine complete - Score: 75%',
    'Retrying iteration 3',
    'Phase 3: Refine complete - Score: 75%',
    'Retrying iteration 4',
    'Iteration 5: Refined with human input',
    'Phase 3: Refine complete - Score: 85%',
  ])
})

test('seed 000: whatever fails ends in its one line, with the reason below it', () => {
  const last = (reason: string | Reason): string[] =>
    told([begun, ...stopped('failed', reason)], aboutOf('sap-0020')).slice(1)
  expect(last({ code: 'cap_spent', cap: 'tokens' })).toEqual([
    'Fallback to single-shot logged, process aborted',
    'Reason: token limit reached',
  ])
  expect(last('retries_exhausted')[0]).toBe('Fallback to single-shot logged, process aborted')
})

test('seed 001: an iteration and what follows from it are one line', () => {
  const facts = [begun, picked(1), ...attempt(1, 75), retry, ...attempt(2, 75.5), retry, ...attempt(3, 85), done]
  expect(told([...facts, ...stopped('completed', 'threshold_met')], aboutOf('sap-0010'))).toEqual([
    'Pending: prd',
    'Iteration 1 complete - Score: 75% - Retrying (1/2)',
    'Iteration 2 complete - Score: 75.5% - Retrying (2/2)',
    'Iteration 3 complete - Score: 85%',
    'Completed - Score: 85%',
  ])
})

test('seed 001: an escalation names the iteration that the stronger model makes', () => {
  const byScore = told([begun, picked(1), ...attempt(2, 60), escalate], aboutOf('sap-0010'))
  expect(byScore.slice(1)).toEqual([
    'Iteration 2 complete - Score: 60%',
    'Escalated to Grok 4.1 for iteration 3 (1/1 escalation used)',
  ])
  const notMade = [{ type: 'attempt-started', via: 'ollama' } as const, outcome({ iteration: 3, crossing: 'soft' })]
  expect(told([begun, picked(1), ...notMade, escalate], aboutOf('sap-0010')).at(-1)).toBe(
    'Escalated to Grok 4.1 for iteration 3 (1/1 escalation used)',
  )
})

test('seed 001: who takes over from whom', () => {
  const down = outcome({}, { status: 'unavailable', detail: 'HTTP 503\u001b[2J' })
  const facts = [begun, picked(1), { type: 'attempt-started', via: 'grok' } as const, down]
  const to = (via: string): string => told([...facts, decided({ do: 'failover', via })], aboutOf('sap-0010')).at(-1)!
  expect(to('claude')).toBe('Falling back to Claude Sonnet 4.5 then Ollama retry')
  expect(to('ollama')).toBe('Falling back to Ollama retry')
  expect(told(facts, aboutOf('sap-0010')).at(-1)).toBe('Grok 4.1 unavailable: HTTP 503')
})

test('seed 001: each way to abort has its line', () => {
  const last = (reason: string | Reason): string => told([begun, ...stopped('failed', reason)], aboutOf('sap-0010'))[1]!
  for (const reason of [{ code: 'cap_spent', cap: 'attemptsPerRun' }, 'iteration_cap']) {
    expect(last(reason)).toBe('Aborted at max 7 iterations (SapAgent::Config)')
  }
  for (const reason of [{ code: 'cap_spent', cap: 'tokens' }, 'token_budget']) {
    expect(last(reason)).toBe('Budget exceeded: Logged error with correlation_id, partial output returned')
  }
  const others = ['retries_exhausted', 'escalation_failed', 'judge_unavailable', { code: 'cap_spent', cap: 'activeMs' }]
  for (const reason of others) {
    expect(last(reason)).toBe('Error handled: Aborted with partial output logged (schema fields present)')
  }
  expect(told([begun, ...stopped('cancelled', { code: 'cancelled', by: 'ann' })], aboutOf('sap-0010'))[1]).toBe(
    'Aborted: cancelled by ann',
  )
})

test('seed 001: a policy that stops says the iteration that made it stop, once', () => {
  const reason = { code: 'retries_exhausted' }
  const stop = decided({ do: 'stop', ending: 'failed', reason })
  const facts = [begun, picked(1), ...attempt(3, 75), stop, { type: 'run-ended', ending: 'failed', reason } as const]
  expect(told(facts, aboutOf('sap-0010'))).toEqual([
    'Pending: prd',
    'Iteration 3 complete - Score: 75%',
    'Error handled: Aborted with partial output logged (schema fields present)',
    'Reason: no retries are left, and the text is not good enough yet',
  ])
})

test('standard tells the score with its spread, who judged, and what is still open', () => {
  const issue = { state: 'open', severity: 'major', reopened: 0 } as const
  const ledger = ref('ledger')
  const issues = [
    { ...issue, id: 'I1', state: 'fixed' as const },
    { ...issue, id: 'I2' },
    { ...issue, id: 'I4', severity: 'minor' as const, late: true as const, reopened: 1 },
  ]
  const texts = [
    { id: 'I2', problem: 'No figure says\nwhat fast is\u001b]0;pwn\u0007' },
    { id: 'I4', problem: 'a typo' },
  ]
  const about = aboutOf('standard', { ledger: texts })
  const facts = [
    begun,
    picked(1),
    { type: 'attempt-started', via: 'grok' } as const,
    outcome({ iteration: 1, prunedTokens: 1200, feedback: 1 }),
    score(84.2, { issues, ledger }),
    retry,
  ]
  expect(told(facts, about)).toEqual([
    'Refining prd: at most 7 iterations and 80,000 tokens, target score 80 of 100 (general)',
    'Outline: iteration 1/7 by Grok 4.1',
    'Iteration 1: refined with human input',
    '1,200 tokens of earlier text were left out of the prompt',
    'Outline: 84 ± 5 (general, judged by Llama 3.1 70B, 3 samples)',
    '  open: I2, I4 (minor, late, back 1 time)',
    '  I2: No figure says what fast is',
    'Retrying Outline (1/2)',
  ])
})

test('standard marks what weakens a score, and never rounds it over a bound', () => {
  const weak = score(79.96, {
    selfJudged: true,
    calibration: null,
    samples: 1,
    vetoes: ['too short'],
    unverified: 2,
    better: false,
  })
  expect(told([begun, picked(2), weak], aboutOf('standard')).slice(1)).toEqual([
    'Draft: 79.9 ± 5 (general, judged by Llama 3.1 70B, 1 sample, self-judged, uncalibrated)',
    '  vetoed: too short',
    '  2 quotes by the judge not found in the text',
    '  no improvement: keeping the best text so far',
  ])
})

test('standard says in words why there is no score, no attempt, or an end', () => {
  const lines = (...facts: Parameters<typeof told>[0]): string =>
    told([begun, picked(1), ...facts], aboutOf('standard')).at(-1)!
  const none = (why: string) =>
    ({ type: 'verdict-reached', verdict: { status: 'unavailable', data: { why, judge: 'grok' } } }) as const
  expect(lines(none('down'))).toBe('No score: the judge Grok 4.1 cannot be reached')
  expect(lines(none('unreadable'))).toBe('No score: the answer of the judge Grok 4.1 could not be parsed')
  expect(lines(none('budget'))).toBe('No score: judging does not fit the remaining budget')
  const detail = 'it needs 4200 tokens, but 300 are left'
  expect(lines(outcome({ iteration: 2, crossing: 'hard', needsTokens: 4200 }, { detail }))).toBe(
    `Iteration 2 not started: ${detail}`,
  )
  expect(lines(outcome({ iteration: 2, crossing: 'soft' }))).toBe(
    'Iteration 2 not started: it would exceed 40,000 tokens',
  )
  expect(lines(outcome({}, { status: 'failed', detail: 'refused' }))).toContain('returned no text (failed): refused')
  expect(lines(escalate)).toBe('Escalated to Grok 4.1 (1/1)')
  expect(lines(decided({ do: 'failover', via: 'claude' }))).toBe('Switching to Claude Sonnet 4.5')
  for (const why of ['plateau', 'cycle', 'contested']) {
    expect(lines(...stopped('failed', why))).toMatch(
      new RegExp(`^Ended as failed: .*\\(${why}\\) \\(0 iterations, 0 tokens`),
    )
    expect(lines(decided({ do: 'pause', question: { id: 'q', topic: { code: why } } }))).toMatch(
      new RegExp(`^Question: .*\\(${why}\\); continue with: pawl answer$`),
    )
  }
})

test('the phases are told as they were found, in every wording', () => {
  const found = (data: object) => [
    begun,
    { type: 'attempt-ended', outcome: { status: 'ok', data }, chore: true } as never,
  ]
  for (const preset of ['standard', 'sap-0020', 'sap-0010'] as const) {
    const titles = ['Outline', 'Draft\u001b[5m', 'Refine'].map((title) => ({ title }))
    const about = aboutOf(preset, { titles })
    expect(told(found({ phases: 3, source: 'model' }), about)[1]).toBe('3 phases: Outline, Draft, Refine')
    expect(told(found({ phases: 3, source: 'fallback', why: 'no JSON' }), about)[1]).toBe(
      'Using the 3 default phases: Outline, Draft, Refine (no JSON)',
    )
  }
})

test('a model that is not on the ladder and a phase without a title are still told', () => {
  const about = aboutOf('standard', { titles: null })
  const facts = [begun, picked(2), { type: 'attempt-started', via: 'gone' } as const]
  expect(told(facts, about).at(-1)).toBe('Phase 2: iteration 1/7 by gone')
})

test('a wait says how long and why, and how to skip it, in every wording', () => {
  const wait = decided({ do: 'wait', until: 9000, reason: { code: 'usage_limit' } })
  for (const preset of ['standard', 'sap-0020', 'sap-0010'] as const) {
    expect(told([begun, picked(1), wait], aboutOf(preset)).at(-1)).toBe(
      'Waiting 9.0s (rate limit); skip with: pawl resume --now',
    )
  }
})
