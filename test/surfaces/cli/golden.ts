import { agentFailed, ended, iteration, passed, type Written } from '../../support/written-events.ts'

/** One run of each way in which a run can stand without a process; completed and failed have tests of their own. */
export const otherEndings: Readonly<Record<string, readonly Written[]>> = {
  blocked: [...iteration(1, agentFailed), ...ended('blocked', { code: 'agent_blocked' }, 'policy')],
  cancelled: ended('cancelled', { code: 'cancelled', by: 'ann' }, 'person'),
  interrupted: [...iteration(1, passed(0)), { type: 'run-interrupted', by: 'SIGTERM' }],
  crashed: iteration(1, passed(0)).slice(0, 2),
  asking: [
    ...iteration(1, passed(0)),
    {
      type: 'decision-made',
      decision: { do: 'pause', question: { id: 'q', topic: { code: 'paused' }, choices: ['yes', 'no'] } },
      by: 'policy',
    },
  ],
  waiting: [
    ...iteration(1, passed(0)).slice(0, 2),
    { type: 'attempt-ended', outcome: { status: 'unavailable', detail: 'exit 1' }, after: 1 },
    {
      type: 'decision-made',
      decision: { do: 'wait', until: Date.parse('2026-02-15T03:00:00Z'), reason: { code: 'usage_limit' } },
      by: 'policy',
    },
  ],
}
