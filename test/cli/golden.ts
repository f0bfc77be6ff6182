import type { Written } from './written-run.ts'
import { agentFailed, ended, iteration, passed } from './written-run.ts'

/** One run of each way in which a run can stand without a process; completed and failed have tests of their own. */
export const otherEndings: Readonly<Record<string, readonly Written[]>> = {
  blocked: [...iteration(1, agentFailed), ...ended('blocked', 'it needs a person', 'policy')],
  cancelled: ended('cancelled', 'stopped by ann', 'cancel'),
  interrupted: [...iteration(1, passed(0)), { type: 'run-interrupted', by: 'SIGTERM' }],
  crashed: iteration(1, passed(0)).slice(0, 2),
  asking: [
    ...iteration(1, passed(0)),
    {
      type: 'decision-made',
      decision: { do: 'pause', question: { id: 'q', topic: 'go on?', choices: ['yes', 'no'] } },
      by: 'policy',
    },
  ],
  waiting: [
    ...iteration(1, passed(0)).slice(0, 2),
    { type: 'attempt-ended', outcome: { status: 'unavailable', detail: 'exit 1' }, after: 1 },
    {
      type: 'decision-made',
      decision: { do: 'wait', until: Date.parse('2026-02-15T03:00:00Z'), reason: 'usage limit' },
      by: 'policy',
    },
  ],
}
