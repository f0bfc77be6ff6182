import type { Fact, LoopEvent } from '../../../../src/contract/event.ts'
import type { Json } from '../../../../src/contract/values.ts'
import type { Role, ScoreData } from '../../../../src/modes/refinement/core/event-data.ts'
import { hidePeople } from '../../../../src/modes/refinement/sap/sap-hide.ts'
import type { SapAbout } from '../../../../src/modes/refinement/sap/sap-line.ts'

export const about: SapAbout = {
  run: '20261115-aaaa',
  taskId: 'refine-prd',
  correlationId: '6d1f9df4-6a3b-4b7e-9f2c-0f8f3f1f2a11',
  branch: 'main',
  start: 'local',
  labels: { local: 'Llama 70B', grok: 'Grok 4.1' },
  hide: hidePeople((text) => `hidden(${text})`, []),
}

/** Events as the kernel numbers them: each comes 10 ms after the one before. */
export const numbered = (
  facts: readonly (Fact & Partial<LoopEvent>)[],
  from = Date.UTC(2026, 10, 15, 12),
): LoopEvent[] =>
  facts.map((fact, index) => ({
    epoch: 1,
    task: null,
    attempt: null,
    ms: 10,
    ...fact,
    seq: index + 1,
    at: from + index * 10,
  }))

export const started: Fact = { type: 'run-started', journal: 2, policy: 'refinement', version: 1, caps: {}, pins: {} }

export const call = (
  via: string,
  role: Role,
  told: { remote?: boolean; raw?: number; providerMs?: number } = {},
): Fact => ({
  type: 'call-ended',
  call: {
    key: role,
    via,
    status: 'ok',
    usage: { tokens: 100, costUsd: null },
    providerMs: told.providerMs ?? 4,
    data: { role, remote: told.remote ?? false, bytes: 1000, ...(told.raw !== undefined && { raw: told.raw }) },
  },
})

export const generated = (iteration: number, prunedTokens = 0): Fact => ({
  type: 'attempt-ended',
  outcome: { status: 'ok', data: { iteration, prunedTokens, feedback: 0 } },
})

export const scored = (score: number, band: ScoreData['band'], calibration: string | null = null): Fact => {
  const told: ScoreData = {
    band,
    raw: score + 10,
    spread: 0,
    confidence: 1,
    samples: 1,
    dimensions: {},
    evaluator: 'e1',
    calibration: calibration === null ? null : { id: calibration, intercept: -10, slope: 1, sigma: 3, anchors: 12 },
    judge: 'local',
    selfJudged: false,
    vetoes: [],
    unverified: 0,
    issues: [],
    ledger: null,
    better: true,
  }
  const data = told as unknown as Json
  return { type: 'verdict-reached', verdict: { status: band === 'pass' ? 'passed' : 'failed', score, data } }
}

/** As a store gives them. */
export async function* pagesOf(events: readonly LoopEvent[]): AsyncGenerator<readonly LoopEvent[]> {
  if (events.length) yield events
}

/** A run of this many lines, none of which must be kept: after its start, scores that lead nowhere. */
export const longRun = (lines: number, from?: number): LoopEvent[] =>
  numbered([started, ...Array.from({ length: lines - 1 }, () => scored(75, 'retry'))], from)
