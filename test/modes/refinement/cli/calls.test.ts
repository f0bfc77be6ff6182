import { expect, test } from 'vitest'
import type { LoopEvent } from '../../../../src/contract/event.ts'
import { adaptiveIterate, iteratePrompt, resumeIteration } from '../../../../src/index.ts'
import type { Control, RefineOptions } from '../../../../src/modes/refinement/library/types.ts'
import type { Model, ModelReply, ModelRequest } from '../../../../src/ports/model.ts'
import { fakeClock } from '../../../../src/testing/memory.ts'
import { judgement, planOf } from './stage.ts'

type Role = 'plan' | 'write' | 'judge' | 'plain'
type Call = { readonly role: Role; readonly model: string } & ModelRequest

const roleOf = ({ system = '' }: ModelRequest): Role =>
  system.startsWith('You plan')
    ? 'plan'
    : system.startsWith('You judge')
      ? 'judge'
      : system.includes('markers')
        ? 'write'
        : 'plain'

/** Models in this process: all of them are asked of one function. */
function models(
  answer: (call: Call, number: number) => Partial<ModelReply> | Promise<Partial<ModelReply>> | undefined,
) {
  const calls: Call[] = []
  const usual = (call: Call): Partial<ModelReply> =>
    call.role === 'plan'
      ? { text: planOf(['A', 'B', 'C']) }
      : call.role === 'judge'
        ? { text: judgement(90) }
        : { text: `text ${count('write')}` }
  const count = (role: Role): number => calls.filter((call) => call.role === role).length
  const model = (name: string): Model => ({
    name,
    async call(request) {
      const call = { ...request, role: roleOf(request), model: name }
      calls.push(call)
      const given = (await answer(call, count(call.role))) ?? usual(call)
      return { status: 'ok', text: '', usage: { tokens: 10, costUsd: 0.01 }, providerMs: 0, sentBytes: 1, ...given }
    },
  })
  return { calls, count, models: { ollama: model('ollama'), grok: model('grok'), claude: model('claude') } }
}

async function refine(answer: Parameters<typeof models>[0], options: RefineOptions = {}) {
  const made = models(answer)
  const events: LoopEvent[] = []
  const refined = await adaptiveIterate('Write it', {
    ladder: ['ollama', 'grok', 'claude'],
    env: {},
    clock: fakeClock(),
    onEvent: (event) => void events.push(event),
    ...options,
    models: made.models,
  })
  return { ...made, refined, events }
}

test('what is left goes down to the provider as its limit, and shrinks', async () => {
  const { calls } = await refine(() => undefined)
  const limits = calls.filter(({ role }) => role === 'write').map(({ maxOutputTokens }) => maxOutputTokens!)
  expect(limits.every((limit) => limit < 500)).toBe(true)
  expect(limits[0]!).toBeGreaterThan(limits[1]!)
  expect(calls.filter(({ role }) => role === 'judge')[0]!.maxOutputTokens!).toBeGreaterThan(1000)
})

test('a text that the model cannot hold is not sent', async () => {
  const small = {
    id: 'small',
    label: 'small',
    provider: 'ollama',
    model: 's',
    local: true,
    contextTokens: 300,
    price: null,
  } as const
  const { calls, models: own } = models(() => undefined)
  const options = {
    ladder: [small],
    models: { small: own.ollama },
    env: {},
    preset: 'standard',
    text: 'word '.repeat(2000),
  } as const
  const refined = await adaptiveIterate('Write it', options)
  expect([refined.status, refined.reason, calls.length]).toEqual(['aborted', 'token_budget', 0])
})

test('money that is not there is not spent', async () => {
  const dear = {
    id: 'ollama',
    label: 'dear',
    provider: 'xai',
    model: 'd',
    local: false,
    contextTokens: 9999,
    price: { input: 1e6, output: 1e6 },
  } as const
  const { calls, models: own } = models(() => undefined)
  const refined = await adaptiveIterate('Write it', {
    ladder: [dear],
    models: own,
    env: { XAI_API_KEY: 'x' },
    maxCostUsd: 2,
  })
  expect([refined.status, calls.length]).toEqual(['aborted', 0])
})

test('a judge that refuses is asked once more, then the next one is', async () => {
  const { refined, calls } = await refine(({ role, model, prompt }) => {
    if (role !== 'judge') return undefined
    if (model === 'ollama') return { status: 'failed', fault: 'refused', text: '' }
    return prompt.includes('Write it') ? undefined : { text: 'no idea' }
  })
  expect(refined.status).toBe('completed')
  expect(calls.filter(({ role, model }) => role === 'judge' && model === 'ollama')).toHaveLength(2)
})

test('a judge that says 90 of everything passes nothing, once it is measured', async () => {
  const { refined } = await refine(() => undefined, { config: { calibrates: 'always' } })
  expect(refined).toMatchObject({
    status: 'aborted',
    reason: 'judge_unavailable',
    iterations: [],
    partial_output: 'text 1',
  })
})

test('a judge that cannot be measured is not measured for every text', async () => {
  const { refined, calls } = await refine(({ role, model, prompt }) => {
    if (role !== 'judge') return undefined
    if (model === 'ollama') return { status: 'unavailable', fault: 'provider' }
    return { text: prompt.includes('Write it') ? judgement(90) : 'no idea' }
  })
  expect(refined.status).toBe('completed')
  // Twelve texts of known worth once, then one judgement for each of the three phases.
  expect(calls.filter(({ role, model }) => role === 'judge' && model === 'grok')).toHaveLength(12 + 3)
})

test('a call that was cut off counts, and is made again', async () => {
  const { refined, events } = await refine(({ role }, number) =>
    role === 'write' && number === 1
      ? { status: 'unavailable', fault: 'provider', text: 'half', usage: { tokens: 7, costUsd: null } }
      : undefined,
  )
  expect(refined).toMatchObject({ status: 'completed', tokens: 37 })
  expect(events.flatMap((event) => (event.type === 'call-ended' ? [event.call.key] : []))).toContain('generate-lost-1')
})

test('stopped in the middle of a call, the call is made again and not taken for an answer', async () => {
  let control: Control | undefined
  const stop = new AbortController()
  const { refined, count } = await refine(
    ({ role }, number) => {
      if (role !== 'write' || number !== 1) return undefined
      void control?.pause()
      stop.abort('SIGINT')
      return { status: 'failed', fault: 'stopped', text: '' }
    },
    { signal: stop.signal, onStart: (given) => (control = given) },
  )
  expect(refined).toMatchObject({ status: 'aborted', reason: 'interrupted', iterations: [] })
  expect(count('judge')).toBe(0)
})

test('the writer that judges itself is said to; another one is not', async () => {
  const self = await refine(() => undefined)
  const judged = (events: readonly LoopEvent[]) =>
    events.flatMap((event) =>
      event.type === 'verdict-reached' && !event.chore
        ? [(event.verdict.data as { selfJudged: boolean }).selfJudged]
        : [],
    )
  expect(judged(self.events)).toEqual([true, true, true])
  expect(judged((await refine(() => undefined, { judge: 'grok' })).events)).toEqual([false, false, false])
})

test('a text that passes is taken, though one before it scored more and could not pass', async () => {
  const { refined } = await refine(({ role }, number) => {
    if (role !== 'judge') return undefined
    // Better on the whole, but with a dimension below its floor.
    return number === 1
      ? { text: judgement(0, { scores: { relevance: 100, accuracy: 59, completeness: 100 } }) }
      : { text: judgement(81) }
  })
  expect(refined.iterations[0]!.score).toBeGreaterThan(81)
  expect(refined.iterations[1]).toMatchObject({ phase: 'A', score: 81 })
  expect(refined.status).toBe('completed')
})

test('each call that leaves this machine is in the journal, with its rung and its bytes', async () => {
  const { events } = await refine(({ role }, number) =>
    role === 'judge' && number === 1 ? { text: judgement(60) } : undefined,
  )
  const sent = events.flatMap((event) => (event.type === 'call-ended' ? [event.call] : []))
  expect(
    sent
      .filter(({ data }) => (data as { remote: boolean }).remote)
      .map(({ via, data }) => [via, (data as { bytes: number }).bytes]),
  ).toEqual([
    ['grok', 1],
    ['grok', 1],
    ['grok', 1],
  ])
})

test('a token is good for once, and for its own run', async () => {
  let control: Control | undefined
  const made = models(({ role }) => {
    if (role === 'plan') void control?.pause()
    return undefined
  })
  const paused = await iteratePrompt('Write it', {
    models: made.models,
    env: {},
    onStart: (given) => (control = given),
  })
  expect(paused.status).toBe('paused')
  expect((await resumeIteration(paused.payload!)).status).toBe('completed')
  await expect(resumeIteration(paused.payload!)).rejects.toThrow(/token/)
})
