import { createHash, randomBytes } from 'node:crypto'
import { PawlError } from '../../../contract/exit.ts'
import type { InProcess } from './begin.ts'
import type { PausedPayload } from './types.ts'

/** By the hash of the token: whoever reads a dump of this process cannot go on with it. */
const waiting = new Map<string, { readonly kept: InProcess; readonly until: number }>()
const tokenLifeMs = 7 * 86_400_000

/** Nobody can guess the token; it is good for once, and for a week. */
export function keepPaused(kept: InProcess): PausedPayload {
  for (const [hash, { until }] of waiting) if (until < Date.now()) waiting.delete(hash)
  const token = randomBytes(32).toString('base64url')
  waiting.set(hashOf(token), { kept, until: Date.now() + tokenLifeMs })
  return { state: 'paused', resume_token: token }
}

export function takePaused(payload: PausedPayload): InProcess {
  const token = payload?.state === 'paused' ? payload.resume_token : ''
  const hash = hashOf(String(token))
  const known = waiting.get(hash)
  waiting.delete(hash)
  if (!known || known.until < Date.now()) {
    throw new PawlError(10, 'this resume token is not known, used up or too old', 'A new one comes with every pause.')
  }
  return known.kept
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url')
