import { expect, test } from 'vitest'
import type { LoopEvent } from '../../../../src/contract/event.ts'
import { refinementShow } from '../../../../src/modes/refinement/show/show.ts'
import type { Written } from './refinement.ts'
import { aboutOf, attempt, begun, fold, outcome, picked, policyOf, ref, score } from './refinement.ts'

const about = aboutOf('standard')
const viewOf = (facts: readonly Written[]) => fold(facts, policyOf(about), () => {})

test('how far it is comes with the score of the text that it has to show', () => {
  const progress = (facts: readonly Written[]) => refinementShow.progress(viewOf(facts), about)
  expect(progress([begun])).toEqual({
    progress: '0/7',
    did: { iterations: 0, of: 7, score: null, spread: null, says: '0/7' },
    tasks: { done: 0, of: 4 },
  })
  const written = outcome({ iteration: 1, prunedTokens: 0, feedback: 0, mark: 'm' }, { output: ref('t1') })
  const tried: Written[] = [begun, picked(1), { type: 'attempt-started', via: 'ollama' }, written, score(76.2)]
  expect(progress(tried)).toEqual({
    progress: '1/7, 76 ± 5',
    did: { iterations: 1, of: 7, score: 76.2, spread: 4, says: '1/7, 76 ± 5' },
    tasks: { done: 0, of: 4 },
  })
})

test('what a task is called and what goes on is told by the names of the phases, and without them by number', () => {
  const view = viewOf([begun])
  const doing = (task: string, does: 'attempt' | 'evaluate', seen = about): string =>
    refinementShow.doing({ doing: does, task, attempt: 1, since: 0 }, seen, view)
  expect(refinementShow.task('phase-2', about, view)).toBe('Draft')
  expect(doing('phase-2', 'attempt')).toBe('writing Draft')
  expect(doing('phase-2', 'evaluate')).toBe('judging Draft')
  expect(doing('decompose', 'attempt')).toBe('planning its phases')
  expect(doing('single-shot', 'attempt')).toBe('asking for a single-shot answer')
  expect(doing('phase-2', 'attempt', aboutOf('standard', { titles: null }))).toBe('writing Phase 2')
})

test('a line wants the words that it uses: rubric, phases, and the issues of its own verdict', () => {
  const wanted: string[][] = []
  const facts = [begun, picked(1), score(75, { ledger: ref('ledger') })]
  fold(facts, policyOf(about), (event, _, after) => {
    wanted.push(refinementShow.wants(event, after, about.request).map(({ path }) => path))
  })
  expect(wanted).toEqual([
    ['rubric', 'titles'],
    ['rubric', 'titles'],
    ['rubric', 'titles', 'ledger'],
  ])
})

test('its outputs are the texts that were written, and not its plan', () => {
  const of = (event: Partial<LoopEvent>) => refinementShow.outputs!(event as LoopEvent)
  const plan = { status: 'ok', output: ref('plan'), data: { phases: 3, source: 'model' } }
  expect(of({ type: 'attempt-ended', task: 'decompose', outcome: plan } as Partial<LoopEvent>)).toEqual([])
  const [, ended] = attempt(2, 80)
  expect(of({ ...ended, task: 'phase-1' })).toEqual([])
  const text = { ...outcome({ iteration: 2 }, { output: ref('t2') }), task: 'phase-1' }
  expect(of(text as Partial<LoopEvent>)).toEqual([
    { name: 'phase-1, iteration 2', ref: ref('t2'), data: { task: 'phase-1', iteration: 2 } },
  ])
})
