import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { PawlError } from '../../../contract/exit.ts'
import type { InProcess } from './in-process.ts'
import type { PausedPayload } from './types.ts'

const waiting = new Map<string, { readonly kept: InProcess; readonly until: number }>()
const tokenLifeMs = 7 * 86_400_000

/** Only a hash of the token is kept: whoever reads memory or a dump cannot go on with it. */
export function keepPaused(kept: InProcess): PausedPayload {
  for (const [hash, { until }] of waiting) if (until < Date.now()) waiting.delete(hash)
  const token = randomBytes(32).toString('base64url')
  waiting.set(hashOf(token), { kept, until: Date.now() + tokenLifeMs })
  return { state: 'paused', resume_token: token }
}

export function takePaused(payload: PausedPayload): InProcess {
  const token =
    payload?.state === 'paused' && typeof payload.resume_token === 'string' ? hashOf(payload.resume_token) : ''
  const found = [...waiting].find(
    ([hash]) => hash.length === token.length && timingSafeEqual(Buffer.from(hash), Buffer.from(token)),
  )
  const known = found?.[1]
  if (!known || known.until < Date.now()) {
    throw new PawlError(10, 'this resume token is not known, used up or too old', 'A new one comes with every pause.')
  }
  waiting.delete(token)
  return known.kept
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')
