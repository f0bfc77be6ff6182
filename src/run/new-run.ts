import { randomBytes } from 'node:crypto'
import { userInfo } from 'node:os'
import type { Envelope } from '../contract/envelope.ts'

/** Sorts by time to the millisecond; the last three digits tell two starts in the same one apart. */
export function createRunId(now: Date): string {
  const day = now.toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-')
  const millisecond = now.getUTCMilliseconds().toString(16).padStart(3, '0')
  return `${day}-${millisecond}${randomBytes(2).toString('hex').slice(1)}`
}

/** The text of `request.json`. Its hash is pinned by the run's first event. */
export const formatRequest = (envelope: Envelope): string => `${JSON.stringify(envelope, null, 2)}\n`

/** Who sends a note. */
export function currentPerson(): string {
  try {
    return userInfo().username
  } catch {
    return 'somebody'
  }
}
