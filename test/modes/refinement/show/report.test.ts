import { expect, test } from 'vitest'
import type { Json } from '../../../../src/contract/values.ts'
import type { IssueMark } from '../../../../src/judging/scoring/score-data.ts'
import { refinementPolicy } from '../../../../src/modes/refinement/core/policy.ts'
import { createRefinementFacts, type RefinementReport } from '../../../../src/modes/refinement/show/report/facts.ts'
import { formatRule } from '../../../../src/modes/refinement/show/rule.ts'
import { readLabels } from '../../../../src/modes/refinement/show/run-labels.ts'
import { refinementShow } from '../../../../src/modes/refinement/show/show.ts'
import type { Report } from '../../../../src/show/show.ts'
import { summarizeSpend } from '../../../../src/show/spend.ts'
import { blockTexts, sectionTexts } from '../../../support/render.ts'
import type { Written } from './refinement.ts'
import { aboutOf, attempt, begun, decided, done, fold, outcome, picked, ref, score, stopped } from './refinement.ts'

const written = (iteration: number) =>
  outcome({ iteration, prunedTokens: 0, feedback: 0 }, { output: ref(`t${iteration}`) })
const tried = (iteration: number, value: number, more: Parameters<typeof score>[1] = {}, via = 'ollama'): Written[] => [
  { type: 'attempt-started', via },
  spent('generate', 100),
  written(iteration),
  spent('judge', 30),
  score(value, more),
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

const about = aboutOf('standard')
type Shown = Report<{ refinement: RefinementReport }>

/** A report as it is made from the events, of a run whose phases have names. */
function shownOf(facts: readonly Written[], standing: Shown['standing'] = 'failed'): Shown {
  const collector = createRefinementFacts(about.request)
  const view = fold(facts, refinementPolicy(about.request, caps), collector.see)
  const text = { status: 'there', words: 3, file: null } as const
  const { refinement } = collector.facts({ id: 'r1', view, standing, text })
  const { state } = view
  return {
    id: 'r1',
    name: 'prd',
    standing,
    reason: state.ended?.reason ?? null,
    says: '',
    rule: null,
    last: null,
    underWay: null,
    problem: null,
    waitsUntil: null,
    spend: summarizeSpend(state),
    next: null,
    startedAt: 0,
    lastAt: 0,
    origins: {},
    question: state.question ?? null,
    state,
    facts: { refinement: { ...refinement, titles: ref('titles') } },
  }
}
const reportOf = (facts: readonly Written[]): RefinementReport => shownOf(facts).facts.refinement

const sectionsOf = (facts: readonly Written[], words: Readonly<Record<string, Json>> = {}, standing?: 'waiting') => {
  const sections = refinementShow.report(shownOf(facts, standing), aboutOf('standard', words))
  return Object.fromEntries(sectionTexts(sections).map(({ title, lines }) => [title, lines]))
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
    '76 ± 5 of 100, target 80: Outline, iteration 1 by Llama 3.1 70B',
    'judged by Llama 3.1 70B with general, 3 samples, calibrated',
    'the best text so far, 3 words: pawl show r1 --text',
  ])
})

test('each iteration has its row: what it came to, what followed, what writer and judge used', () => {
  const lines = sectionsOf(low).ITERATIONS!
  expect(lines.map((line) => line.trim().split(/ {2,}/))).toEqual([
    ['PHASE', '#', 'MODEL', 'SCORE', 'BAND', 'THEN', 'TOKENS', 'JUDGING', 'TIME'],
    ['Outline', '1', 'Llama 3.1 70B', '76 ± 5 best', 'retry', 'retried', '100', '30', '0.5s'],
    ['Outline', '2', 'Llama 3.1 70B', '75 ± 5', 'retry', 'retried', '100', '30', '0.5s'],
    ['Outline', '3', 'Llama 3.1 70B', '74 ± 5', 'retry', 'ended', '100', '30', '0.5s'],
  ])
})

test('what is still open is told in the words of the judge, the worst first, and by id without them', () => {
  expect(sectionsOf(low)['STILL OPEN']).toEqual(['I1', 'I2 (minor, back 1 time)'])
  const ledger = [{ id: 'I1', problem: 'Who\npays?' }]
  expect(sectionsOf(low, { ledger })['STILL OPEN']).toEqual(['I1: Who pays?', 'I2 (minor, back 1 time)'])
})

test('the rule that ended it is told with its numbers', () => {
  const subject = readLabels(about, ref('titles'))
  const said = (facts: readonly Written[]) => formatRule(reportOf(facts), subject)
  const ended = (reason: string, ...tries: Written[]) => [start, picked(1), ...tries, ...stopped('failed', reason)]
  expect(said(low)).toBe('score 74 ± 5 stayed below 80 after 2 retries (preset standard)')
  expect(said(ended('iteration_cap', ...tried(1, 76)))).toBe(
    '1 of 7 iterations used; score 76 ± 5 stayed below 80 (preset standard)',
  )
  expect(said(ended('escalations_exhausted', ...tried(1, 60)))).toBe(
    'score 60 ± 5 is below 70, no stronger model available (preset standard)',
  )
  const crossing = outcome({ iteration: 2, crossing: 'hard', needsTokens: 900 }, { status: 'unavailable' })
  const short = ended('token_budget', ...tried(1, 76), retry, { type: 'attempt-started', via: 'ollama' }, crossing)
  expect(said(short)).toBe(
    '130 of 80,000 tokens used, and the next call needs 900; score 76 ± 5 stayed below 80 (--max-tokens)',
  )
  expect(said(ended('plateau', ...tried(1, 85, { band: 'retry', issues })))).toBe(
    'scores 85: no significant gain; score 85 ± 5, but still open: I1 (preset standard)',
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
    decided({ do: 'pause', question: { id: 'p', topic: { code: 'paused' } } }, 'person'),
  ]
  expect(sectionsOf(facts, {}, 'waiting')).toMatchObject({
    QUESTION: ['paused by a person: what should change?'],
    'MODELS AND WAITS': [
      'after iteration 1: escalated from Llama 3.1 70B to Grok 4.1, because 62 is below 70',
      'after iteration 1: switched from Grok 4.1 to Claude Sonnet 4.5, because Grok 4.1 needs a key or login',
      'after iteration 2: paused by a person',
    ],
    NEXT: [
      'pawl answer r1             (continue unchanged)',
      'pawl answer r1 --text "…"  (continue with feedback)',
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
  expect(NEXT![0]).toBe('pawl resume r1 --max-tokens 160000  (resume with a higher bound)')
})

test('what makes a text doubtful is to be looked at first', () => {
  const first = (facts: readonly Written[]) => refinementShow.notices(shownOf(facts), about).map(({ says }) => says)
  expect(first(low)).toEqual(['the best text: score 76 ± 5 stayed below 80'])
  expect(first([start, ...stopped('failed', 'login_needed')])).toEqual(['there is no text'])
  const unsure = { selfJudged: true, calibration: null, vetoes: ['mostWords'], band: 'retry' } as const
  expect(first([start, picked(1), ...tried(1, 85, unsure), ...stopped('failed', 'plateau')])).toEqual([
    'the best text: score 85 ± 5, but vetoed: mostWords',
    'the model judged its own text and was not calibrated',
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
  expect(sectionsOf(facts).RESULT).toContain('feedback given once, not used yet')
})

test('why tells the rule, the last text, the last turn, every bound and what is next', () => {
  const facts = [
    start,
    picked(1),
    ...tried(1, 62),
    decided({ do: 'escalate', via: 'grok' }),
    ...tried(2, 65, {}, 'grok'),
  ]
  const shown = shownOf([...facts, ...stopped('failed', 'escalations_exhausted')])
  const rule = { by: 'policy', decision: 'stop', reason: null, bound: null, setBy: null, seq: 14 }
  expect(blockTexts(refinementShow.why({ ...shown, rule }, about))).toEqual([
    '  rule   score 65 ± 5 is below 70, 1 escalation used (preset standard) (event 14)',
    '  last   Outline, iteration 2 by Grok 4.1: 65 ± 5 by Llama 3.1 70B',
    '  turn   after iteration 1: escalated from Llama 3.1 70B to Grok 4.1, because 62 is below 70',
    '  spent  iterations 2 of 7, set by preset standard',
    '         tokens 260 of 80,000, set by --max-tokens',
    '  next   pawl resume r1 (retry)',
    '         pawl fork r1 --feedback "…" (try another way from the last judgement)',
  ])
})

test('a question has its choices, and what each of them does', () => {
  const choices = ['accept', 'go-on', 'stop']
  const pause = decided({ do: 'pause', question: { id: 'c1', topic: { code: 'contested' }, choices } })
  const { QUESTION: asks, NEXT } = sectionsOf([start, picked(1), ...tried(1, 75), pause], {}, 'waiting')
  expect(asks).toEqual([
    'an issue came back twice after it was fixed: writer and judge disagree (contested)',
    'accept   use the best text of this phase',
    'go-on    try again anyway',
    'stop     end the run with the best text so far',
  ])
  expect(NEXT).toEqual(['pawl answer r1 <accept|go-on|stop>  (answer)'])
})
