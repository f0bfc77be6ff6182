import type { AttemptPayload, TimelineAttempt } from '../../../src/contract/web.ts'
import { capitalize } from '../format.ts'
import type { IconName } from '../parts/icon.tsx'
import type { Tone } from '../standing.ts'
import { type AttemptLook, lookOfAttempt, nameTask } from '../timeline/look.ts'

const icons: Readonly<Record<Tone, IconName>> = {
  run: 'run',
  you: 'you',
  ok: 'ok',
  bad: 'bad',
  up: 'up',
  off: 'off',
}

export type ShownLook = AttemptLook & { readonly icon: IconName }

/** The look of one of the attempts. The last one is open while the run is at work. */
export function lookAt({ run, attempts }: AttemptPayload, attempt: TimelineAttempt): ShownLook {
  const isOpen = run.standing === 'running' && attempts.at(-1)?.n === attempt.n
  const look = lookOfAttempt(attempt, isOpen)
  return { ...look, icon: look.tone === 'off' ? (look.glyph ?? 'off') : icons[look.tone] }
}

const consequences: Readonly<Record<NonNullable<TimelineAttempt['ledTo']>, string>> = {
  kept: 'its work was kept',
  retry: 'it was tried again',
  escalate: 'a stronger model took over',
  failover: 'another model took over',
  wait: 'the run waited and tried again',
  question: 'the run asked a person',
  stop: 'the run stopped',
  failed: 'the task was given up',
  blocked: 'the task was blocked',
}

/** "S2 attempt 1". A mode may call its only task an attempt itself. */
export const nameAttempt = (task: AttemptPayload['task'], n: number): string => {
  const name = nameTask(task)
  return /^attempt \d+$/.test(name) ? `Attempt ${n}` : `${capitalize(name)} attempt ${n}`
}

/** What followed from the attempt. */
export const describeConsequence = ({ ledTo }: TimelineAttempt): string => (ledTo === null ? '' : consequences[ledTo])
