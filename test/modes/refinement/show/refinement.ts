import type { Decision, Fact, LoopEvent, Outcome } from '../../../../src/contract/event.ts'
import type { Rung } from '../../../../src/contract/models.ts'
import type { Reason } from '../../../../src/contract/reasons.ts'
import type { Caps, Json, Ref } from '../../../../src/contract/values.ts'
import type { Policy, View } from '../../../../src/kernel/policy.ts'
import { advance, emptyView } from '../../../../src/kernel/step.ts'
import { type PresetName, presets } from '../../../../src/modes/refinement/contract/config.ts'
import type { AttemptData, ScoreData } from '../../../../src/modes/refinement/core/event-data.ts'
import { emptyMemo, type RefinementMemo } from '../../../../src/modes/refinement/core/memo.ts'
import { refinementPolicy } from '../../../../src/modes/refinement/core/policy.ts'
import type { RefinementAbout } from '../../../../src/modes/refinement/show/run-labels.ts'
import { refinementShow } from '../../../../src/modes/refinement/show/show.ts'
import { lineTexts } from '../../../support/render.ts'

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

export const ref = (path: string): Ref => ({ path, sha256: path, bytes: 1 })
const titles = ['Outline', 'Draft', 'Refine', 'Polish'].map((title) => ({ title, aim: '' }))

/** A refinement whose words can be read; `words` are those that are otherwise. */
export function aboutOf(preset: PresetName, words: Readonly<Record<string, Json>> = {}): RefinementAbout {
  const readable: Readonly<Record<string, Json>> = { titles, rubric: { id: 'general' }, ...words }
  return {
    id: 'r1',
    name: 'prd',
    request: {
      rules: presets[preset],
      ladder,
      start: 'ollama',
      escalateTo: ['grok'],
      failover: ['grok', 'claude', 'ollama'],
      judges: ['ollama'],
      localOnly: false,
      brief: ref('brief'),
      rubric: ref('rubric'),
      taskId: 't1',
      correlationId: 'c1',
      branch: null,
    },
    inputs: null,
    words: ({ path }) => readable[path],
  }
}

/** The policy of a run whose four phases are found already. */
export const policyOf = ({ request }: RefinementAbout, caps: Caps = {}): Policy<RefinementMemo> => ({
  ...refinementPolicy(request, caps),
  memo: { ...emptyMemo, phases: { count: 4, titles: ref('titles') } },
})

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

/** Calls `onStep` with each event and the views around it, and returns the last view. */
export function fold(
  facts: readonly Written[],
  policy: Policy<RefinementMemo>,
  onStep: (event: LoopEvent, before: View<RefinementMemo>, after: View<RefinementMemo>) => void,
): View<RefinementMemo> {
  let view = emptyView(policy)
  for (const event of eventsOf(facts)) {
    const before = view
    view = advance(before, event, policy)
    onStep(event, before, view)
  }
  return view
}

/** What a person reads, without the clock. */
export function told(facts: readonly Written[], about: RefinementAbout): string[] {
  const said: string[] = []
  fold(facts, policyOf(about), (event, before, after) => {
    said.push(...lineTexts(refinementShow.lines({ event, before, after }, about)))
  })
  return said
}

export const begun: Fact = { type: 'run-started', journal: 2, policy: 'refinement', version: 1, caps: {}, pins: {} }
export const picked = (phase: number): Fact => ({ type: 'task-picked', picked: { id: `phase-${phase}`, kind: 'work' } })
export const decided = (decision: Decision, by = 'policy'): Fact => ({ type: 'decision-made', decision, by })
export const done = decided({ do: 'settle', as: 'done' })
export const outcome = (data: Partial<AttemptData>, more: Partial<Outcome> = {}): Fact => ({
  type: 'attempt-ended',
  outcome: { status: 'ok', data, ...more },
})
export const score = (value: number, more: Partial<ScoreData> = {}): Fact => ({
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
export const attempt = (iteration: number, value: number, more: Partial<AttemptData> = {}): Fact[] => [
  { type: 'attempt-started', via: 'ollama' },
  outcome({ iteration, prunedTokens: 0, feedback: 0, mark: `text ${iteration}`, ...more }),
  score(value),
]
export const stopped = (ending: 'completed' | 'failed' | 'blocked' | 'cancelled', why: string | Reason): Fact[] => {
  const reason = typeof why === 'string' ? { code: why } : why
  return [decided({ do: 'stop', ending, reason }, 'cap'), { type: 'run-ended', ending, reason }]
}
