import { expect, test } from 'vitest'
import { adaptiveIterate, type Control, PawlError, type Refined, resumeIteration } from '../../../../dist/index.js'
import { type Beat, stage } from '../cli/stage.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** A run that is paused after its first text. */
async function pauseRun(beats: readonly Beat[] = [{ score: 75 }, { score: 85 }]): Promise<Refined> {
  const { env } = await stage({ beats })
  let control: Control | undefined
  const paused = await adaptiveIterate('Write it', {
    env,
    onStart: (given) => (control = given),
    onEvent: (event) => void (event.type === 'verdict-reached' && !event.chore && control?.pause()),
  })
  expect(paused.status).toBe('paused')
  return paused
}

test('the token of a pause is a uuid, and the payload is that of the seed', async () => {
  const { payload, run_id } = await pauseRun()
  expect(payload).toEqual({ state: 'paused', resume_token: expect.stringMatching(uuid), run_id })
  expect((await pauseRun()).payload).not.toEqual(payload)
})

test('a pause that is read twice has one token; the next pause has another', async () => {
  const { payload } = await pauseRun()
  const stopped = await resumeIteration(payload!, undefined, { signal: AbortSignal.abort('stop') })
  expect(stopped).toMatchObject({ status: 'paused', payload })
  let control: Control | undefined
  const again = await resumeIteration(stopped.payload!, 'Shorter', {
    onStart: (given) => (control = given),
    onEvent: (event) => void (event.type === 'attempt-started' && control?.pause()),
  })
  expect(again.status).toBe('paused')
  expect(again.payload!.resume_token).toMatch(uuid)
  expect(again.payload).not.toEqual(payload)
  expect((await resumeIteration(again.payload!)).status).toBe('completed')
})

test('a token is used up once its run goes on, and only then', async () => {
  const { payload } = await pauseRun()
  await expect(resumeIteration(payload!, ' ')).rejects.toBeInstanceOf(PawlError)
  const both = await Promise.allSettled([resumeIteration(payload!), resumeIteration(payload!)])
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  await expect(resumeIteration(payload!)).rejects.toMatchObject({ exit: 10, message: expect.stringContaining('token') })
})
