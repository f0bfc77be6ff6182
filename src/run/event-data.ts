import type { LoopEvent } from '../contract/event.ts'
import { PawlError } from '../contract/exit.ts'
import type { Reason } from '../contract/reasons.ts'
import type { StoredRun } from '../ports/run-store.ts'
import { findReasonProblem } from '../show/reasons.ts'
import type { Reasons } from '../show/show.ts'
import type { EventData } from './mode.ts'

type Door<Memo> = { readonly data: EventData; readonly reasons: Reasons<Memo> }

/** A journal line holds data that its mode cannot parse. */
export class UnexpectedDataError extends PawlError {
  override name = 'UnexpectedDataError'
  constructor(place: string, seq: number, says: string) {
    super(
      30,
      `${place}: event ${seq} holds unexpected data: ${says}`,
      (pawl) => `Nothing was changed. To check it: ${pawl} fsck`,
    )
  }
}

/** Throws an UnexpectedDataError that names the first event whose data or reason does not match the mode's schemas. */
export async function checkData<Memo>(
  door: Door<Memo>,
  stored: StoredRun,
  events: readonly LoopEvent[],
): Promise<void> {
  for (const event of events) {
    const says = findDataProblem(door, event)
    if (says) throw new UnexpectedDataError(await stored.place(event.seq), event.seq, says)
  }
}

/** Returns why an event does not match the mode's schemas, or undefined. The store has already checked the rest of the event. */
export function findDataProblem<Memo>({ data, reasons }: Door<Memo>, event: LoopEvent): string | undefined {
  const check = (schema: EventData['task'], value: unknown): string | undefined => {
    const parsed = schema.safeParse(value)
    if (parsed.success) return undefined
    const { path, message } = parsed.error.issues[0]!
    return `${path.length ? `data.${path.join('.')}` : 'data'}: ${message}`
  }
  const checkReason = (reason: Reason): string | undefined => findReasonProblem(reasons, reason)
  switch (event.type) {
    case 'task-picked':
      return check((event.picked.kind === 'chore' && data.chore) || data.task, event.picked.data)
    case 'call-ended':
      return check(data.call, event.call.data)
    case 'attempt-ended':
      return check(data.outcome, event.outcome.data)
    case 'verdict-reached':
      return check(data.verdict, event.verdict.data)
    case 'decision-made':
      if (event.decision.do === 'stop' || event.decision.do === 'wait') return checkReason(event.decision.reason)
      return event.decision.do === 'pause' ? checkReason(event.decision.question.topic) : undefined
    case 'run-ended':
      return checkReason(event.reason)
    case 'note-received':
      return event.note.say === 'amend' ? check(data.terms, event.note.terms) : undefined
    case 'run-started':
    case 'run-resumed':
    case 'run-interrupted':
    case 'run-reopened':
    case 'attempt-started':
    case 'wait-ended':
      return undefined
  }
}
