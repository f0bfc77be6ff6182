import { expect, test } from 'vitest'
import type { RunPayload, RunsPayload } from '../../../src/contract/web.ts'
import { beats, change, file, newNovel, says } from '../../modes/writing/support/novel.ts'
import { listRuns, startPawl, writeAnswers } from '../../modes/writing/support/program.ts'
import { newWorkspace } from '../cli/pawl.ts'
import { startServing } from './serve.ts'

const poll = { timeout: 60_000, interval: 50 }

test('a refinement is started with a text, never with a path', async () => {
  const serving = await startServing(newWorkspace())
  const { status, text } = await serving.post('/start/refine', { text: 'A guide.', model: 'scripted:none.yml' })
  expect([status, text]).toEqual([409, expect.stringContaining('none.yml')])
  expect((await serving.post('/start/refine', { text: '', preset: 'sap-0020' })).status).toBe(400)
  expect((await serving.post('/start/refine', { what: '/etc/passwd', text: 'x' })).status).toBe(400)
  expect((await serving.get<RunsPayload>('/runs')).runs).toEqual([])
})

test('a writing iteration is started where there was one before, asks when its model is away, and is stopped', async () => {
  const plan = says.plan([{ name: file(2) }])
  const labels = says.describe({ changes: [change({ id: 'C1', hunks: ['h1'], units: ['u1'], title: 'Greyer' })] })
  const steps = [plan, says.write({ [file(2)]: beats(2, 'grey') }), says.judge('approved', 'Good.'), labels]
  const novel = newNovel({ chapters: 3, steps })
  const answers = writeAnswers(novel, { cull: 'keep-all', judge: 'yes', accept: 'yes', provider: 'abort' })
  const words = ['write', novel.name, '--target', 'chapters', '--feedback', 'Grey', '--answers', answers]
  expect((await startPawl(novel, [...words, '--model', novel.model])).code).toBe(0)
  const first = listRuns(novel)[0]!.id
  const space = newWorkspace({ env: { HOME: novel.env.HOME } })
  const serving = await startServing(space)
  const known = await serving.get<RunPayload>(`/runs/${first}`)
  const { workspace } = known.row
  const wish = { project: novel.name, target: 'chapters', feedback: 'Greyer still' }
  expect((await serving.post('/start/write', { ...wish, workspace: '/etc' })).status).toBe(404)
  expect((await serving.post('/start/write', { ...wish, workspace, project: 'no-such-project' })).status).toBe(400)
  const { status, text } = await serving.post('/start/write', { ...wish, workspace })
  expect([status, text]).toEqual([200, expect.stringContaining('run')])
  const { run } = JSON.parse(text) as { run: string }
  const read = () => serving.get<RunPayload>(`/runs/${run}`)
  await expect.poll(async () => (await read()).question?.choices.map(({ choice }) => choice), poll).toContain('retry')
  expect((await serving.post(`/runs/${run}/answer`, { choice: 'abort' })).status).toBe(200)
  await expect.poll(async () => (await read()).row.standing, poll).toBe('cancelled')
  expect(novel.read(`chapter-beats/${file(2)}`)).toBe(beats(2, 'grey'))
})
