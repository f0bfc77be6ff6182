import type { Outcome, Verdict } from '../../src/contract/event.ts'
import type { Rung } from '../../src/contract/models.ts'
import type { Rubric } from '../../src/contract/rubric.ts'
import type { Ref } from '../../src/contract/values.ts'
import type { AskJudge, Calibration } from '../../src/judging/scoring/score-data.ts'
import { scoreText } from '../../src/judging/scoring/score-text.ts'
import { runLoop, type Work } from '../../src/kernel/run.ts'
import type { RefineConfig } from '../../src/modes/refinement/contract/config.ts'
import { type RefinementMemo, shownOutput } from '../../src/modes/refinement/core/memo.ts'
import { refinementPolicy } from '../../src/modes/refinement/core/policy.ts'
import { fakeClock, memoryInbox, memoryJournal } from '../../src/testing/memory.ts'
import { neverStop } from '../trivial.ts'
import type { NoisyJudge } from './judge.ts'
import type { Draft, Via, World } from './world.ts'

/** One round: which model wrote what, and the result. */
export type Round = {
  readonly phase: number
  /** Number within its phase, from 1. */
  readonly round: number
  readonly via: Via
  readonly draft: Draft
  readonly judgements: number
  readonly accepted: boolean
}

export type Played = { readonly rounds: readonly Round[]; readonly given: Draft | null; readonly reason: string }

export type Setup = {
  readonly rules: RefineConfig
  readonly rubric: Rubric
  readonly judge: NoisyJudge
  readonly calibration: Calibration | null
  /** Identifies the texts of this run. */
  readonly texts: number
}

const phases = 3

/** Runs one refinement in memory, with the real policy and scoring. Only the writer and the judge are simulated. */
export async function play(world: World, setup: Setup): Promise<Played> {
  const drafts = new Map<string, Draft>()
  const rounds: Round[] = []
  const draftOf = (ref: Ref | null | undefined): Draft | null => (ref && drafts.get(ref.path)) ?? null
  const work: Work<RefinementMemo> = {
    async attempt(a, { memo }): Promise<Outcome> {
      if (a.task.kind === 'chore') return { status: 'ok', data: { phases, source: 'model' } }
      const round = rounds.filter(({ phase }) => phase === memo.phase).length + 1
      const via = a.via as Via
      const draft = world.draft(via, { phase: memo.phase, round }, draftOf(memo.best?.output))
      rounds.push({ phase: memo.phase, round, via, draft, judgements: 0, accepted: false })
      await a.record({ key: 'generate', via, status: 'ok', usage: { tokens: 10, costUsd: null }, providerMs: 0 })
      const output = { path: `draft-${draft.id}`, sha256: '', bytes: 1 }
      drafts.set(output.path, draft)
      const told = { iteration: rounds.length, prunedTokens: 0, feedback: 0, mark: output.path }
      return { status: 'ok', output, data: told }
    },
    async evaluate(a, { memo }): Promise<Verdict> {
      if (a.task.kind === 'chore') return { status: 'passed' }
      const round = rounds.at(-1)!
      const { scored, judgements } = await judged(round, setup)
      const { status: _, score, ...told } = scored
      const accepted = told.band === 'pass'
      rounds[rounds.length - 1] = { ...round, judgements, accepted }
      const better = accepted || !memo.best || score > memo.best.score
      return { status: accepted ? 'passed' : 'failed', score, data: { ...told, ledger: null, better } }
    },
  }
  const { view } = await runLoop({
    run: 'bench',
    policy: policyFor(setup.rules),
    work,
    journal: memoryJournal(),
    inbox: memoryInbox(),
    clock: fakeClock(),
    stop: neverStop,
    start: { pins: {} },
    attended: false,
    holdMs: Number.POSITIVE_INFINITY,
  })
  return { rounds, given: draftOf(shownOutput(view)), reason: view.state.ended?.reason.code ?? 'none' }
}

async function judged({ phase, round, draft }: Round, { rules, rubric, judge, calibration, texts }: Setup) {
  const answer = judge.about(texts + draft.id, draft.dimensions)
  let judgements = 0
  const ask: AskJudge = (...asked) => {
    judgements += 1
    return answer(...asked)
  }
  const scored = await scoreText({
    rubric,
    rules,
    brief: { task: 'Write it.' },
    phase: { title: 'Phase', number: phase, of: phases },
    iteration: round,
    text: `Draft ${draft.id}.`,
    issues: [],
    calibration,
    judge: { via: 'judge', model: 'noisy' },
    selfJudged: false,
    ask,
  })
  if (scored.status !== 'scored') throw new Error(`no score: ${scored.detail}`)
  return { scored, judgements }
}

function policyFor(rules: RefineConfig) {
  const { iterations: attemptsPerRun, tokens, escalations } = rules
  const ladder = (['weak', 'strong'] as const).map(rung)
  const terms = { rules, ladder, start: 'weak', escalateTo: ['strong'], failover: [], judges: ['judge'] }
  return refinementPolicy(terms, { attemptsPerRun, tokens, escalations, interruptionsInARow: 20 })
}

const rung = (id: Via): Rung => ({
  id,
  label: id,
  provider: 'scripted',
  model: id,
  local: true,
  contextTokens: 100_000,
  price: null,
})
