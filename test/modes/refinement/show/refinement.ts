import type { Decision, Fact, LoopEvent, Outcome } from '../../../../src/contract/event.ts'
import { emptyState, type LoopState, reduce } from '../../../../src/kernel/state.ts'
import { linesOf } from '../../../../src/modes/procedure/show/lines.ts'
import { type PresetName, presets, type RefineConfig } from '../../../../src/modes/refinement/contract/config.ts'
import type { Rung } from '../../../../src/modes/refinement/contract/request.ts'
import type { AttemptTold, ScoreTold } from '../../../../src/modes/refinement/contract/told.ts'
import { type RefineSubject, refineSubject } from '../../../../src/modes/refinement/show/subject.ts'

const rung = (id: string, label: string, provider: Rung['provider'], local: boolean): Rung => ({
  id,
  label,
  provider,
  model: id,
  local,
  contextTokens: 8000,
  price: null,
})
const ladder = [
  rung('ollama', 'Llama 3.1 70B', 'ollama', true),
  rung('grok', 'Grok 4.1', 'xai', false),
  rung('claude', 'Claude Sonnet 4.5', 'anthropic', false),
]

export function subjectOf(preset: PresetName, more: Partial<RefineSubject> = {}): RefineSubject {
  const titles = ['Outline', 'Draft', 'Refine', 'Polish']
  const content = { rubric: 'general', phaseTitles: () => titles, issueTexts: () => new Map() }
  const rules: RefineConfig = presets[preset]
  return { ...refineSubject({ rules, ladder, failover: ['grok', 'claude', 'ollama'] }, content), ...more }
}

export type Written = Fact & { readonly chore?: true }

/** Events as the engine would number them; a phase is a task. */
export function eventsOf(facts: readonly Written[]): LoopEvent[] {
  let task: string | null = null
  let attempt: number | null = null
  return facts.map((fact, index) => {
    if (fact.type === 'task-picked') [task, attempt] = [fact.picked.id, 0]
    if (fact.type === 'attempt-started') attempt = (attempt ?? 0) + 1
    const event = { ...fact, seq: index + 1, epoch: 1, at: 0, ms: 100, task, attempt } as LoopEvent
    if (fact.type === 'decision-made' && fact.decision.do === 'settle') [task, attempt] = [null, null]
    return event
  })
}

/** What a person reads, without the clock. */
export function told(facts: readonly Written[], refine: RefineSubject): string[] {
  let state: LoopState = emptyState
  return eventsOf(facts).flatMap((event) => {
    state = reduce(state, event)
    return linesOf(event, { state, memo: {} }, { name: 'prd', refine }).map((line) => line.replace(/^\[.{8}\] /, ''))
  })
}

export const begun: Fact = { type: 'run-started', journal: 1, policy: 'refinement', version: 1, caps: {}, pins: {} }
export const picked = (phase: number): Fact => ({ type: 'task-picked', picked: { id: `phase-${phase}`, kind: 'work' } })
export const decided = (decision: Decision, by = 'policy'): Fact => ({ type: 'decision-made', decision, by })
export const done = decided({ do: 'settle', as: 'done' })
export const outcome = (data: Partial<AttemptTold>, more: Partial<Outcome> = {}): Fact => ({
  type: 'attempt-ended',
  outcome: { status: 'ok', data, ...more },
})
export const score = (value: number, more: Partial<ScoreTold> = {}): Fact => ({
  type: 'verdict-reached',
  verdict: {
    status: value >= 80 ? 'passed' : 'failed',
    score: value,
    data: {
      band: value >= 80 ? 'pass' : value < 70 ? 'escalate' : 'retry',
      raw: value,
      spread: 4,
      confidence: 0.9,
      samples: 3,
      dimensions: {},
      evaluator: 'e1',
      calibration: { id: 'c1', intercept: 0, slope: 1, sigma: 4, anchors: 12 },
      judge: 'ollama',
      selfJudged: false,
      vetoes: [],
      unverified: 0,
      issues: [],
      ledger: null,
      better: true,
      ...more,
    },
  },
})

/** An attempt that went well, and its score. */
export const attempt = (iteration: number, value: number, more: Partial<AttemptTold> = {}): Fact[] => [
  { type: 'attempt-started', via: 'ollama' },
  outcome({ iteration, prunedTokens: 0, feedback: 0, ...more }),
  score(value),
]
export const stopped = (ending: 'completed' | 'failed' | 'blocked' | 'cancelled', reason: string): Fact[] => [
  decided({ do: 'stop', ending, reason }, 'cap'),
  { type: 'run-ended', ending, reason },
]
