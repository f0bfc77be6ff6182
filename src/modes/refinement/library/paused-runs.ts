import { randomUUID } from 'node:crypto'
import { PawlError } from '../../../contract/exit.ts'
import type { InProcess } from './begin.ts'
import type { PausedPayload } from './types.ts'

/** A pause of a run. It keeps its token until it is answered. */
type Pause = { readonly run: InProcess; readonly questionId: string; readonly expiresAt: number; taken: boolean }

const pauses = new Map<string, Pause>()
const tokenLifeMs = 7 * 86_400_000

/** Returns the payload for a queue. The same pause always has the same token: a random uuid, valid for a week. */
export function describePause(run: InProcess, questionId: string): PausedPayload {
  for (const [token, { expiresAt }] of pauses) if (expiresAt < Date.now()) pauses.delete(token)
  const known = [...pauses].find(([, pause]) => pause.run.stored === run.stored && pause.questionId === questionId)
  const [token, pause] = known ?? [randomUUID(), { run, questionId, expiresAt: Date.now() + tokenLifeMs, taken: false }]
  pause.taken = false
  pauses.set(token, pause)
  return { state: 'paused', resume_token: token }
}

/** Finds the pause of a token and takes it: of two callers with the same token one gets it. `release` gives it back. */
export function takePause({ resume_token }: PausedPayload): Pick<Pause, 'run' | 'questionId'> & { release(): void } {
  const pause = pauses.get(resume_token)
  if (!pause || pause.taken || pause.expiresAt < Date.now()) throw usedToken()
  pause.taken = true
  return {
    ...pause,
    release: () => {
      pause.taken = false
    },
  }
}

export const usedToken = (): PawlError =>
  new PawlError(10, 'this resume token is unknown, used or expired', 'Every pause has a token of its own.')
