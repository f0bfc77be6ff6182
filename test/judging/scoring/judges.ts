import type { Rubric } from '../../../src/contract/rubric.ts'
import { findRubric } from '../../../src/judging/scoring/rubrics/named.ts'
import type { AskJudge, JudgeQuestion, Scored } from '../../../src/judging/scoring/score-data.ts'
import type { ScoreOptions } from '../../../src/judging/scoring/score-text.ts'
import { presets, type RefineConfig } from '../../../src/modes/refinement/contract/config.ts'

export const general: Rubric = findRubric('general')!
export const pointRules: RefineConfig = presets['sap-0020']
export const intervalRules: RefineConfig = presets.standard
/** The interval rule on the finer scale, so that examples can name any figure. */
export const finerRules: RefineConfig = { ...presets.standard, scale: 'percent' }

export type Call = { readonly key: string; readonly role: string; readonly question: JudgeQuestion }

/** A judge that gives these replies in turn, the last one over and over, and remembers what it was asked. */
export function judgeSaying(...replies: readonly string[]): { readonly ask: AskJudge; readonly calls: Call[] } {
  const calls: Call[] = []
  const ask: AskJudge = async (question, key, role) => {
    calls.push({ key, role, question })
    return { status: 'ok', text: replies[Math.min(calls.length, replies.length) - 1]! }
  }
  return { ask, calls }
}

/** The same score in all dimensions, and whatever else is said. */
export const verdict = (score: unknown, more: object = {}): string =>
  JSON.stringify({ ...more, scores: { relevance: score, accuracy: score, completeness: score } })

export function optionsWith(more: Partial<ScoreOptions> & Pick<ScoreOptions, 'ask'>): ScoreOptions {
  return {
    rubric: general,
    rules: finerRules,
    brief: { task: 'Say how to make tea.' },
    phase: { title: 'Draft', number: 1, of: 3 },
    iteration: 1,
    text: 'Boil water. Pour it over the leaves. Wait four minutes.',
    issues: [],
    calibration: null,
    judge: { via: 'local', model: 'llama' },
    selfJudged: false,
    ...more,
  }
}

/** Narrowed: a test that expected a score and got none says what it got. */
export function scoredOf(scored: Scored): Extract<Scored, { status: 'scored' }> {
  if (scored.status !== 'scored') throw new Error(`no score: ${JSON.stringify(scored)}`)
  return scored
}

/** The fastest of three: others use the machine too. */
export function fastestMs(work: () => unknown): number {
  const times = [1, 2, 3].map(() => {
    const started = performance.now()
    work()
    return performance.now() - started
  })
  return Math.min(...times)
}
