import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { SapRunPayload } from '../../src/contract/web.ts'
import { newWorkspace } from '../surfaces/cli/pawl.ts'
import { findFaults, keepPicture, type Visit, visit } from '../surfaces/web/browser.ts'
import { startServing } from '../surfaces/web/serve.ts'

/** Seeds 000 and 001: their page, by the ids of its checklist, in a real browser against the built program (ui-R09). */

async function openPage(config: object = {}) {
  const serving = await startServing(newWorkspace({ config }), '--demo')
  const seen = await visit(serving)
  await seen.open('/admin/sap-collaborate')
  await seen.page.getByRole('heading', { name: 'SAP collaborate' }).waitFor()
  return { ...seen, serving }
}

type Step = { readonly scenario: string; readonly button?: string; readonly task?: string; readonly text?: string }

async function start(
  { page }: Pick<Visit, 'page'>,
  { scenario, button = 'Start Iteration', task = 'Refine PRD', text = '' }: Step,
): Promise<void> {
  await page.getByLabel('Scenario').selectOption(scenario)
  await page.getByLabel('Task').selectOption(task)
  await page.getByLabel('Text').fill(text)
  await page.getByRole('button', { name: button, exact: true }).click()
}

const messages = ({ page }: Pick<Visit, 'page'>) => page.getByRole('log', { name: 'Messages of the run' })
const says = async (seen: Pick<Visit, 'page'>, text: string): Promise<void> =>
  messages(seen).getByText(text, { exact: true }).first().waitFor()

async function pause(seen: Pick<Visit, 'page'>): Promise<void> {
  await seen.page.getByRole('button', { name: 'Pause', exact: true }).click()
  await messages(seen)
    .getByText(/^Paused/)
    .first()
    .waitFor()
}

describe('the form', () => {
  test('ui-R01 to ui-R08, ui-R12: route, tasks, buttons, fields, and nobody without the link', async () => {
    const seen = await openPage()
    const { page, serving } = seen
    expect(await page.getByLabel('Task').locator('option').allTextContents()).toEqual([
      'Refine PRD',
      'Generate PRD',
      'Own text',
    ])
    for (const name of ['Start Iteration', 'Start Adaptive Iteration', 'Pause', 'Resume'])
      expect(await page.getByRole('button', { name, exact: true }).count()).toBe(1)
    expect(await page.getByLabel('Human Feedback').count()).toBe(1)
    for (const name of ['Pause', 'Resume'])
      expect(await page.getByRole('button', { name, exact: true }).isDisabled()).toBe(true)
    expect((await serving.ask('/admin/sap-collaborate')).status).toBe(401)
    await keepPicture(seen, 'sap')
    expect(await findFaults(seen)).toEqual([])
    expect(seen.problems).toEqual([])
  })

  test('ui-R10, ui-R11, ui-R13: an empty task is marked, refused with a toast, printed, and in the log', async () => {
    const { page, serving } = await openPage()
    await start({ page }, { scenario: 'retry-once', task: 'Own text', text: ' ' })
    await page.getByText('Say what to do: the task is empty.').waitFor()
    await page.getByText('the task is empty').last().waitFor()
    await page
      .getByText(/[0-9a-f]{8}-[0-9a-f]{4}/)
      .first()
      .waitFor()
    await expect.poll(() => serving.started.said()).toMatch(/error: the task is empty \(correlation_id /)
    expect(readFileSync(join(serving.space.workspace, 'agent_logs', 'sap.log'), 'utf8')).toContain('empty_task')
  })
})

describe('seed 000, integration', () => {
  test('ui-I01, ui-I02, ui-T01, ui-T02, ui-S01, ui-L09: start, a score of 75, retry', async () => {
    const seen = await openPage()
    await start(seen, { scenario: 'retry-once' })
    await says(seen, 'Phase 1: Outline complete - Score: 75%')
    await says(seen, 'Retrying iteration 1')
    await says(seen, 'Completed - Score: 85%')
    await seen.page
      .getByText(/^[0-9a-f]{8}-[0-9a-f-]{27}$/)
      .first()
      .waitFor()
    await keepPicture(seen, 'sap-completed')
    expect(await findFaults(seen)).toEqual([])
  })

  test('ui-I03, ui-T03: a phase that scores 60 goes to Grok 4.1', async () => {
    const seen = await openPage()
    await start(seen, { scenario: 'phase-four' })
    await says(seen, 'Escalated to Grok 4.1 for phase 4')
  })

  test('ui-T04: where Grok is down, Claude Sonnet 4.5 is used, and the page says so', async () => {
    const seen = await openPage()
    await start(seen, { scenario: 'grok-down' })
    await says(seen, 'Falling back to Claude Sonnet 4.5 then Ollama retry')
    await says(seen, 'Completed - Score: 85%')
    await seen.page.locator('dd', { hasText: 'Claude Sonnet 4.5' }).first().waitFor()
  })

  test('ui-I04, ui-T05, ui-S02, ui-Z01: pause, feedback, resume', async () => {
    const seen = await openPage()
    const { page, serving } = seen
    await start(seen, { scenario: 'slowly' })
    await says(seen, 'Retrying iteration 1')
    // The pause takes effect after the iteration that is at work.
    const id = new URL(page.url()).searchParams.get('run')!
    const countAttempts = async (): Promise<number> => {
      const { run } = await serving.get<SapRunPayload>(`/sap/${id}`)
      return run.timeline.tasks.filter(({ chore }) => !chore).flatMap(({ attempts }) => attempts).length
    }
    await expect.poll(countAttempts, { timeout: 30_000, interval: 20 }).toBe(2)
    await pause(seen)
    expect(await page.getByRole('button', { name: 'Pause', exact: true }).isDisabled()).toBe(true)
    await page.getByLabel('Human Feedback').fill('Add more details <b>now</b>\u0007')
    await page.getByRole('button', { name: 'Resume', exact: true }).click()
    await says(seen, 'Resumed')
    await says(seen, 'Iteration 3: Refined with human input')
    await page.getByText('Human feedback: Add more details <b>now</b>').first().waitFor()
  })

  test('ui-S06: a pause that nobody answers ends by itself, and the run completes', async () => {
    const seen = await openPage({ pause_timeout: '1s' })
    await start(seen, { scenario: 'slowly' })
    await says(seen, 'Retrying iteration 1')
    await pause(seen)
    await says(seen, 'pawl continued the run')
    await says(seen, 'Resumed')
    await says(seen, 'Completed - Score: 85%')
  })

  test('a pause that is resumed without human input: it completes', async () => {
    const seen = await openPage()
    const { page } = seen
    await start(seen, { scenario: 'slowly' })
    await says(seen, 'Retrying iteration 1')
    await pause(seen)
    await page.getByRole('button', { name: 'Resume', exact: true }).click()
    await says(seen, 'Completed - Score: 85%')
    expect(await page.getByText('Human feedback: ').count()).toBe(0)
  })

  test('ui-I05, ui-T06: a budget that is spent falls back to a single shot', async () => {
    const seen = await openPage()
    await start(seen, { scenario: 'many-tokens' })
    await says(seen, 'Fallback to single-shot logged, process aborted')
  })

  test('ui-I06, ui-T07, ui-S03: what phase 2 is given holds phase 1', async () => {
    const seen = await openPage()
    await start(seen, { scenario: 'retry-once' })
    await says(seen, 'Completed - Score: 85%')
    const context = seen.page.getByRole('list', { name: 'Accumulated context' })
    await context.getByText('Outline, version 1').first().waitFor()
    await context.getByText('Draft, version 3').first().waitFor()
    await context
      .getByText(/contains/)
      .first()
      .waitFor()
  })
})

describe('seed 001, integration', () => {
  const adaptive = 'Start Adaptive Iteration'

  test('ui-I07, ui-T08, ui-R03, ui-R05: a retry with its count', async () => {
    const seen = await openPage()
    await start(seen, { scenario: 'retry-once', button: adaptive, task: 'Generate PRD' })
    await says(seen, 'Iteration 1 complete - Score: 75% - Retrying (1/2)')
  })

  test.each([
    ['ui-I08, ui-T09', 'escalate-late', 'Escalated to Grok 4.1 for iteration 3 (1/1 escalation used)'],
    ['ui-I08, ui-T10', 'grok-down', 'Falling back to Claude Sonnet 4.5 then Ollama retry'],
    ['ui-I09, ui-T11', 'always-low', 'Aborted at max 7 iterations (SapAgent::Config)'],
    ['ui-I10, ui-T12', 'many-tokens', 'Budget exceeded: Logged error with correlation_id, partial output returned'],
    ['ui-I11, ui-T13', 'all-down', 'Error handled: Aborted with partial output logged (schema fields present)'],
  ])('%s: %s', async (_ids, scenario, message) => {
    const seen = await openPage()
    await start(seen, { scenario, button: adaptive })
    await says(seen, message)
    expect(seen.problems).toEqual([])
  })

  test('ui-L01 to ui-L05, ui-Z04: the log of the run is on the page, people are hashes', async () => {
    const seen = await openPage()
    const { page } = seen
    await start(seen, { scenario: 'slowly', button: adaptive })
    await says(seen, 'Iteration 1 complete - Score: 75% - Retrying (1/2)')
    await pause(seen)
    await page.getByLabel('Human Feedback').fill('Ask mara@example.org')
    await page.getByRole('button', { name: 'Resume', exact: true }).click()
    await says(seen, 'Resumed')
    await page.getByText('agent_logs/sap.log').waitFor()
    await page
      .getByRole('cell', { name: /^User-|^[0-9a-f]{8,}/ })
      .first()
      .waitFor()
    expect(await page.getByRole('table').first().textContent()).not.toContain('mara@example.org')
  })
})
