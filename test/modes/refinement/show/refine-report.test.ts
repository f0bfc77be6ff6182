import { expect, test } from 'vitest'
import type { RefinementRun } from '../../../../src/contract/request.ts'
import { emptyState, reduce } from '../../../../src/kernel/state.ts'
import { presets } from '../../../../src/modes/refinement/contract/config.ts'
import type { IssueMark } from '../../../../src/modes/refinement/contract/told.ts'
import { refinementPolicy } from '../../../../src/modes/refinement/core/policy.ts'
import { refinementNotices } from '../../../../src/modes/refinement/show/report/notices.ts'
import { type RefinementReport, refinementReport } from '../../../../src/modes/refinement/show/report/report.ts'
import { sayRule } from '../../../../src/modes/refinement/show/rule.ts'
import { refinementSections } from '../../../../src/modes/refinement/show/sections.ts'
import { spendOf } from '../../../../src/show/spend.ts'
import type { Written } from './refinement.ts'
import { attempt, begun, decided, done, eventsOf, outcome, picked, score, stopped, subjectOf } from './refinement.ts'

const ref = (name: string) => ({ path: `artifacts/${name}`, sha256: name, bytes: 1 })
const written = (iteration: number) =>
  outcome({ iteration, prunedTokens: 0, feedback: 0 }, { output: ref(`t${iteration}`) })
const tried = (iteration: number, value: number, told: Parameters<typeof score>[1] = {}, via = 'ollama'): Written[] => [
  { type: 'attempt-started', via },
  spent('generate', 100),
  written(iteration),
  spent('judge', 30),
  score(value, told),
]
const spent = (role: string, tokens: number): Written => ({
  type: 'call-ended',
  call: {
    key: role,
    via: 'grok',
    status: 'ok',
    usage: { tokens, costUsd: null },
    providerMs: 1,
    data: { role, remote: true, bytes: 500 },
  },
})
const retry = decided({ do: 'retry' })
const caps = { attemptsPerRun: 7, tokens: 80_000, escalations: 1 }
const start: Written = {
  ...begun,
  caps,
  origins: { attemptsPerRun: 'preset standard', tokens: '--max-tokens' },
} as never

const subject = subjectOf('standard')
const request = {
  run_id: 'r1',
  caps,
  refinement: {
    rules: presets.standard,
    ladder: [],
    start: 'ollama',
    escalateTo: ['grok'],
    failover: ['grok'],
    judges: ['ollama'],
  },
} as unknown as RefinementRun

const reportOf = (facts: readonly Written[], standing: Parameters<typeof refinementReport>[3] = 'failed') =>
  refinementReport(request, refinementPolicy(request.refinement, caps), eventsOf(facts), standing)

const sectionsOf = (facts: readonly Written[], more: Partial<typeof subject> = {}, standing?: 'failed' | 'waiting') => {
  const state = eventsOf(facts).reduce(reduce, emptyState)
  const words = { refine: { ...subject, ...more }, text: { status: 'there', words: 3, file: null } as const }
  const found = refinementSections(reportOf(facts, standing), words, { id: 'r1', spend: spendOf(state) })
  return Object.fromEntries(found.map(({ title, lines }) => [title, lines]))
}

const issue = (id: string, more: Partial<IssueMark> = {}): IssueMark => ({
  id,
  state: 'open',
  severity: 'major',
  reopened: 0,
  ...more,
})
const issues = [issue('I2', { severity: 'minor', reopened: 1 }), issue('I1'), issue('I3', { state: 'fixed' })]
const low = [
  start,
  picked(1),
  ...tried(1, 76.2, { issues, ledger: ref('ledger') }),
  retry,
  ...tried(2, 75, { better: false, issues, ledger: ref('ledger') }),
  retry,
  ...tried(3, 74, { better: false, issues, ledger: ref('ledger') }),
  ...stopped('failed', 'retries_exhausted'),
]

test('the best text comes first: its score, who gave it and by what', () => {
  expect(sectionsOf(low).RESULT).toEqual([
    '76 ± 5 of 100, 80 is enough: Outline, iteration 1 by Llama 3.1 70B',
    'judged by Llama 3.1 70B with general, 3 samples, calibrated',
    'the best text so far, 3 words: pawl show r1 --text',
  ])
})

test('each iteration has its row: what it came to, what followed, what writer and judge used', () => {
  const lines = sectionsOf(low).ITERATIONS!
  expect(lines.map((line) => line.trim().split(/ {2,}/))).toEqual([
    ['PHASE', '#', 'MODEL', 'SCORE', 'BAND', 'THEN', 'TOKENS', 'JUDGING', 'TIME'],
    ['Outline', '1', 'Llama 3.1 70B', '76 ± 5 best', 'retry', 'tried again', '100', '30', '0.5s'],
    ['Outline', '2', 'Llama 3.1 70B', '75 ± 5', 'retry', 'tried again', '100', '30', '0.5s'],
    ['Outline', '3', 'Llama 3.1 70B', '74 ± 5', 'retry', 'ended', '100', '30', '0.5s'],
  ])
})

test('what is still open is told in the words of the judge, the worst first, and by id without them', () => {
  expect(sectionsOf(low)['STILL OPEN']).toEqual(['I1', 'I2 (minor, back 1 time)'])
  const issueTexts = () => new Map([['I1', 'Who\npays?']])
  expect(sectionsOf(low, { issueTexts })['STILL OPEN']).toEqual(['I1: Who pays?', 'I2 (minor, back 1 time)'])
})

test('the rule that ended it is told with its numbers', () => {
  const said = (facts: readonly Written[]) => sayRule(reportOf(facts), subject)
  const ended = (reason: string, ...tries: Written[]) => [start, picked(1), ...tries, ...stopped('failed', reason)]
  expect(said(low)).toBe('score 74 ± 5 stayed below 80 after 2 retries (preset standard)')
  expect(said(ended('iteration_cap', ...tried(1, 76)))).toBe(
    '1 of 7 iterations used; score 76 ± 5 stayed below 80 (preset standard)',
  )
  expect(said(ended('escalations_exhausted', ...tried(1, 60)))).toBe(
    'score 60 ± 5 is below 70, no stronger model to ask (preset standard)',
  )
  const crossing = outcome({ iteration: 2, crossing: 'hard', needsTokens: 900 }, { status: 'unavailable' })
  const short = ended('token_budget', ...tried(1, 76), retry, { type: 'attempt-started', via: 'ollama' }, crossing)
  expect(said(short)).toBe(
    '130 of 80,000 tokens used, and the next call needs 900; score 76 ± 5 stayed below 80 (--max-tokens)',
  )
  expect(said(ended('plateau', ...tried(1, 85, { band: 'retry', issues })))).toBe(
    'scores 85: no gain that could be told from chance; score 85 ± 5, but still open: I1 (preset standard)',
  )
})

test('escalations, failovers, waits and pauses are told with their reasons', () => {
  const down = outcome({ iteration: 2, fault: 'login' }, { status: 'unavailable' })
  const facts = [
    start,
    picked(1),
    ...tried(1, 62),
    decided({ do: 'escalate', via: 'grok' }),
    { type: 'attempt-started', via: 'grok' } as const,
    down,
    decided({ do: 'failover', via: 'claude' }),
    ...tried(2, 85, {}, 'claude'),
    done,
    decided({ do: 'pause', question: { id: 'p', topic: 'paused' } }, 'person'),
  ]
  expect(sectionsOf(facts, {}, 'waiting')).toMatchObject({
    'IT ASKS': ['a person paused it: what is to be different?'],
    'ON THE WAY': [
      'after iteration 1: escalated from Llama 3.1 70B to Grok 4.1, since 62 is below 70',
      'after iteration 1: went on with Claude Sonnet 4.5 instead of Grok 4.1, which takes no call without a key or login',
      'after iteration 2: paused by a person',
    ],
    NEXT: [
      'pawl answer r1             (go on as it is)',
      'pawl answer r1 --text "…"  (go on, told something)',
      'pawl resume r1             (then)',
    ],
  })
  expect(reportOf(facts).iterations.map(({ iteration, model }) => [iteration, model])).toEqual([
    [1, 'ollama'],
    [2, 'claude'],
  ])
})

test('a bound that ended it is marked, and the next command raises it', () => {
  const facts = [start, picked(1), ...tried(1, 76), ...stopped('failed', 'token_budget')]
  const { SPENT, NEXT } = sectionsOf(facts)
  expect(SPENT).toEqual([
    'iterations  1 of 7                                        preset standard',
    'tokens      130 of 80,000 (a stronger model from 40,000)  --max-tokens     <- ended it',
    '0.9s active, 2 calls left this machine (1,000 bytes)',
  ])
  expect(NEXT![0]).toBe('pawl resume r1 --max-tokens 160000  (go on with more)')
})

test('what makes a text doubtful is to be looked at first', () => {
  const about = (facts: readonly Written[]) => refinementNotices(reportOf(facts)).map(({ says }) => says)
  expect(about(low)).toEqual(['the best text: score 76 ± 5 stayed below 80'])
  expect(about([start, ...stopped('failed', 'login_needed')])).toEqual(['there is no text'])
  const unsure = { selfJudged: true, calibration: null, vetoes: ['mostWords'], band: 'retry' } as const
  expect(about([start, picked(1), ...tried(1, 85, unsure), ...stopped('failed', 'plateau')])).toEqual([
    'the best text: score 85 ± 5, but vetoed: mostWords',
    'the model judged what it wrote itself, and nobody measured how it judges',
  ])
})

test('the report for machines holds no word that a person or a model wrote', () => {
  const report: RefinementReport = reportOf(low)
  expect(report).toMatchObject({ best: { iteration: 1, judged: { score: 76.2 } }, issues: [{ id: 'I2' }, {}, {}] })
  expect(JSON.stringify(report)).not.toContain('Outline')
})

test('feedback is counted, and told of where the text does not know it yet', () => {
  const note: Written = { type: 'note-received', note: { id: 1, by: 'ann', say: 'feedback', text: ref('f') } }
  const facts = [start, picked(1), ...attempt(1, 75), note]
  expect(sectionsOf(facts).RESULT).toContain('feedback given once, not yet taken up')
})
