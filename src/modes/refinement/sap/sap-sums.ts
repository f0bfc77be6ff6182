import type { LoopEvent } from '../../../contract/event.ts'
import { attemptData, callData, type Role } from '../core/event-data.ts'

/** Values of the log that are not in the kernel's state. */
export type SapSums = {
  readonly providerMs: number
  readonly iteration: number | null
  /** Role of the task's last call. */
  readonly role: Role | null
  /** Bytes sent since the last line, by rung. */
  readonly sends: readonly { readonly rung: string; readonly bytes: number }[]
  /** The problem of the last step. */
  readonly problem: string | null
  readonly standing: 'Pending' | 'Paused' | 'Resumed'
  readonly lines: number
}

export const noSums: SapSums = {
  providerMs: 0,
  iteration: null,
  role: null,
  sends: [],
  problem: null,
  standing: 'Pending',
  lines: 0,
}

/** Returns the sums after one event. */
export function addUp(sums: SapSums, event: LoopEvent): SapSums {
  switch (event.type) {
    case 'task-picked':
      return { ...sums, role: null }
    case 'call-ended': {
      const { via, providerMs } = event.call
      const data = callData(event.call)
      const sends = data?.remote ? added(sums.sends, via, data.bytes) : sums.sends
      return { ...sums, providerMs: sums.providerMs + providerMs, role: data?.role ?? sums.role, sends }
    }
    case 'attempt-ended': {
      // Chores do not count as iterations.
      const { iteration } = event.chore ? {} : attemptData(event.outcome)
      const { status, detail = null } = event.outcome
      const problem = status === 'ok' ? (sums.role === 'single-shot' ? sums.problem : null) : detail
      return { ...sums, problem, iteration: iteration ?? sums.iteration }
    }
    case 'verdict-reached':
      if (event.verdict.status === 'unavailable') return { ...sums, problem: event.verdict.detail ?? null }
      return event.verdict.score === undefined ? sums : { ...sums, problem: null }
    case 'run-interrupted':
      return { ...sums, standing: 'Paused' }
    case 'run-resumed':
    case 'run-reopened':
      return { ...sums, standing: 'Resumed' }
    case 'decision-made':
      // While the question is open the line shows Paused instead.
      return event.decision.do === 'pause' ? { ...sums, standing: 'Resumed' } : sums
    case 'run-started':
    case 'run-ended':
    case 'attempt-started':
    case 'wait-ended':
    case 'note-received':
      return sums
  }
}

function added(sends: SapSums['sends'], rung: string, bytes: number): SapSums['sends'] {
  const before = sends.find((send) => send.rung === rung)?.bytes ?? 0
  return [...sends.filter((send) => send.rung !== rung), { rung, bytes: before + bytes }]
}
