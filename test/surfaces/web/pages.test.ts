import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { RunPayload, RunsPayload } from '../../../src/contract/web.ts'
import { sampled } from '../../support/sample.ts'
import { gateFailed, iteration, passed } from '../../support/written-events.ts'
import { newWorkspace } from '../cli/pawl.ts'
import { writeRun } from '../cli/written-run.ts'
import { findFaults, keepPicture, visit } from './browser.ts'
import { startServing } from './serve.ts'

const hostile = '<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>'

/** A workspace with one long run that was never finished and one that says hostile things. */
function newRuns(iterations = 40) {
  const space = newWorkspace({ agent: [{ output: `${hostile}\n` }] })
  const facts = Array.from({ length: iterations }, (_, at) =>
    iteration(at + 1, at % 10 === 4 ? { ...gateFailed(0, 1), detail: hostile } : passed(1), {
      tokens: 1200,
      costUsd: 0.02,
    }),
  ).flat()
  return { space, ...writeRun(space.workspace, facts, { gates: ['npm test'] }) }
}

test('runs: found, filtered, searched and opened', async () => {
  const { space, id } = newRuns()
  const serving = await startServing(space)
  const seen = await visit(serving)
  const { page } = seen
  await page.getByRole('heading', { name: 'Runs' }).waitFor()
  await page.getByRole('link', { name: /build/ }).first().waitFor()
  await keepPicture(seen, 'runs')
  await page.getByPlaceholder('Name, id or reason').fill('no such run')
  await page.getByText('Clear the filters').click()
  await page.getByRole('link', { name: /build/ }).first().click()
  await page.waitForURL(`**/runs/${id}`)
  await page.getByRole('heading', { name: 'build' }).waitFor()
  expect(seen.problems).toEqual([])
})

test('a run: timeline, log with a true count, first error, raw JSON; ui-Z02: what agents say is text', async () => {
  const { space, id } = newRuns()
  const serving = await startServing(space)
  const seen = await visit(serving)
  const { page } = seen
  await seen.open(`/runs/${id}`)
  await page.getByRole('log').getByText('Iteration 40').first().waitFor()
  await page.getByPlaceholder('Search the log').fill('gate')
  await page.getByText(/^[1-9]\d* of 4$/).waitFor()
  await page.getByRole('button', { name: /First error/ }).click()
  await page.getByRole('log').getByText('<img src=x').first().waitFor()
  await keepPicture(seen, 'run')
  await page.getByRole('tab', { name: 'Raw JSON' }).click()
  await page.getByText('"standing": "crashed"').waitFor()
  expect(await page.evaluate('window.pwned')).toBeUndefined()
  expect(seen.problems).toEqual([])
})

/** A workspace with a run that waits for a person, one that is over, and a refinement. */
async function newServing() {
  const { space, id } = newRuns(6)
  const env = { HOME: space.root }
  const other = newWorkspace({ env, agent: [{ delay_ms: 100, output: 'x\n' }] })
  await other.run('run', 'build', '--trust', '-n', '400', '--detach')
  const serving = await startServing(space, '--demo')
  const { runs } = await serving.get<RunsPayload>('/runs')
  const waiting = runs.find((run) => run.id !== id)!.id
  await serving.post(`/runs/${waiting}/pause`)
  const { text } = await serving.post('/sap/start', {
    task: 'Refine PRD',
    text: '',
    flow: 'adaptive',
    scenario: 'escalate-late',
  })
  const refined = (JSON.parse(text) as { run: string }).run
  await expect
    .poll(async () => (await serving.get<RunsPayload>('/runs')).counts, poll)
    .toMatchObject({
      needsYou: 1,
      completed: 1,
    })
  onTestFinished(async () => void (await serving.post(`/runs/${waiting}/stop`)))
  return { serving, id, waiting, refined }
}

const poll = { timeout: 60_000, interval: 50 }

/** What is on each page once it has everything. */
const signs = {
  runs: 'text=Completed',
  run: '[role=log] >> text=Iteration 6',
  refinement: 'canvas',
  replay: 'text=Replay',
  attempt: 'text=Journal lines >> visible=true',
  waiting: 'text=Continue >> visible=true',
  compare: 'text=rejected attempts >> visible=true',
  sap: 'text=Completed - Score: 85%',
} as const

const views: readonly (readonly [number, 'light' | 'dark'])[] = [
  [1440, 'light'],
  [390, 'dark'],
]
test.each(sampled(views, 2))(
  'at %i px, %s: no violation of WCAG AA on any page, and nothing sticks out',
  async (width, theme) => {
    const { serving, id, waiting, refined } = await newServing()
    const seen = await visit(serving, { width, theme })
    const faults: Record<string, readonly string[]> = {}
    const pages = {
      runs: '/',
      run: `/runs/${id}`,
      refinement: `/runs/${refined}`,
      replay: `/runs/${id}/replay`,
      attempt: `/runs/${waiting}/attempts/iteration-1/1`,
      waiting: `/waiting/${waiting}`,
      compare: `/compare?a=${id}&b=${waiting}`,
      sap: `/admin/sap-collaborate?run=${refined}`,
    }
    for (const [name, path] of Object.entries(pages)) {
      await seen.open(path)
      await seen.page.getByRole('heading', { level: 1 }).waitFor()
      await expect.poll(() => seen.page.locator('.skeleton').count(), poll).toBe(0)
      await seen.page
        .locator(signs[name as keyof typeof signs])
        .first()
        .waitFor()
      await keepPicture(seen, `${name}-${width}-${theme}`)
      faults[name] = await findFaults(seen)
    }
    expect(faults).toEqual(Object.fromEntries(Object.keys(pages).map((name) => [name, []])))
    expect(seen.problems).toEqual([])
  },
)

test('waiting: the question is there, and an answer lets the run go on', async () => {
  const { serving, waiting } = await newServing()
  const { page, open } = await visit(serving)
  await open('/waiting')
  await page
    .getByRole('button', { name: /Resume|Continue|Go on/ })
    .first()
    .click()
  await expect.poll(async () => (await serving.get<RunPayload>(`/runs/${waiting}`)).row.standing, poll).toBe('running')
})

test('with the keyboard alone: from the list to a run, its search, its key list, and back', async () => {
  const { space, id } = newRuns(6)
  const { page } = await visit(await startServing(space))
  await page.getByRole('link', { name: /build/ }).first().waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/runs/${id}`)
  await page.getByRole('heading', { name: 'build' }).waitFor()
  await page.keyboard.press('?')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('g')
  await page.keyboard.press('w')
  await page.waitForURL('**/waiting')
})

test('a run of 20,000 events is there at once', async () => {
  const { space, id } = newRuns(3334)
  const serving = await startServing(space)
  const seen = await visit(serving)
  const start = performance.now()
  await seen.open(`/runs/${id}`)
  // The waiting of locators is too coarse to measure with.
  await seen.page.evaluate(`new Promise((resolve) => {
    const isThere = () => document.querySelector('[role=log]')?.textContent.includes('Iteration 3334')
    const look = () => (isThere() ? resolve() : requestAnimationFrame(look))
    look()
  })`)
  console.log(`20,000 events in the browser: ${Math.round(performance.now() - start)} ms`)
  await keepPicture(seen, 'run-20000')
  expect(seen.problems).toEqual([])
})

test('a run that is started elsewhere appears by itself, and pause and stop work from the page', async () => {
  const env = { HOME: join(newWorkspace().root) }
  const serving = await startServing(newWorkspace({ env }))
  const { page, problems } = await visit(serving)
  await page.getByText('pawl demo').first().waitFor()
  const other = newWorkspace({ env, agent: [{ delay_ms: 150, output: 'x\n' }] })
  await other.run('run', 'build', '--trust', '-n', '400', '--detach')
  await page.getByRole('link', { name: /build/ }).first().click()
  await page.getByRole('button', { name: /^Pause/ }).click()
  await page
    .getByText(/^Paused$/)
    .first()
    .waitFor()
  await page
    .getByRole('button', { name: /^(Resume|Continue)/ })
    .first()
    .click()
  await page
    .getByText(/^Running$/)
    .first()
    .waitFor()
  await page.getByRole('button', { name: /^Stop/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: /^Stop/ }).click()
  await page
    .getByText(/^Cancelled$/)
    .first()
    .waitFor()
  expect(problems).toEqual([])
})
