import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { adaptiveIterate, iteratePrompt, presets, type RefineOptions } from '../../dist/index.js'
import { of, sapLines } from '../modes/refinement/cli/sap-lines.ts'
import { type Beat, judgement, type Play, stage } from '../modes/refinement/cli/stage.ts'
import { refineWorkspace } from '../modes/refinement/cli/workspace.ts'
import { newFolder } from '../support/folder.ts'

/** Seed 001, line by line: `adaptiveIterate` of the built library and `pawl refine --adaptive`, over HTTP. */

/** People are hidden with this key, not with that of the person who runs the tests. */
const PAWL_KEY = randomBytes(32).toString('base64')
const ladder = ['ollama', 'grok', 'claude']
const grok = 'grok-4-1-fast-reasoning'
const claude = 'claude-sonnet-4-5-20250929'
const llama = 'llama3.1:70b'

async function adapt(play: Play | readonly Beat[], options: RefineOptions & { toggle?: string; task?: string } = {}) {
  const { toggle, task = 'Generate PRD', ...rest } = options
  const staged = await stage(Array.isArray(play) ? { beats: play } : (play as Play))
  const workspace = newFolder()
  const env = { PAWL_KEY, ...staged.env, ...(toggle && { ESCALATE_LLM: toggle }), ...rest.env }
  const refined = await adaptiveIterate(task, { ladder, workspace, ...rest, env })
  return {
    ...staged,
    refined,
    log: () => sapLines(workspace),
    writers: () => staged.calls('write').map(({ model }) => model),
  }
}

const scores = (...given: number[]): Beat[] => given.map((score) => ({ score }))

describe('acceptance criteria', () => {
  test('1. one scoring prompt for all; below 80 it is tried again at most twice, after 150 and 300 ms', async () => {
    const { refined, calls, log } = await adapt(scores(75, 75, 85, 85, 85))
    expect(refined).toMatchObject({ status: 'completed', escalations: 0 })
    const judged = calls('judge')
    expect(new Set(judged.map(({ system }) => system)).size).toBe(1)
    for (const { prompt } of judged) expect(prompt).toMatch(/relevance[\s\S]*accuracy[\s\S]*completeness/)
    const waited = of(log(), 'retry')
    expect(waited).toHaveLength(2)
    const spent = await adapt(scores(75))
    expect(spent.refined).toMatchObject({ status: 'aborted', reason: 'retries_exhausted', partial_output: 'text 1' })
    expect(spent.refined.iterations).toHaveLength(3)
  })

  test('2. below 70 or past 500 tokens it escalates, once, and the log says so', async () => {
    const low = await adapt(scores(65, 60, 99))
    expect(low.writers()).toEqual([llama, grok])
    expect(low.refined).toMatchObject({ status: 'aborted', escalations: 1, reason: 'escalations_exhausted' })
    expect(of(low.log(), 'escalation')).toHaveLength(1)
    const long = await adapt([{ score: 75, tokens: 501 }, { score: 85 }])
    expect(long.writers()).toEqual([llama, grok])
    expect(long.refined).toMatchObject({ status: 'aborted', reason: 'token_budget', escalations: 1 })
  })

  test('2. ESCALATE_LLM is where it starts', async () => {
    expect((await adapt(scores(85), { toggle: 'grok' })).writers()).toEqual([grok, grok, grok])
    expect((await adapt(scores(85), { toggle: 'claude' })).writers()).toEqual([claude, claude, claude])
    expect((await adapt(scores(85), { toggle: 'ollama' })).writers()).toEqual([llama, llama, llama])
  })

  test('2. Grok, then Claude, then the local one with two more tries, then a warning and the end', async () => {
    const remote = await adapt({
      beats: scores(65, 85),
      instead: ({ model }) => (model === grok || model === claude ? { fault: 'overloaded' } : undefined),
    })
    expect(remote.writers()).toEqual([llama, grok, grok, grok, claude, claude, claude, llama, llama, llama])
    expect(remote.refined).toMatchObject({ status: 'completed', escalations: 1 })
    let written = 0
    const all = await adapt({
      beats: scores(65),
      instead: (_, role) => (role === 'write' && ++written > 1 ? { fault: 'overloaded' } : undefined),
    })
    expect(all.writers()).toEqual([llama, grok, grok, grok, claude, claude, claude, llama, llama, llama])
    expect(all.refined).toMatchObject({ status: 'aborted', reason: 'escalation_failed', partial_output: 'text 1' })
    expect(all.refined.warning).toContain('aborted')
    expect(of(all.log(), 'failover')).toHaveLength(2)
  })

  test('3. seven iterations and 500 tokens, with the number of the iteration and the correlation id in the log', async () => {
    const { refined, log } = await adapt(scores(75, 75, 85, 75, 75, 85, 75, 75))
    expect(refined).toMatchObject({ status: 'aborted', reason: 'iteration_cap' })
    expect(of(log(), 'score').map(({ iteration }) => iteration)).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(log().every(({ correlation_id }) => correlation_id === refined.correlation_id)).toBe(true)
    const long = await adapt([
      { score: 85, tokens: 499 },
      { score: 85, tokens: 499 },
    ])
    expect(long.refined.status).toBe('aborted')
    expect(long.refined).toMatchObject({ partial_output: 'text 2', escalations: 1 })
  })

  test('4. what fails is logged with every field of the schema, and what there is of the text is returned', async () => {
    const { refined, log } = await adapt(scores(75, 65, 65))
    const [abort] = of(log(), 'abort')
    expect(abort).toMatchObject({
      sub_agent: null,
      queue_job_id: null,
      correlation_id: refined.correlation_id,
      iteration: 3,
    })
    expect(Object.keys(abort!)).toEqual(
      expect.arrayContaining([
        'timestamp',
        'task_id',
        'branch',
        'uuid',
        'model_used',
        'elapsed_ms',
        'score',
        'outcome',
        'pruned_tokens',
      ]),
    )
    expect(refined.partial_output).toBe('text 1')
    expect(refined.warning).toContain('escalations_exhausted')
  })

  test('5. phases as in seed 000, and constants that both share', async () => {
    const { refined, asked } = await adapt(scores(85))
    expect(asked()[0]).toBe(`plan ${llama}`)
    expect(refined.iterations.map(({ phase }) => phase)).toEqual(['Outline', 'Draft', 'Refine'])
    const {
      iterations: _,
      tokens: __,
      escalateTokens: ___,
      preset: ____,
      onFailure: _____,
      ...one
    } = presets['sap-0010']
    expect(presets['sap-0020']).toMatchObject(one)
  })
})

describe('test cases', () => {
  test('unit: 75, 75, 85 is two retries that wait 150 ms and 300 ms', async () => {
    const waits: number[] = []
    const { refined } = await adapt(scores(75, 75, 85), {
      onEvent: (event) => {
        if (event.type === 'decision-made' && event.decision.do === 'retry') waits.push(event.decision.afterMs ?? 0)
      },
    })
    expect(waits).toEqual([150, 300])
    expect(refined.status).toBe('completed')
  })

  test('unit: forced on and on, it ends at 7 with one escalation', async () => {
    const { refined, writers } = await adapt(scores(65, 75, 85, 75, 75, 85, 75, 75, 75))
    expect(writers()).toHaveLength(7)
    expect(refined).toMatchObject({ reason: 'iteration_cap', escalations: 1 })
  })

  test('unit: past 500 tokens the log has the correlation id and the text so far is returned', async () => {
    const { refined, log } = await adapt(
      [
        { score: 75, tokens: 501 },
        { score: 75, tokens: 501 },
      ],
      { correlationId: 'c-1' },
    )
    expect(refined).toMatchObject({ reason: 'token_budget', correlation_id: 'c-1', partial_output: 'text 1' })
    expect(of(log(), 'abort')[0]).toMatchObject({ correlation_id: 'c-1' })
  })

  test('unit: where another model has to judge, its scores are put on the same scale', async () => {
    // Grok gives 15 less than anybody should; what it says of texts of known worth tells by how much.
    const { anchors } = (await import('../../src/judging/scoring/rubrics/general.ts')).general
    const worth = (prompt: string): number => anchors.find(({ text }) => prompt.includes(text))?.score ?? 85
    const { refined, log } = await adapt({
      beats: scores(85),
      instead: ({ model, prompt }, role) => {
        if (role !== 'judge') return undefined
        if (model === llama) return { fault: 'error' }
        return { text: judgement(Math.max(0, worth(prompt) - 15)) }
      },
    })
    expect(refined.status).toBe('completed')
    const [scored] = of(log(), 'score')
    expect(scored?.raw_score).toBe(70)
    expect(Math.abs(scored!.score! - 85)).toBeLessThan(3)
    expect(scored?.calibration_id).toMatch(/^[0-9a-f]{12}$/)
  })

  test('edge: no retry needed', async () => {
    expect((await adapt(scores(95))).refined.iterations).toHaveLength(3)
  })

  test('edge: low scores again and again escalate once and end', async () => {
    expect((await adapt(scores(40))).refined).toMatchObject({ status: 'aborted', escalations: 1 })
  })

  test('edge: an empty task is an error in the log', async () => {
    const { refined, log, asked } = await adapt(scores(85), { task: '  ' })
    expect(refined).toMatchObject({ status: 'aborted', reason: 'empty_task' })
    expect([of(log(), 'error').length, of(log(), 'abort').length]).toEqual([1, 1])
    expect(asked()).toEqual([])
  })

  test('edge: ten loops at once keep to their bounds, and none escalates twice', async () => {
    const all = await Promise.all(
      Array.from({ length: 10 }, (_, loop) => adapt(scores(65, 75, 85, 60 + loop, 85, 85, 85))),
    )
    for (const { refined } of all) {
      expect(refined.iterations.length).toBeLessThanOrEqual(7)
      expect(refined.escalations).toBe(1)
    }
  })

  test('performance: a round takes under 300 ms of ours, all of them under 2 s', async () => {
    const { log } = await adapt(scores(75, 75, 85, 75, 75, 85, 75))
    const rounds = of(log(), 'score')
    expect(rounds).toHaveLength(7)
    for (const { engine_ms } of rounds) expect(engine_ms).toBeLessThan(300)
    expect(rounds.reduce((sum, { engine_ms }) => sum + engine_ms, 0)).toBeLessThan(2000)
  })

  test('privacy: people are told apart in the log, and not named', async () => {
    const { log } = await adapt(scores(85), { taskId: 'ann@example.org' })
    expect(JSON.stringify(log())).not.toContain('ann@example.org')
    expect((await iteratePrompt('Refine PRD', { env: (await stage({ beats: scores(85) })).env })).status).toBe(
      'completed',
    )
  })
})

describe('integration, as the page words it, at the terminal', () => {
  const open = async (play: Play) => {
    const opened = await refineWorkspace(play)
    return { ...opened, adapt: () => opened.refine('Generate PRD', '--adaptive') }
  }

  test('step 1: an iteration, its score, a retry', async () => {
    const { err } = await (await open({ beats: scores(75, 85) })).adapt()
    expect(err).toContain('Iteration 1 complete - Score: 75% - Retrying (1/2)')
  })

  test('step 2: an escalation, and what follows when it fails', async () => {
    const { err } = await (await open({ beats: scores(85, 75, 65, 85) })).adapt()
    expect(err).toContain('Escalated to Grok 4.1 for iteration 4 (1/1 escalation used)')
    const down = await open({
      beats: scores(65, 85),
      instead: ({ model }) => (model === grok ? { fault: 'overloaded' } : undefined),
    })
    expect((await down.adapt()).err).toContain('Falling back to Claude Sonnet 4.5 then Ollama retry')
  })

  test('step 3: the most iterations', async () => {
    const { code, err } = await (await open({ beats: scores(75, 75, 85, 75, 75, 85, 75, 75) })).adapt()
    expect(code).toBe(30)
    expect(err).toContain('Aborted at max 7 iterations (SapAgent::Config)')
  })

  test('step 4: the budget', async () => {
    const { code, err } = await (await open({ beats: [{ score: 75, tokens: 501 }] })).adapt()
    expect(code).toBe(30)
    expect(err).toContain('Budget exceeded: Logged error with correlation_id, partial output returned')
  })

  test('step 5: an error', async () => {
    const { err } = await (await open({ beats: scores(65, 65) })).adapt()
    expect(err).toContain('Error handled: Aborted with partial output logged (schema fields present)')
  })
})
