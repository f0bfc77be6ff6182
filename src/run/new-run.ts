import { randomBytes } from 'node:crypto'
import { userInfo } from 'node:os'
import type { Envelope } from '../contract/envelope.ts'

/** Creates an id that sorts by time, to the millisecond. The last three digits are random, for starts in the same millisecond. */
export function createRunId(now: Date): string {
  const day = now.toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-')
  const millisecond = now.getUTCMilliseconds().toString(16).padStart(3, '0')
  return `${day}-${millisecond}${randomBytes(2).toString('hex').slice(1)}`
}

/** Returns the text of `request.json`. The run's first event records its hash. */
export const formatRequest = (envelope: Envelope): string => `${JSON.stringify(envelope, null, 2)}\n`

/** Returns the name of the current user, as the sender of notes. */
export function currentPerson(): string {
  try {
    return userInfo().username
  } catch {
    return 'somebody'
  }
}
