import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { StartPayload } from '../../../src/contract/page/start.ts'
import type { RunPayload, RunsPayload } from '../../../src/contract/web.ts'
import { beats, change, file, newNovel, says } from '../../modes/writing/support/novel.ts'
import { newWorkspace } from '../cli/pawl.ts'
import { findFaults, keepPicture, visit } from './browser.ts'
import { startServing } from './serve.ts'

const poll = { timeout: 60_000, interval: 50 }

test('a refinement is started with a text, never with a path', async () => {
  const serving = await startServing(newWorkspace())
  const text = 'A guide.'
  const offered = (await serving.get<StartPayload>('/start')).forms.find(({ command }) => command === 'refine')!
  expect(offered.fields.map(({ name }) => name)).toEqual(['text', 'goal', 'preset', 'model'])
  const refused = [
    { text: ' ' },
    { what: '/etc/passwd', text },
    { text, context: '/etc/passwd' },
    { text, model: 'scripted:none.yml' },
    { text, preset: '../x' },
    { text: [text] },
  ]
  for (const body of refused) expect((await serving.post('/start/refine', body)).status).toBe(400)
  for (const command of ['run', 'deliver', 'execute', 'write', 'constructor', '__proto__'])
    expect([command, (await serving.post(`/start/${command}`, {})).status]).toEqual([command, 404])
  expect((await serving.get<RunsPayload>('/runs')).runs).toEqual([])
})

/** A server whose folder is a studio with a novel, and whose model is scripted. */
async function newStudio() {
  const plan = says.plan([{ name: file(2) }])
  const labels = says.describe({ changes: [change({ id: 'C1', hunks: ['h1'], units: ['u1'], title: 'Greyer' })] })
  const steps = [plan, says.write({ [file(2)]: beats(2, 'grey') }), says.judge('approved', 'Good.'), labels]
  const novel = newNovel({ chapters: 3, prose: 1, steps })
  const config = join(novel.env.HOME, '.config', 'pawl')
  mkdirSync(config, { recursive: true })
  writeFileSync(join(config, 'config.yml'), `ladder: ["${novel.model}"]\n`)
  const space = newWorkspace({ env: { HOME: novel.env.HOME, XDG_CONFIG_HOME: '' }, cwd: novel.studio })
  return { novel, serving: await startServing(space) }
}

test('a writing iteration is offered for levels that have texts, and for nothing else', async () => {
  const { serving, novel } = await newStudio()
  const { forms } = await serving.get<StartPayload>('/start')
  const target = forms.find(({ command }) => command === 'write')!.fields[0]!
  const offered = target.kind === 'choice' ? target.options : []
  expect(offered.map(({ group }) => group)).toContain('my-novel, in ~/books')
  const value = (level: string, folder = novel.studio) => JSON.stringify([folder, novel.name, level])
  expect(offered.map((option) => option.value)).toEqual(
    ['premise', 'treatment', 'chapters', 'prose'].map((level) => value(level)),
  )
  const wish = { feedback: 'Greyer', cull: 'keep-all' }
  for (const wrong of [value('chapters', '/etc'), value('analysis'), '', 'x'])
    expect((await serving.post('/start/write', { ...wish, target: wrong })).status).toBe(400)
  expect((await serving.post('/start/write', { ...wish, target: value('chapters'), feedback: '' })).status).toBe(400)
})

test('from the page: an iteration is started, its changes are accepted one by one, and it is committed', async () => {
  const { serving, novel } = await newStudio()
  const seen = await visit(serving)
  const { page } = seen
  await page.getByRole('heading', { name: 'No runs yet' }).waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('s')
  await page.waitForURL('**/start')
  await page.reload()
  await page.getByRole('button', { name: 'Revise written work' }).click()
  await page.getByLabel('Level', { exact: true }).selectOption(JSON.stringify([novel.studio, novel.name, 'chapters']))
  await page.getByLabel('Feedback').fill('Make chapter 2 grey.')
  await keepPicture(seen, 'start')
  expect(await findFaults(seen)).toEqual([])
  await page.getByRole('button', { name: 'Start the iteration' }).click()
  await page.waitForURL('**/runs/*')
  const id = page.url().split('/').at(-1)!
  const read = () => serving.get<RunPayload>(`/runs/${id}`)
  await page.getByRole('link', { name: 'Decide change by change' }).click()
  await page.waitForURL(`**/waiting/${id}`)
  await page.getByText('Greyer').first().waitFor()
  await keepPicture(seen, 'approval')
  expect(await findFaults(seen)).toEqual([])
  expect(novel.read(`chapter-beats/${file(2)}`)).toBe(beats(2))
  await page.keyboard.press('a')
  await page.getByText('1 accepted', { exact: true }).waitFor()
  await page.keyboard.press('Control+Enter')
  await expect.poll(async () => (await read()).row.standing, poll).toBe('completed')
  expect(novel.read(`chapter-beats/${file(2)}`)).toBe(beats(2, 'grey'))
  expect(novel.git('status', '--short')).toBe('')
  expect(seen.problems).toEqual([])
})
