import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  adaptiveIterate,
  type Control,
  openFilesStore,
  openPostgresStore,
  type PausedPayload,
  type Refined,
  type RunStore,
} from '../../../../dist/index.js'
import { cleanups } from '../../../support/cleanups.ts'
import { newFolder } from '../../../support/folder.ts'
import { newDatabase } from '../../../support/postgres.ts'
import { stage } from '../cli/stage.ts'

const library = pathToFileURL(join(import.meta.dirname, '..', '..', '..', '..', 'dist', 'index.js')).href

/** Resumes the run in another process, as a worker on another machine would. `open` is the code that opens its store. */
async function resumeElsewhere(
  payload: PausedPayload,
  open: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Refined> {
  const code = `import { openFilesStore, openPostgresStore, resumeIteration } from ${JSON.stringify(library)}
    const store = ${open}
    try {
      const refined = await resumeIteration(${JSON.stringify(payload)}, 'Add more details', { store, env: process.env })
      console.log(JSON.stringify(refined))
    } catch (error) {
      console.log(JSON.stringify({ error: error.message }))
    }
    await store.close?.()`
  const { PATH, XDG_STATE_HOME } = process.env
  const given = { ...env, PATH, XDG_STATE_HOME } as NodeJS.ProcessEnv
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], { env: given })
  return JSON.parse((await run).stdout)
}

async function pauseIn(store: RunStore, env: NodeJS.ProcessEnv): Promise<Refined> {
  let control: Control | undefined
  const paused = await adaptiveIterate('Write it', {
    env,
    store,
    correlationId: 'corr-7',
    onStart: (given) => (control = given),
    onEvent: (event) => void (event.type === 'verdict-reached' && !event.chore && control?.pause()),
  })
  expect(paused.status).toBe('paused')
  return paused
}

type Place = { readonly store: RunStore; readonly open: string }

async function openPostgres(): Promise<Place> {
  const url = await newDatabase()
  const store = openPostgresStore(url)
  cleanups.push(() => store.close())
  return { store, open: `openPostgresStore(${JSON.stringify(url)})` }
}

async function openFiles(): Promise<Place> {
  const workspace = newFolder()
  const options = { workspace, folder: '.pawl', stateFolder: join(workspace, 'state') }
  return { store: openFilesStore(options), open: `openFilesStore(${JSON.stringify(options)})` }
}

describe.each([
  ['files', openFiles],
  ['Postgres', openPostgres],
])('a pause in %s', (_name, openPlace) => {
  test('is resumed once by its payload, in another process, with what a person said', async () => {
    // Both processes have the same key, as two machines of one person would.
    vi.stubEnv('XDG_STATE_HOME', newFolder())
    onTestFinished(() => void vi.unstubAllEnvs())
    const staged = await stage({ beats: [{ score: 75 }, { score: 85 }] })
    const { store, open } = await openPlace()
    const paused = await pauseIn(store, staged.env)
    const payload = paused.payload!
    expect(payload).toMatchObject({ state: 'paused', run_id: paused.run_id })
    const stored = (await store.open(paused.run_id))!
    const state = (await stored.kept('state')) as Record<string, unknown>
    expect(state).toMatchObject({
      state: 'paused',
      run_id: paused.run_id,
      correlation_id: 'corr-7',
      scores: [{ score: 75 }],
    })
    expect(JSON.stringify(state)).not.toContain(payload.resume_token)
    expect(JSON.stringify(state)).not.toContain('Write it')
    const wrong = await resumeElsewhere({ ...payload, resume_token: crypto.randomUUID() }, open, staged.env)
    expect(wrong).toEqual({ error: expect.stringContaining('token') })
    const resumed = await resumeElsewhere(payload, open, staged.env)
    expect(resumed).toMatchObject({ status: 'completed', run_id: paused.run_id, correlation_id: 'corr-7' })
    expect(staged.calls('write').at(-1)!.prompt).toContain('Add more details')
    expect(await stored.kept('state')).toBeUndefined()
    expect(await resumeElsewhere(payload, open, staged.env)).toEqual({ error: expect.stringContaining('token') })
  })
})
