import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { SapRunPayload } from '../../../src/contract/web.ts'
import { newWorkspace } from '../cli/pawl.ts'
import { type Serving, startServing } from './serve.ts'

const poll = { timeout: 120_000, interval: 50 }

const start = async ({ post }: Serving, flow: 'iteration' | 'adaptive', scenario: string, task = 'Refine PRD') => {
  const { status, text } = await post('/sap/start', { task, text: '', flow, scenario })
  expect([status, text]).toEqual([200, expect.stringContaining('run')])
  return (JSON.parse(text) as { run: string }).run
}

const isOver = ({ run }: SapRunPayload): boolean => ['completed', 'failed', 'cancelled'].includes(run.row.standing)

async function finish({ get }: Serving, id: string): Promise<SapRunPayload> {
  await expect.poll(async () => isOver(await get<SapRunPayload>(`/sap/${id}`)), poll).toBe(true)
  return get<SapRunPayload>(`/sap/${id}`)
}

const readMessages = ({ messages }: SapRunPayload): readonly string[] =>
  messages.map(({ line }) =>
    line.map((span) => (typeof span === 'string' ? span : 'text' in span ? span.text : '')).join(''),
  )

test.each([
  ['iteration', 'retry-once', ['Phase 1: Outline complete - Score: 75%', 'Retrying iteration 1']],
  ['iteration', 'phase-four', ['Escalated to Grok 4.1 for phase 4']],
  ['iteration', 'many-tokens', ['Fallback to single-shot logged, process aborted']],
  ['adaptive', 'retry-once', ['Iteration 1 complete - Score: 75% - Retrying (1/2)']],
  ['adaptive', 'escalate-late', ['Escalated to Grok 4.1 for iteration 3 (1/1 escalation used)']],
  ['adaptive', 'grok-down', ['Falling back to Claude Sonnet 4.5 then Ollama retry']],
  ['adaptive', 'always-low', ['Aborted at max 7 iterations (SapAgent::Config)']],
  ['adaptive', 'many-tokens', ['Budget exceeded: Logged error with correlation_id, partial output returned']],
  ['adaptive', 'all-down', ['Error handled: Aborted with partial output logged (schema fields present)']],
] as const)('%s, %s: the words of the seeds', async (flow, scenario, wanted) => {
  const serving = await startServing(newWorkspace(), '--demo')
  const over = await finish(serving, await start(serving, flow, scenario))
  expect(readMessages(over)).toEqual(expect.arrayContaining([...wanted]))
  expect(over.correlation_id).toMatch(/^[\w-]{36}$/)
})

test.each([
  ['ui-Q03, ui-L07', 'iteration', 5, 5, 200],
  ['ui-Q04, ui-L08', 'adaptive', 10, 7, 300],
] as const)('%s, %s: %i loops at once keep their caps', async (_ids, flow, loops, iterations, mostMs) => {
  const serving = await startServing(newWorkspace(), '--demo')
  const ids = await Promise.all(Array.from({ length: loops }, () => start(serving, flow, 'escalate-late')))
  const all = await Promise.all(ids.map((id) => finish(serving, id)))
  for (const { run } of all) {
    const attempts = run.timeline.tasks.filter(({ chore }) => !chore).flatMap((task) => task.attempts)
    expect(attempts.length).toBeLessThanOrEqual(iterations)
    expect(run.bounds.find(({ cap }) => cap === 'escalations')?.used ?? 0).toBeLessThanOrEqual(1)
  }
  const rounds = all.flatMap(measureRounds).toSorted((a, b) => a - b)
  const median = rounds[Math.floor(rounds.length / 2)]!
  console.log(
    `${loops} loops: engine time of a round ${Math.round(median)} ms, at most ${Math.round(rounds.at(-1)!)} ms`,
  )
  // Beside other tests, only the fastest round says something about the engine.
  expect(rounds[0]).toBeLessThan(mostMs)
})

/** The time of each round without that of the models, which answer after 60 ms each. */
const measureRounds = ({ run }: SapRunPayload): readonly number[] =>
  run.timeline.tasks
    .filter(({ chore }) => !chore)
    .flatMap(({ attempts }) => attempts)
    .map(({ from, to }) => (to ?? from) - from - 120)

test('an empty task is refused, and the log says so', async () => {
  const serving = await startServing(newWorkspace(), '--demo')
  const { status, text } = await serving.post('/sap/start', {
    task: '',
    text: ' ',
    flow: 'iteration',
    scenario: 'escalate',
  })
  expect([status, text]).toEqual([400, expect.stringContaining('the task is empty')])
  await expect.poll(() => serving.started.said(), poll).toMatch(/error: the task is empty \(correlation_id [\w-]{36}\)/)
  expect(readFileSync(join(serving.space.workspace, 'agent_logs', 'sap.log'), 'utf8')).toContain('empty_task')
})
