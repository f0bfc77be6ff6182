import { expect, test } from 'vitest'
import { isLocal, resolveEndpoint } from '../../../src/adapters/models/endpoint.ts'
import type { Rung } from '../../../src/contract/models.ts'

const rung = (provider: Rung['provider'], more: Partial<Rung> = {}): Rung => ({
  id: provider,
  label: provider,
  provider,
  model: 'm',
  local: false,
  contextTokens: 1,
  price: null,
  ...more,
})
const urlOf = (one: Rung, env: Record<string, string>): string => {
  const found = resolveEndpoint(one, env)
  return 'url' in found ? found.url.href : found.problem
}

test.each([
  [undefined, 'http://127.0.0.1:11434/v1'],
  ['', 'http://127.0.0.1:11434/v1'],
  ['0.0.0.0', 'http://127.0.0.1:11434/v1'],
  ['0.0.0.0:8080', 'http://127.0.0.1:8080/v1'],
  ['[::]:8080', 'http://127.0.0.1:8080/v1'],
  ['http://0.0.0.0:11434/', 'http://127.0.0.1:11434/v1'],
  [':8080', 'http://127.0.0.1:8080/v1'],
  ['box.example', 'http://box.example:11434/v1'],
  ['box.example:99/', 'http://box.example:99/v1'],
  ['https://box.example', 'https://box.example/v1'],
  ['https://box.example/ollama/', 'https://box.example/ollama/v1'],
  ['http://127.0.0.1:1/v1', 'http://127.0.0.1:1/v1'],
  ['::1', 'http://[::1]:11434/v1'],
  ['[::1]:77', 'http://[::1]:77/v1'],
])('OLLAMA_HOST=%s leads to %s', (host, url) => {
  expect(urlOf(rung('ollama'), host === undefined ? {} : { OLLAMA_HOST: host })).toBe(url)
})

test('xAI is named with its version, Anthropic without', () => {
  expect(urlOf(rung('xai'), { XAI_API_KEY: 'k' })).toBe('https://api.x.ai/v1')
  expect(urlOf(rung('xai'), { XAI_API_KEY: 'k', XAI_BASE_URL: 'https://eu.example/v2/' })).toBe('https://eu.example/v2')
  expect(urlOf(rung('anthropic'), { ANTHROPIC_API_KEY: 'k' })).toBe('https://api.anthropic.com/v1')
  const env = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: 'https://gate.example/claude' }
  expect(urlOf(rung('anthropic'), env)).toBe('https://gate.example/claude/v1')
})

test('a key goes in the clear to this machine only', () => {
  const env = (base: string) => ({ XAI_API_KEY: 'k', XAI_BASE_URL: base })
  for (const here of ['http://localhost:1/v1', 'http://127.0.0.2:1/v1', 'http://[::1]:1/v1']) {
    expect(resolveEndpoint(rung('xai'), env(here))).toMatchObject({ key: 'k' })
  }
  for (const away of ['http://10.0.0.1/v1', 'http://localhost.example/v1', 'http://127.0.0.1.example/v1']) {
    expect(resolveEndpoint(rung('xai'), env(away))).toMatchObject({ fault: 'login' })
  }
  expect(urlOf(rung('openai-compatible', { baseUrl: 'http://10.0.0.1/v1' }), {})).toBe('http://10.0.0.1/v1')
})

test('an invalid URL or one with credentials is rejected without quoting it', () => {
  for (const base of ['ftp://x.example', 'nonsense', 'https://me:secret@x.example/v1']) {
    const found = resolveEndpoint(rung('xai'), { XAI_API_KEY: 'k', XAI_BASE_URL: base })
    expect(found).toMatchObject({ fault: 'request' })
    expect(JSON.stringify(found)).not.toContain('secret')
  }
  expect(resolveEndpoint(rung('openai-compatible'), {})).toMatchObject({ fault: 'request' })
})

test('a key with a line break in it is no key', () => {
  expect(resolveEndpoint(rung('xai'), { XAI_API_KEY: ' key \n' })).toMatchObject({ key: 'key' })
  expect(resolveEndpoint(rung('xai'), { XAI_API_KEY: 'key\r\nx: y' })).toMatchObject({ fault: 'login' })
})

test('local is what stays here: by address, and not passed on to a cloud', () => {
  expect(isLocal(rung('ollama'), {})).toBe(true)
  expect(isLocal(rung('ollama'), { OLLAMA_HOST: 'box.example' })).toBe(false)
  expect(isLocal(rung('ollama', { model: 'gpt-oss:120b-cloud' }), {})).toBe(false)
  expect(isLocal(rung('openai-compatible', { baseUrl: 'http://localhost:1234/v1' }), {})).toBe(true)
  expect(isLocal(rung('xai'), { XAI_API_KEY: 'k' })).toBe(false)
})
