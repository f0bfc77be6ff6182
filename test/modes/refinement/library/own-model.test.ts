import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  adaptiveIterate,
  iteratePrompt,
  type Model,
  type ModelReply,
  type ModelRequest,
  type RefineOptions,
} from '../../../../dist/index.js'
import { newFolder } from '../../../support/folder.ts'
import { of, sapLines } from '../cli/sap-lines.ts'
import { judgement, planOf } from '../cli/stage.ts'

/** A model that somebody wrote for the library, with all the mistakes that one can make. */

const reply = (text: string): ModelReply => ({
  status: 'ok',
  text,
  usage: { tokens: 10, costUsd: 0 },
  providerMs: 0,
  sentBytes: 1,
})

type Write = (request: ModelRequest, signal: AbortSignal) => unknown

/** Plans and judges as it should; writes as told. */
const modelThat = (write: Write, judge: Write = () => reply(judgement(90))): Record<string, Model> => ({
  ollama: {
    name: 'mine',
    call: (async (request: ModelRequest, signal: AbortSignal) => {
      const { system = '' } = request
      if (system.startsWith('You plan')) return reply(planOf(['A', 'B', 'C']))
      return system.startsWith('You judge') ? judge(request, signal) : write(request, signal)
    }) as Model['call'],
  },
})

const forever = (): Promise<never> => new Promise(() => {})
/** People are hidden with this key, not with that of the person who runs the tests. */
const env = { ...process.env, PAWL_KEY: randomBytes(32).toString('base64'), OURS_API_KEY: 'sk-very-secret-0123456789' }

/** Retries without waiting. */
const adapt = (models: Record<string, Model>, { config, ...options }: RefineOptions = {}) =>
  adaptiveIterate('Write it', { models, env, ...options, config: { backOffMs: [], ...config } })

const stepLimits = { decomposeMs: 60_000, generateMs: 60_000, judgeMs: 60_000, pruneMs: 200 }

test('a model that ignores its signal does not hold up an abort', async () => {
  const stop = new AbortController()
  const models = modelThat(() => {
    setTimeout(() => stop.abort('enough'), 10)
    return forever()
  })
  const refined = await iteratePrompt('Write it', { models, signal: stop.signal })
  expect(refined).toMatchObject({ status: 'aborted', reason: 'interrupted', output: null })
  expect(refined.problem).toMatch(/did not end/)
})

test('a model that ignores its signal does not hold up a cancel', async () => {
  let cancel: () => Promise<void> = async () => {}
  const models = modelThat(() => {
    void cancel()
    return forever()
  })
  const refined = await iteratePrompt('Write it', { models, onStart: (control) => (cancel = control.cancel) })
  expect(refined).toMatchObject({ status: 'aborted', reason: 'cancelled' })
})

test.each([
  ['the limit of a step', { config: { stepLimits: { ...stepLimits, generateMs: 20 } } }, 'provider_unavailable'],
  ['the time of the run', { maxMs: 400 }, 'time_budget'],
])('a model that never answers ends with %s', async (_, options, reason) => {
  const refined = await adapt(modelThat(forever), options)
  expect(refined).toMatchObject({ status: 'aborted', reason })
  expect(refined.problem).not.toBe(null)
})

test('a judge that never answers ends with the limit of its step', async () => {
  const config = { stepLimits: { ...stepLimits, judgeMs: 20 } }
  const models = modelThat(() => reply('a text'), forever)
  const refined = await adapt(models, { config })
  expect(refined).toMatchObject({ status: 'aborted', reason: 'judge_unavailable', partial_output: 'a text' })
  expect(refined.problem).toContain('took longer than 0.02 s')
})

test('what a model returns after its time is ignored', async () => {
  let release = (): void => {}
  let calls = 0
  const models = modelThat(async () => {
    calls += 1
    if (calls > 1) return reply(`text ${calls}`)
    return new Promise((resolve) => (release = () => resolve(reply('too late'))))
  })
  const config = { stepLimits: { ...stepLimits, generateMs: 20 } }
  const onEvent = ({ type }: { type: string }): void => void (type === 'attempt-started' && release())
  const refined = await adapt(models, { config, onEvent })
  expect(refined.status).toBe('completed')
  expect(JSON.stringify(refined)).not.toContain('too late')
})

test.each([
  [
    'throws',
    () => {
      throw new Error('kaboom 42')
    },
  ],
  ['rejects', () => Promise.reject(new Error('kaboom 42'))],
  ['rejects with a cause', () => Promise.reject(new TypeError('fetch failed', { cause: new Error('kaboom 42') }))],
  ['rejects with a word', () => Promise.reject('kaboom 42')],
])('a model that %s: its message is in the result and the log, and the reason is true', async (_, write) => {
  const workspace = newFolder()
  const refined = await adapt(modelThat(write), { workspace })
  expect(refined).toMatchObject({ status: 'aborted', reason: 'provider_unavailable' })
  expect(refined.problem).toContain('kaboom 42')
  expect(refined.warning).toContain('kaboom 42')
  const lines = sapLines(workspace)
  expect(of(lines, 'error').at(-1)).toMatchObject({ outcome: 'provider', detail: expect.stringContaining('kaboom 42') })
  expect(of(lines, 'abort').at(-1)).toMatchObject({ detail: expect.stringContaining('kaboom 42') })
})

test('a judge that throws: the same', async () => {
  const models = modelThat(
    () => reply('a text'),
    () => Promise.reject(new Error('kaboom 42')),
  )
  const refined = await adapt(models)
  expect(refined).toMatchObject({ reason: 'judge_unavailable', partial_output: 'a text' })
  expect(refined.problem).toContain('kaboom 42')
})

test('the message says nothing of keys, people and texts', async () => {
  const workspace = newFolder()
  const models = modelThat(() => {
    throw new Error('kaboom at sk-very-secret-0123456789 for ann@example.org, about the hidden moons of Jupiter')
  })
  const config = { backOffMs: [] }
  const refined = await adaptiveIterate('About the hidden moons of Jupiter', { models, workspace, env, config })
  expect(refined.problem).toContain('kaboom')
  for (const word of ['very-secret', 'moons', 'Jupiter']) expect(refined.problem).not.toContain(word)
  const log = JSON.stringify(sapLines(workspace))
  for (const word of ['very-secret', 'moons', 'Jupiter', 'ann@example.org']) expect(log).not.toContain(word)
})

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['a string', 'just the text'],
  ['no text', { status: 'ok', usage: { tokens: 1, costUsd: 0 } }],
  ['an unknown status', { status: 'fine', text: 'x' }],
])('a model that returns %s is one that does not answer, and it says so', async (_, returned) => {
  const refined = await adapt(modelThat(() => returned))
  expect(refined).toMatchObject({ status: 'aborted', reason: 'provider_unavailable' })
  expect(refined.problem).toMatch(/reply/)
})

test.each<[string, object]>([
  ['no usage', {}],
  ['usage that is no number', { usage: { tokens: Number.NaN, costUsd: -1 } }],
])('a model that reports %s: its tokens are estimated', async (_, part) => {
  const models = modelThat(() => ({ status: 'ok', text: 'a text', ...part }))
  const refined = await adapt(models)
  expect(refined.status).toBe('completed')
  expect(refined.tokens).toBeGreaterThan(60)
})

test.each<[string, object]>([
  ['an empty text', { status: 'ok', text: '  ' }],
  ['a refusal', { status: 'failed', text: '', detail: 'not today' }],
])('a model that returns %s ends for want of a text, not for want of quality', async (_, part) => {
  const models = modelThat(() => ({ ...reply(''), ...part }))
  const refined = await adapt(models)
  expect(refined).toMatchObject({ status: 'aborted', reason: 'no_text', partial_output: null })
  expect(refined.problem).toMatch(/empty answer|not today/)
})
