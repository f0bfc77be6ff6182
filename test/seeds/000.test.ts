import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type Control, iteratePrompt, type RefineOptions, resumeIteration } from '../../dist/index.js'
import { sapLines } from '../modes/refinement/cli/sap-lines.ts'
import { type Beat, type Play, stage } from '../modes/refinement/cli/stage.ts'
import { refineWorkspace } from '../modes/refinement/cli/workspace.ts'
import { newFolder } from '../support/folder.ts'
import { until } from '../surfaces/cli/pawl.ts'

/** Seed 000, line by line: `iteratePrompt` of the built library and `pawl refine` of the built program, over HTTP. */

/** People are hidden with this key, not with that of the person who runs the tests. */
const PAWL_KEY = randomBytes(32).toString('base64')
const ladder = ['ollama', 'grok', 'claude']

async function iterate(play: Play | readonly Beat[], options: RefineOptions & { toggle?: string } = {}) {
  const { toggle, ...rest } = options
  const staged = await stage(Array.isArray(play) ? { beats: play } : (play as Play))
  const workspace = newFolder()
  const env = { PAWL_KEY, ...staged.env, ...(toggle && { ESCALATE_LLM: toggle }), ...rest.env }
  const refined = await iteratePrompt('Refine PRD', { ladder, workspace, ...rest, env })
  return {
    ...staged,
    refined,
    log: () => sapLines(workspace),
    writers: () => staged.calls('write').map(({ model }) => model),
  }
}

const scores = (...given: number[]): Beat[] => given.map((score) => ({ score }))
const grok = 'grok-4-1-fast-reasoning'
const claude = 'claude-sonnet-4-5-20250929'
const llama = 'llama3.1:70b'

describe('acceptance criteria', () => {
  test('1. a task is decomposed into 3 phases by a model call, and iterations run through them', async () => {
    const { refined, asked } = await iterate(scores(85, 86, 87))
    expect(refined).toMatchObject({ status: 'completed', score: 87, output: 'text 3' })
    expect(refined.iterations.map(({ phase }) => phase)).toEqual(['Outline', 'Draft', 'Refine'])
    expect(asked()[0]).toBe(`plan ${llama}`)
  })

  test('1. phases of the model own choosing, 3 to 5; where it cannot plan, outline, draft and refine', async () => {
    const five = ['Ask', 'Sketch', 'Write', 'Check', 'Polish']
    const { refined } = await iterate({ phases: five, beats: scores(90) })
    expect(refined.iterations.map(({ phase }) => phase)).toEqual(five)
    for (const phases of [['Only', 'Two'], { text: 'I would rather not.' }, { fault: 'wrong-schema' as const }]) {
      const other = await iterate({ phases, beats: scores(90) })
      expect(other.refined.iterations.map(({ phase }) => phase)).toEqual(['Outline', 'Draft', 'Refine'])
    }
  })

  test('2. a score of 80 stops its phase; less is tried again at most twice, after a fixed time', async () => {
    const { refined, log } = await iterate(scores(75, 79.9, 80, 85, 85))
    expect(refined).toMatchObject({ status: 'completed', escalations: 0 })
    expect(refined.iterations.map(({ phase, score }) => [phase, score])).toEqual([
      ['Outline', 75],
      ['Outline', 79.9],
      ['Outline', 80],
      ['Draft', 85],
      ['Refine', 85],
    ])
    const waits = log().filter(({ event }) => event === 'retry')
    expect(waits).toHaveLength(2)
    const spent = await iterate(scores(75, 75, 75, 99))
    expect(spent.refined).toMatchObject({ status: 'aborted', reason: 'retries_exhausted' })
    expect(spent.refined.iterations).toHaveLength(3)
  })

  test('3. below 70, or past 500 tokens, Grok 4.1 takes over', async () => {
    const low = await iterate(scores(69.9, 85))
    expect(low.writers()).toEqual([llama, grok, grok, grok])
    const long = await iterate([{ score: 75, tokens: 501 }, { score: 85 }])
    expect(long.writers()).toEqual([llama, grok, grok, grok])
    expect(long.refined).toMatchObject({ status: 'completed', escalations: 1, model_used: 'Grok 4.1' })
  })

  test('3. Claude Sonnet 4.5 does, by the toggle of the environment or where Grok is not there', async () => {
    expect((await iterate(scores(60, 85), { toggle: 'claude' })).writers()).toEqual([llama, claude, claude, claude])
    expect((await iterate(scores(60, 85), { env: { XAI_API_KEY: '' } })).writers()[1]).toBe(claude)
    const down = await iterate({
      beats: scores(60, 85),
      instead: ({ model }) => (model === grok ? { fault: 'overloaded' } : undefined),
    })
    expect(down.writers()).toEqual([llama, grok, grok, grok, claude, claude, claude])
    expect(down.refined).toMatchObject({ status: 'completed', escalations: 1, model_used: 'Claude Sonnet 4.5' })
    await expect(iterate(scores(85), { toggle: 'gpt' })).rejects.toThrow(/ESCALATE_LLM/)
  })

  test('4. five iterations and 1,000 tokens are all there are; what was reached is logged and returned', async () => {
    const many = await iterate(scores(75, 75, 85, 75, 75, 85))
    expect(many.refined).toMatchObject({ status: 'aborted', reason: 'iteration_cap' })
    expect(many.refined.iterations).toHaveLength(5)
    const long = await iterate([
      { score: 85, tokens: 499 },
      { score: 75, tokens: 499 },
    ])
    expect(long.refined).toMatchObject({ status: 'aborted', reason: 'token_budget' })
    expect(long.refined.tokens).toBeLessThanOrEqual(1000)
    expect(long.log().map(({ event }) => event)).toContain('abort')
  })

  test('4. a provider that takes more than it was allowed ends the run, even if its text is good', async () => {
    const { refined, log } = await iterate([{ score: 90 }, { score: 90 }, { score: 90, tokens: 1_160 }])
    expect(refined).toMatchObject({ status: 'aborted', state: 'Aborted', reason: 'token_budget', tokens: 1_200 })
    expect(refined).toMatchObject({ output: null, partial_output: 'text 3' })
    expect(log().at(-1)).toMatchObject({ event: 'abort', outcome: 'token_budget' })
  })

  test('5. a pause is honoured, its token goes on from the payload of a queue, with what a person said (ui-S04, ui-S05)', async () => {
    const staged = await stage({ beats: scores(75, 85, 85, 85) })
    let control: Control | undefined
    const paused = await iteratePrompt('Refine PRD', {
      ladder,
      env: staged.env,
      onStart: (given) => (control = given),
      onEvent: (event) =>
        void (event.type === 'verdict-reached' && event.attempt === 1 && !event.chore && control?.pause()),
    })
    expect(paused).toMatchObject({ status: 'paused', state: 'Paused', reason: null })
    expect(Object.keys(paused.payload!)).toEqual(['state', 'resume_token', 'run_id'])
    const queued = JSON.parse(JSON.stringify(paused.payload)) as NonNullable<typeof paused.payload>
    const before = staged.calls('write').length
    const resumed = await resumeIteration(queued, 'Add more details')
    expect(resumed).toMatchObject({ status: 'completed', correlation_id: paused.correlation_id })
    expect(staged.calls('write')[before]!.prompt).toContain('Human feedback: Add more details')
    await expect(resumeIteration(queued)).rejects.toThrow(/token/)
    await expect(resumeIteration({ state: 'paused', resume_token: 'made up' })).rejects.toThrow(/token/)
  })

  test('6. every phase, score, escalation and human input is a line of the canonical schema', async () => {
    const { log, refined } = await iterate(scores(75, 60, 85, 85, 85), {
      branch: 'feature/0020',
      taskId: 'AGENT-02C-0020',
    })
    const lines = log()
    for (const line of lines) {
      expect(Object.keys(line)).toEqual(
        expect.arrayContaining([
          'timestamp',
          'task_id',
          'branch',
          'uuid',
          'correlation_id',
          'model_used',
          'elapsed_ms',
          'score',
        ]),
      )
      expect(line).toMatchObject({
        task_id: 'AGENT-02C-0020',
        branch: 'feature/0020',
        correlation_id: refined.correlation_id,
      })
      expect(Number.isInteger(line.elapsed_ms)).toBe(true)
      expect(new Date(line.timestamp).toISOString()).toBe(line.timestamp)
    }
    expect(new Set(lines.map(({ uuid }) => uuid)).size).toBe(lines.length)
    const scored = lines.filter(({ event }) => event === 'score')
    expect(scored.map(({ score, iteration }) => [iteration, score])).toEqual([
      [1, 75],
      [2, 60],
      [3, 85],
      [4, 85],
      [5, 85],
    ])
    expect(lines.find(({ event }) => event === 'escalation')?.model_used).toBe('Grok 4.1')
    expect(lines.map(({ event }) => event)).toEqual(expect.arrayContaining(['start', 'completion']))
    expect(lines.map(({ event, model_used }) => [event, model_used])[0]).toEqual(['start', 'Llama 3.1 70B'])
  })

  test('6. what fails falls back to one plain answer, without a crash', async () => {
    const low = await iterate({ beats: scores(60, 60), plain: { text: 'plainly', usage: { input: 1, output: 9 } } })
    expect(low.refined).toMatchObject({
      status: 'aborted',
      fallback: 'single-shot',
      output: 'plainly',
      partial_output: 'text 1',
    })
    expect(low.log().map(({ event }) => event)).toEqual(expect.arrayContaining(['single-shot', 'abort']))
    const nobody = await iterate({ beats: [], instead: () => ({ fault: 'error' }) })
    expect(nobody.refined).toMatchObject({ status: 'aborted', output: null, partial_output: null })
  })

  test('7. each phase sees what the phases before it came to', async () => {
    const { calls } = await iterate([
      { text: 'the outline', score: 85 },
      { text: 'the draft', score: 85 },
      { score: 85 },
    ])
    const [, second, third] = calls('write')
    expect(second!.prompt).toContain('the outline')
    expect(third!.prompt).toContain('the outline')
    expect(third!.prompt).toContain('the draft')
  })
})

describe('test cases', () => {
  test('unit: 75 is tried again, 85 stops, and the last answer rests on all before it', async () => {
    const { refined, calls } = await iterate([
      { text: 'first', score: 75 },
      { text: 'second', score: 85 },
      { score: 85 },
    ])
    expect(refined.iterations.slice(0, 2).map(({ score, phase }) => [phase, score])).toEqual([
      ['Outline', 75],
      ['Outline', 85],
    ])
    expect(calls('write')[1]!.prompt).toContain('first')
    expect(refined.output).toBe('text 4')
  })

  test('edge: low scores throughout escalate once and stop', async () => {
    const { refined, writers } = await iterate(scores(50))
    expect(refined).toMatchObject({ status: 'aborted', reason: 'escalations_exhausted', escalations: 1 })
    expect(writers()).toEqual([llama, grok])
  })

  test('edge: nobody says anything, and it completes by itself', async () => {
    expect((await iterate(scores(90))).refined).toMatchObject({ status: 'completed', payload: null })
  })

  test('edge: five loops at once keep to their bounds', async () => {
    const all = await Promise.all(
      Array.from({ length: 5 }, (_, loop) => iterate(scores(75, 70 + loop, 85, 75, 75, 85))),
    )
    for (const { refined } of all) {
      expect(refined.iterations.length).toBeLessThanOrEqual(5)
      expect(refined.tokens).toBeLessThanOrEqual(1000)
      expect(refined.reason).toBe('iteration_cap')
    }
    expect(new Set(all.map(({ refined }) => refined.run_id)).size).toBe(5)
  })

  test('performance: a round takes under 200 ms of ours, five of them under 1 s', async () => {
    const { log } = await iterate(scores(75, 85, 75, 85, 85))
    const rounds = log().filter(({ event }) => event === 'score')
    expect(rounds).toHaveLength(5)
    for (const { engine_ms } of rounds) expect(engine_ms).toBeLessThan(200)
    expect(rounds.reduce((sum, { engine_ms }) => sum + engine_ms, 0)).toBeLessThan(1000)
  })
})

describe('integration, as the page words it, at the terminal', () => {
  const open = async (play: Play, env: Record<string, string> = {}) => {
    const opened = await refineWorkspace(play, env)
    return { ...opened, refine: () => opened.refine('Refine PRD', '--preset', 'sap-0020') }
  }

  test('steps 1, 2 and 6: phases, scores and retries are shown, and phase 2 rests on phase 1', async () => {
    const { refine, staged } = await open({
      beats: [{ text: 'an outline', score: 75 }, { text: 'a better one', score: 85 }, { score: 85 }],
    })
    const { code, err } = await refine()
    expect(code).toBe(0)
    expect(err).toContain('Phase 1: Outline complete - Score: 75%')
    expect(err).toContain('Retrying iteration 1')
    expect(staged.calls('write')[2]!.prompt).toContain('a better one')
  })

  test('step 3: an escalation is shown with its phase', async () => {
    const phases = ['Ask', 'Sketch', 'Write', 'Check']
    const { refine } = await open({ phases, beats: scores(85, 85, 85, 60, 85) })
    const { err } = await refine()
    expect(err).toContain('Escalated to Grok 4.1 for phase 4')
    const other = await open({ phases, beats: scores(85, 85, 85, 60, 85) }, { ESCALATE_LLM: 'claude' })
    expect((await other.refine()).err).toContain('Escalated to Claude Sonnet 4.5 for phase 4')
  })

  test('step 4: paused, told something, resumed', async () => {
    const pausedBy = Promise.withResolvers<undefined>()
    let writes = 0
    const { refine, run, journal, names, staged } = await open({
      beats: scores(75, 85, 85, 85),
      // The second text is held back until somebody has asked for a pause.
      instead: (_, role) => (role === 'write' && ++writes === 2 ? pausedBy.promise : undefined),
    })
    const going = refine()
    await until(() => staged.calls('write').length === 2, 'a second text')
    expect((await run('pause')).code).toBe(0)
    pausedBy.resolve(undefined)
    expect((await going).code).toBe(10)
    expect(names()).toContain('decide/pause')
    expect((await run('answer', '--text', 'Add more details')).code).toBe(0)
    const resumed = await run('resume')
    expect(resumed.code).toBe(0)
    expect(resumed.err).toMatch(/Iteration \d: Refined with human input/)
    expect(staged.calls('write').at(-1)!.prompt).toContain('Human feedback: Add more details')
    expect(JSON.stringify(journal())).not.toContain('Add more details')
  })

  test('step 5: what is over its budget falls back to one plain answer', async () => {
    const { refine } = await open({ beats: scores(60, 60) })
    const { code, err } = await refine()
    expect(code).toBe(30)
    expect(err).toContain('Fallback to single-shot logged, process aborted')
  })
})
