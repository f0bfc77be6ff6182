import type { LoopEvent, NewNote, Outcome, Verdict } from '../../../src/contract/event.ts'
import type { Rung } from '../../../src/contract/models.ts'
import type { Ref } from '../../../src/contract/values.ts'
import type { IssueMark } from '../../../src/judging/scoring/score-data.ts'
import { runLoop, type Work } from '../../../src/kernel/run.ts'
import { type PresetName, presets, type RefineConfig } from '../../../src/modes/refinement/contract/config.ts'
import type { NoScoreData, ScoreData } from '../../../src/modes/refinement/core/event-data.ts'
import type { RefinementMemo } from '../../../src/modes/refinement/core/memo.ts'
import { refinementPolicy } from '../../../src/modes/refinement/core/policy.ts'
import { fakeClock, memoryInbox, memoryJournal } from '../../../src/testing/memory.ts'

/** One iteration as it is played: what it costs, what it scores, or what stands in its way. */
export type Beat = {
  readonly tokens?: number
  readonly score?: number
  readonly spread?: number
  readonly fault?: string
  readonly retryIn?: number
  readonly retryAt?: number
  readonly crossing?: 'soft' | 'hard'
  readonly mark?: string
  readonly issues?: readonly IssueMark[]
  /** The judge comes to nothing so often, for this reason. */
  readonly judge?: { readonly why: NoScoreData['why']; readonly times: number }
  /** What somebody sends while it is written. */
  readonly notes?: readonly NewNote[]
  /** A text that cannot be judged. */
  readonly failed?: true
  readonly interrupted?: true
}

export type PlayOptions = {
  readonly phases?: number
  readonly escalateTo?: readonly string[]
  readonly judges?: readonly string[]
  readonly rules?: Partial<RefineConfig>
  readonly planFaults?: number
  /** What a person answers to each question. */
  readonly answers?: readonly string[]
}

const rung = (id: string): Rung => ({
  id,
  label: id,
  provider: 'ollama',
  model: id,
  local: id === 'ollama',
  contextTokens: 100_000,
  price: null,
})

const sure = {
  confidence: 1,
  samples: 1,
  dimensions: {},
  evaluator: 'e1',
  calibration: null,
  selfJudged: false,
  vetoes: [],
  unverified: 0,
  ledger: null,
} as const

export const ref = (name: string): Ref => ({ path: name, sha256: name, bytes: 1 })

/** The policy as the kernel runs it, with work that only plays. */
export async function play(preset: PresetName, beats: readonly Beat[], options: PlayOptions = {}) {
  const rules = { ...presets[preset], ...options.rules }
  const terms = {
    rules,
    ladder: ['ollama', 'grok', 'claude'].map(rung),
    start: 'ollama',
    escalateTo: options.escalateTo ?? ['grok', 'claude'],
    failover: ['grok', 'claude', 'ollama'],
    judges: options.judges ?? ['ollama'],
  }
  const { iterations: attemptsPerRun, tokens, escalations, waitMs } = rules
  const policy = refinementPolicy(terms, { attemptsPerRun, tokens, escalations, waitMs, interruptionsInARow: 20 })
  const left = [...beats]
  const answers = [...(options.answers ?? [])]
  const judgedBy: string[] = []
  let beat: Beat = {}
  let unjudged = 0
  let planFaults = options.planFaults ?? 0
  const clock = fakeClock(700_000)
  const inbox = memoryInbox()
  const work: Work<RefinementMemo> = {
    async attempt(a, { memo }): Promise<Outcome> {
      const told = { iteration: 0, prunedTokens: 0, feedback: memo.heard }
      if (a.task.id === 'decompose') {
        if (planFaults-- > 0) return { status: 'unavailable', data: { ...told, fault: 'provider' } }
        return { status: 'ok', output: ref('phases'), data: { phases: options.phases ?? 3, source: 'model' } }
      }
      if (a.task.id === 'single-shot') return { status: 'ok', output: ref('single-shot') }
      beat = left.shift() ?? { score: 100 }
      unjudged = beat.judge?.times ?? 0
      for (const note of beat.notes ?? []) await inbox.post(note)
      if (beat.crossing) return { status: 'unavailable', data: { ...told, crossing: beat.crossing } }
      if (beat.interrupted) return { status: 'interrupted' }
      const retryAt = beat.retryAt ?? (beat.retryIn === undefined ? undefined : clock.now() + beat.retryIn)
      if (beat.fault) return { status: 'unavailable', retryAt, data: { ...told, fault: beat.fault } }
      const usage = { tokens: beat.tokens ?? 10, costUsd: null }
      await a.record({ key: 'generate', via: a.via, status: 'ok', usage, providerMs: 0 })
      if (beat.failed) return { status: 'failed', data: { ...told, fault: 'refused' } }
      const mark = beat.mark ?? `${a.task.id}${a.attempt}`
      return { status: 'ok', output: ref(`${a.task.id}-${a.attempt}`), data: { ...told, mark } }
    },
    async evaluate(a, { memo, state }): Promise<Verdict> {
      if (a.task.kind === 'chore') return { status: 'passed' }
      const judge = terms.judges[Math.min(memo.judge, terms.judges.length - 1)]!
      judgedBy.push(judge)
      if (state.outcome?.status !== 'ok') return { status: 'failed', data: { why: 'no-text', judge } }
      if (unjudged-- > 0) return { status: 'unavailable', data: { why: beat.judge!.why, judge } }
      const { score = 0, spread = 2, issues = [] } = beat
      const band = score >= 80 ? 'pass' : score >= 70 ? 'retry' : 'escalate'
      const better = band === 'pass' || score > (memo.best?.score ?? -1)
      const data: ScoreData = { ...sure, band, raw: score, spread, judge, issues, better }
      return { status: band === 'pass' ? 'passed' : 'failed', score, data }
    },
  }
  const journal = memoryJournal()
  const never = new AbortController().signal
  const run = () =>
    runLoop({
      run: 'run',
      policy,
      work,
      journal,
      inbox,
      clock,
      stop: { soft: never, hard: never },
      start: { pins: {} },
      reopen: (state) =>
        state.ended ? { by: 'ann', caps: { attemptsPerRun: state.attempts + 7, tokens: 99_999 } } : undefined,
      attended: false,
      holdMs: Number.POSITIVE_INFINITY,
    })
  let end = await run()
  for (let { question } = end.view.state; question && answers.length; { question } = end.view.state) {
    await inbox.post({ by: 'ann', say: 'answer', questionId: question.id, choice: answers.shift()! })
    end = await run()
  }
  const told = () => ({
    ...end,
    events: journal.events,
    slept: clock.slept,
    policy,
    judgedBy,
    state: end.view.state,
    memo: end.view.memo,
  })
  const goOn = async (more: readonly Beat[]) => {
    left.push(...more)
    end = await run()
    return told()
  }
  return { ...told(), goOn }
}

/** What was decided, one word each, with whom it was decided for. */
export const decisions = (events: readonly LoopEvent[]): string[] =>
  events.flatMap((event) => {
    if (event.type !== 'decision-made') return []
    const { decision } = event
    return [decision.do === 'escalate' || decision.do === 'failover' ? `${decision.do} ${decision.via}` : decision.do]
  })
