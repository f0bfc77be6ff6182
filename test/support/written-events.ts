import type { Fact, LoopEvent } from '../../src/contract/event.ts'
import type { Reason } from '../../src/contract/reasons.ts'

export const firstMoment = Date.parse('2026-02-14T22:00:00Z')

/** A fact, and how many minutes after the one before. */
export type Written = Fact & { readonly after?: number }

/** Numbers and dates them as the engine would. */
export function eventsOf(facts: readonly Written[]): LoopEvent[] {
  let at = firstMoment
  let task: string | null = null
  let attempt: number | null = null
  return facts.map(({ after = 0, ...fact }, index) => {
    at += after * 60_000
    if (fact.type === 'task-picked') [task, attempt] = [fact.picked.id, 0]
    if (fact.type === 'attempt-started') attempt = (attempt ?? 0) + 1
    const event = { ...fact, seq: index + 1, epoch: 1, at, ms: after * 60_000, task, attempt } as LoopEvent
    if (fact.type === 'decision-made' && fact.decision.do === 'settle') [task, attempt] = [null, null]
    return event
  })
}

type Told = { tokens?: number; costUsd?: number; data?: Record<string, string | number | boolean | null> }

/** One iteration: picked, attempted for two minutes, judged after one more, settled. */
export function iteration(
  number: number,
  verdict: Extract<Fact, { type: 'verdict-reached' }>['verdict'],
  { tokens, costUsd, data }: Told = {},
): Written[] {
  const usage = { tokens: tokens ?? null, costUsd: costUsd ?? null }
  const agentFailed = (verdict.data as { by?: string } | undefined)?.by === 'agent'
  const status = agentFailed ? 'failed' : 'ok'
  return [
    { type: 'task-picked', picked: { id: `iteration-${number}`, kind: 'work' } },
    { type: 'attempt-started', via: 'command' },
    {
      type: 'call-ended',
      call: { key: 'agent', via: 'command', status, usage, providerMs: 0 },
      after: 2,
    },
    { type: 'attempt-ended', outcome: { status, data, ...(agentFailed && { detail: verdict.detail }) } },
    { type: 'verdict-reached', verdict, after: 1 },
    {
      type: 'decision-made',
      decision: { do: 'settle', as: verdict.status === 'passed' ? 'done' : 'failed' },
      by: 'policy',
    },
  ]
}

export const passed = (gates: number) => ({ status: 'passed', data: { by: 'gate', gates } }) as const
export const gateFailed = (gate: number, gates: number) =>
  ({ status: 'failed', detail: `gate failed (exit 1)`, data: { by: 'gate', gate, gates } }) as const
export const agentFailed = { status: 'failed', detail: 'exit 4', data: { by: 'agent' } } as const

export const ended = (
  ending: 'completed' | 'failed' | 'blocked' | 'cancelled',
  reason: Reason,
  by: string,
): Written[] => [
  { type: 'decision-made', decision: { do: 'stop', ending, reason }, by },
  { type: 'run-ended', ending, reason },
]
