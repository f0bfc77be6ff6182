import { describe, expect, test } from 'vitest'
import {
  adaptiveIterate,
  execute,
  iteratePrompt,
  openMemoryStore,
  PawlError,
  plan,
  type RefineOptions,
  resumeIteration,
} from '../../../../dist/index.js'

/** Rejects or throws, whichever it is. */
async function refusalOf(call: () => unknown): Promise<PawlError> {
  try {
    await call()
  } catch (error) {
    expect(error).toBeInstanceOf(PawlError)
    return error as PawlError
  }
  throw new Error('it was accepted')
}

const withOptions = (options: object) => (): unknown =>
  iteratePrompt('Write it', { store: openMemoryStore(), ...options })

describe('an unknown key is refused, with the one that was meant', () => {
  test.each<[string, object, string, string | undefined]>([
    ['of the options', { localonly: true }, 'localonly', 'Did you mean localOnly?'],
    ['that belongs into config', { iterations: 3 }, 'iterations', 'Did you mean config.iterations?'],
    ['of config', { config: { iteration: 3 } }, 'config.iteration', 'Did you mean config.iterations?'],
    [
      'below config',
      { config: { phases: { least: 1, moast: 2 } } },
      'config.phases.moast',
      'Did you mean config.phases.most?',
    ],
    [
      'of a rubric',
      { rubric: { id: 'x', version: 1, dimension: [] } },
      'rubric.dimension',
      'Did you mean rubric.dimensions?',
    ],
    ['that is like no other', { frobnicate: 1 }, 'frobnicate', undefined],
  ])('%s', async (_, options, key, hint) => {
    const { message, exit, code, hint: said } = await refusalOf(withOptions(options))
    expect(message).toContain(`unknown option ${key}`)
    expect([exit, code]).toEqual([2, 'invalid_options'])
    if (hint !== undefined) expect(said).toBe(hint)
  })
})

describe('a number that makes no sense is refused, by its name', () => {
  const whole = ['iterations', 'tokens', 'escalateTokens', 'overheadTokens', 'samples', 'silenceMs', 'contextTokens']
  const orNone = ['escalations', 'retries', 'waitMs']
  const wrong = [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '5', null]
  test.each([...whole, ...orNone])('config.%s', async (key) => {
    for (const value of [...wrong, ...(whole.includes(key) ? [0] : [])]) {
      const { message, exit } = await refusalOf(withOptions({ config: { [key]: value } }))
      expect(message).toContain(`config.${key}`)
      expect(exit).toBe(2)
    }
  })

  test.each(['maxCostUsd', 'maxMs'])('%s', async (key) => {
    for (const value of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, '5']) {
      expect((await refusalOf(withOptions({ [key]: value }))).message).toContain(key)
    }
  })

  test('scores outside of 0 to 100, and more phases at least than at most', async () => {
    expect((await refusalOf(withOptions({ config: { stopScore: 101 } }))).message).toContain('config.stopScore')
    const { message } = await refusalOf(withOptions({ config: { phases: { least: 4, most: 3 } } }))
    expect(message).toContain('config.phases.least')
  })
})

test.each<[string, object]>([
  ['preset', { preset: 'sap-0030' }],
  ['ladder', { ladder: [] }],
  ['ladder', { ladder: ['ollama', 7] }],
  ['models.ollama', { models: { ollama: 'llama' } }],
  ['context', { context: 'a file' }],
  ['signal', { signal: true }],
  ['onEvent', { onEvent: 'log' }],
  ['text', { text: Buffer.from('x') }],
  ['store', { store: {} }],
])('a %s of the wrong kind is refused', async (key, options) => {
  expect((await refusalOf(withOptions(options))).message).toContain(key)
})

test('a value that is undefined is as good as none', async () => {
  const models = { ollama: { name: 'mine', call: () => Promise.reject(new Error('no')) } }
  const config = { iterations: undefined, backOffMs: [] } as unknown as RefineOptions['config']
  const { status } = await iteratePrompt('Write it', { models, config: config! })
  expect(status).toBe('aborted')
})

test('nothing is created for options that are refused', async () => {
  const store = openMemoryStore()
  await refusalOf(() => adaptiveIterate('Write it', { store, config: { iterations: 0 } }))
  expect(await store.list({})).toEqual([])
})

test.each<[string, () => unknown]>([
  ['a task that is no text', () => iteratePrompt(undefined as unknown as string)],
  ['options that are no object', () => iteratePrompt('Write it', 'fast' as RefineOptions)],
  ['a payload that is none', () => resumeIteration(undefined as never)],
  ['a payload of a run that is not paused', () => resumeIteration({ state: 'running', resume_token: 'x' } as never)],
  ['feedback that is no text', () => resumeIteration({ state: 'paused', resume_token: 'x' }, 7 as never)],
  [
    'an unknown key of resumeIteration',
    () => resumeIteration({ state: 'paused', resume_token: 'x' }, 'y', { chioce: 'stop' } as never),
  ],
  ['an unknown key of plan', () => plan({ text: '# A', verifcation: {} } as never)],
  ['an unknown key of execute', () => execute({ input: 'a', plan: 'b', outdir: 'c' } as never)],
  ['no options of execute', () => execute(undefined as never)],
])('%s is misuse: a PawlError with exit 2', async (_, call) => {
  const { exit, message } = await refusalOf(call)
  expect(exit).toBe(2)
  expect(message).not.toBe('')
})

test('an error of the library has the fields that the docs name', () => {
  const error = new PawlError(30, 'there is no branch main', 'git branch main')
  expect(error).toMatchObject({ name: 'PawlError', exit: 30, hint: 'git branch main', code: 'refused' })
})
