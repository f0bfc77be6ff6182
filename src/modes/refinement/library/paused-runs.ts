import { createHash, randomUUID } from 'node:crypto'
import { PawlError } from '../../../contract/exit.ts'
import type { InProcess } from './begin.ts'
import type { PausedPayload } from './types.ts'

/** A pause of a run of this process. It keeps its token until it is answered. */
type Pause = { readonly run: InProcess; readonly questionId: string; readonly expiresAt: number; taken: boolean }

const pauses = new Map<string, Pause>()
const tokenLifeMs = 7 * 86_400_000

/**
 * Returns the payload for a queue. The same pause has the same token in this process: a random uuid, valid for a week. Its hash is kept
 * with the run, so that a process on another machine can resume it.
 */
export async function describePause(run: InProcess, questionId: string): Promise<PausedPayload> {
  for (const [token, { expiresAt }] of pauses) if (expiresAt < Date.now()) pauses.delete(token)
  const { stored } = run
  const known = [...pauses].find(([, pause]) => pause.run.stored === stored && pause.questionId === questionId)
  const [token, pause] = known ?? [randomUUID(), { run, questionId, expiresAt: Date.now() + tokenLifeMs, taken: false }]
  pause.taken = false
  pauses.set(token, pause)
  const state = (await stored.kept('state')) as object | undefined
  const expires = new Date(pause.expiresAt).toISOString()
  await stored.keep('state', { ...state, resume_token_sha256: hash(token), token_expires: expires })
  return { state: 'paused', resume_token: token, run_id: stored.entry.id }
}

type Taken = Pick<Pause, 'run' | 'questionId'> & { release(): void }

/**
 * Finds the pause of a token and takes it: of two callers with the same token one gets it. `release` gives it back. A pause of another
 * process is found by `open`, which opens its run in the store that the caller gave.
 */
export async function takePause(
  { resume_token, run_id }: PausedPayload,
  open: (id: string) => Promise<InProcess | undefined>,
): Promise<Taken> {
  const pause = pauses.get(resume_token)
  if (!pause) return findStored(resume_token, run_id === undefined ? undefined : await open(run_id))
  if (pause.taken || pause.expiresAt < Date.now()) throw usedToken()
  pause.taken = true
  return {
    ...pause,
    release: () => {
      pause.taken = false
    },
  }
}

/** The question of the run decides whether a token was used: it has another one then, or none. */
async function findStored(token: string, run: InProcess | undefined): Promise<Taken> {
  const state = (await run?.stored.kept('state')) as
    | { resume_token_sha256?: unknown; token_expires?: unknown; question?: { id?: unknown } | null }
    | undefined
  const questionId = state?.question?.id
  const isValid = state?.resume_token_sha256 === hash(token) && Date.parse(String(state.token_expires)) >= Date.now()
  if (!run || !isValid || typeof questionId !== 'string') throw usedToken()
  return { run, questionId, release: () => {} }
}

const hash = (token: string): string => createHash('sha256').update(token).digest('hex')

export const usedToken = (): PawlError =>
  new PawlError(10, 'this resume token is unknown, used or expired', 'Every pause has a token of its own.')
