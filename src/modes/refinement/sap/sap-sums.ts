import type { LoopEvent } from '../../../contract/event.ts'
import type { AttemptTold, CallTold, Role } from '../contract/told.ts'

/** What the log knows of a run beyond the kernel's state. */
export type SapSums = {
  readonly providerMs: number
  readonly iteration: number | null
  /** Of the task's last call. */
  readonly role: Role | null
  /** Since the last line, by rung. */
  readonly sends: readonly { readonly rung: string; readonly bytes: number }[]
  readonly standing: 'Pending' | 'Paused' | 'Resumed'
  readonly lines: number
}

export const noSums: SapSums = {
  providerMs: 0,
  iteration: null,
  role: null,
  sends: [],
  standing: 'Pending',
  lines: 0,
}

/** Pure: the sums after one event. */
export function addUp(sums: SapSums, event: LoopEvent): SapSums {
  switch (event.type) {
    case 'task-picked':
      return { ...sums, role: null }
    case 'call-ended': {
      const { via, providerMs, data } = event.call
      const told = data as CallTold | undefined
      const sends = told?.remote ? added(sums.sends, via, told.bytes) : sums.sends
      return { ...sums, providerMs: sums.providerMs + providerMs, role: told?.role ?? sums.role, sends }
    }
    case 'attempt-ended': {
      // What is no iteration has no number of one, whatever it says.
      const told = event.chore ? undefined : (event.outcome.data as AttemptTold | undefined)
      return { ...sums, iteration: told?.iteration ?? sums.iteration }
    }
    case 'run-interrupted':
      return { ...sums, standing: 'Paused' }
    case 'run-resumed':
    case 'run-reopened':
      return { ...sums, standing: 'Resumed' }
    case 'decision-made':
      // Shown as paused while the question is open, and as resumed ever after.
      return event.decision.do === 'pause' ? { ...sums, standing: 'Resumed' } : sums
    case 'run-started':
    case 'run-ended':
    case 'attempt-started':
    case 'verdict-reached':
    case 'wait-ended':
    case 'note-received':
      return sums
  }
}

function added(sends: SapSums['sends'], rung: string, bytes: number): SapSums['sends'] {
  const before = sends.find((send) => send.rung === rung)?.bytes ?? 0
  return [...sends.filter((send) => send.rung !== rung), { rung, bytes: before + bytes }]
}
