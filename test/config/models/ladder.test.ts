import { expect, test } from 'vitest'
import { type LadderOptions, planLadder } from '../../../src/config/models/ladder.ts'
import { RungSetting } from '../../../src/contract/models.ts'
import { openModels } from '../../../src/machine/open-machine.ts'

const keys = { XAI_API_KEY: 'x', ANTHROPIC_API_KEY: 'a' }
const wish = ({ env = keys, ...more }: Partial<LadderOptions> = {}): LadderOptions => ({
  settings: ['ollama', 'grok', 'claude'],
  catalog: {
    ...openModels({ env, cwd: '/' }, { estimateTokens: () => 0 }),
    agents: ['claude', 'codex', 'opencode'],
    folder: '/here',
  },
  toggle: 'starts',
  env,
  localOnly: false,
  ...more,
})
const refusal = (more: Partial<LadderOptions>): string => {
  try {
    planLadder(wish(more))
    return 'nothing'
  } catch (error) {
    return `${(error as { exit: number }).exit} ${(error as Error).message}`
  }
}

test('by default it uses the local model and reports that there is no stronger one', () => {
  expect(planLadder(wish({ settings: ['ollama'] }))).toMatchObject({
    start: 'ollama',
    escalateTo: [],
    failover: ['ollama'],
    judges: ['ollama'],
    notices: ['no stronger model available: escalation is off'],
  })
})

test('it escalates upwards from the start, fails over to Grok, Claude and the local model, and judges locally', () => {
  const { start, escalateTo, failover, judges, notices } = planLadder(wish())
  expect({ start, escalateTo, failover, judges, notices }).toEqual({
    start: 'ollama',
    escalateTo: ['grok', 'claude'],
    failover: ['grok', 'claude', 'ollama'],
    judges: ['ollama', 'grok', 'claude'],
    notices: [],
  })
  expect(planLadder(wish({ model: 'grok' }))).toMatchObject({ start: 'grok', escalateTo: ['claude'] })
})

test('a remote model needs its key', () => {
  const { ladder, notices } = planLadder(wish({ env: { ANTHROPIC_API_KEY: 'a' } }))
  expect(ladder.map(({ id }) => id)).toEqual(['ollama', 'claude'])
  expect(notices).toEqual(['Grok 4.1 is not available: XAI_API_KEY is not set'])
})

test('a key alone does not add a remote model', () => {
  expect(planLadder(wish({ settings: ['ollama'] })).ladder.map(({ id }) => id)).toEqual(['ollama'])
  expect(planLadder(wish({ settings: ['ollama'], model: 'claude' })).ladder.map(({ id }) => id)).toEqual([
    'ollama',
    'claude',
  ])
})

test('ESCALATE_LLM is the target in seed 000 and the start in seed 001, and is one of three', () => {
  const env = { ...keys, ESCALATE_LLM: 'claude' }
  expect(planLadder(wish({ env, toggle: 'escalates' }))).toMatchObject({
    start: 'ollama',
    escalateTo: ['claude', 'grok'],
  })
  expect(planLadder(wish({ env, toggle: 'starts' }))).toMatchObject({ start: 'claude', escalateTo: [] })
  expect(planLadder(wish({ env, settings: ['ollama'], toggle: 'escalates' }))).toMatchObject({ escalateTo: ['claude'] })
  expect(refusal({ env: { ...keys, ESCALATE_LLM: 'gpt' } })).toMatch(/^30 ESCALATE_LLM/)
})

test('--local-only removes all remote models', () => {
  const { ladder, escalateTo, failover, judges } = planLadder(wish({ localOnly: true, judge: undefined }))
  expect([ladder.map(({ id }) => id), escalateTo, failover, judges]).toEqual([['ollama'], [], ['ollama'], ['ollama']])
  expect(refusal({ localOnly: true, model: 'grok' })).toMatch(/^2 --local-only/)
  expect(refusal({ localOnly: true, env: { ...keys, OLLAMA_HOST: 'gpu.example.org:11434' } })).toMatch(
    /^2 --local-only/,
  )
})

test('the address decides whether a model is local', () => {
  const local = (env: NodeJS.ProcessEnv): boolean | undefined =>
    planLadder(wish({ env, settings: ['ollama'] })).ladder[0]?.local
  expect([local({}), local({ OLLAMA_HOST: '127.0.0.1:1' }), local({ OLLAMA_HOST: 'http://10.0.0.7:11434' })]).toEqual([
    true,
    true,
    false,
  ])
  expect(planLadder(wish({ env: { ...keys, XAI_BASE_URL: 'http://127.0.0.1:1/v1' } })).ladder[1]?.local).toBe(false)
})

test('custom rungs: other models, servers, installed agents', () => {
  const ours = {
    id: 'ours',
    provider: 'openai-compatible',
    model: 'm',
    base_url: 'http://127.0.0.1:8000/v1',
    context: 999,
  } as const
  const { ladder } = planLadder(wish({ settings: [{ id: 'ollama', model: 'qwen3:32b' }, ours, 'agent:claude'] }))
  expect(ladder).toMatchObject([
    { id: 'ollama', model: 'qwen3:32b', label: 'qwen3:32b', provider: 'ollama' },
    { id: 'ours', contextTokens: 999, baseUrl: 'http://127.0.0.1:8000/v1', local: true },
    { id: 'agent:claude', provider: 'agent', argv: ['claude'], local: false },
  ])
  expect(planLadder(wish({ model: 'ollama:llama3.2:3b' }))).toMatchObject({
    start: 'ollama:llama3.2:3b',
    escalateTo: ['ollama', 'grok', 'claude'],
  })
  expect(refusal({ settings: [{ id: 'x' }] })).toMatch(/^30 ladder: x needs provider and model/)
  expect(refusal({ model: 'clade' })).toMatch(/^30 unknown model: clade/)
  expect(refusal({ model: 'agent:nobody' })).toMatch(/^30 unknown agent: nobody/)
})

test('a ladder entry says whether its server gets JSON schemas, and without a word the adapter decides', () => {
  const ours = { id: 'ours', provider: 'openai-compatible', model: 'm', base_url: 'http://127.0.0.1:8000/v1' } as const
  const settings = [{ ...ours, json_schema: true }, ours, { id: 'claude', json_schema: false }]
  const { ladder } = planLadder(wish({ settings }))
  expect(ladder.map(({ id, jsonSchema }) => [id, jsonSchema])).toEqual([
    ['ours', true],
    ['ours', undefined],
    ['claude', false],
  ])
  expect(ladder[2]).toMatchObject({ provider: 'anthropic', label: 'Claude Sonnet 4.5' })
  for (const rung of ladder) expect(rung).not.toHaveProperty('json_schema')
  expect(RungSetting.safeParse({ id: 'claude', json_schema: 'no' }).error?.message).toContain('json_schema')
})

test('a script is a local model: it needs no key, and its path is made absolute', () => {
  const scripted = { provider: 'scripted', local: true, price: null } as const
  const { ladder, start, judges, notices } = planLadder(
    wish({ settings: ['ollama'], unchosen: true, model: 'scripted:writer.yml', judge: 'scripted:/there/judge.yml' }),
  )
  expect(ladder).toEqual([
    expect.objectContaining({ ...scripted, id: 'scripted:/there/judge.yml', baseUrl: '/there/judge.yml' }),
    expect.objectContaining({ ...scripted, id: 'scripted:writer.yml', baseUrl: '/here/writer.yml' }),
  ])
  expect([start, judges[0], notices]).toEqual([
    'scripted:writer.yml',
    'scripted:/there/judge.yml',
    ['no stronger model available: escalation is off'],
  ])
  const alone = { settings: ['scripted:a.yml'], env: {}, localOnly: true } as const
  expect(planLadder(wish(alone)).ladder.map(({ id }) => id)).toEqual(['scripted:a.yml'])
})

test('a provided model needs no key', () => {
  const { ladder, start } = planLadder(wish({ env: {}, model: 'grok', provided: ['grok', 'claude'] }))
  expect([start, ladder.map(({ id }) => id)]).toEqual(['grok', ['ollama', 'grok', 'claude']])
})
