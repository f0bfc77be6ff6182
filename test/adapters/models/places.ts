import { createHttpModel } from '../../../src/adapters/models/http-model.ts'
import { estimateTokens } from '../../../src/adapters/tokens/estimate.ts'
import type { Rung } from '../../../src/contract/models.ts'
import type { Model, ModelReply, ModelRequest } from '../../../src/ports/model.ts'

export const keys = {
  xai: 'xai-0123456789abcdefghij',
  anthropic: 'sk-ant-zyxwvutsrqponmlk',
  other: 'other/key+with=signs',
}

/** Every provider behind a server, at one address. */
export const httpProviders = ['ollama', 'xai', 'anthropic', 'openai-compatible'] as const
export type HttpProvider = (typeof httpProviders)[number]

export const envFor = (url: string): Record<string, string> => ({
  OLLAMA_HOST: new URL(url).host,
  XAI_BASE_URL: `${url}/v1`,
  XAI_API_KEY: keys.xai,
  ANTHROPIC_BASE_URL: url,
  ANTHROPIC_API_KEY: keys.anthropic,
  OTHER_KEY: keys.other,
})

export const rungFor = (provider: Rung['provider'], url: string): Rung => ({
  id: provider,
  label: `A model of ${provider}`,
  provider,
  model: 'served',
  local: provider === 'ollama',
  contextTokens: 8000,
  price: provider === 'ollama' ? null : { input: 2, output: 10 },
  ...(provider === 'openai-compatible' && { baseUrl: `${url}/v1`, keyEnv: 'OTHER_KEY' }),
})

export const moment = Date.parse('2026-11-15T12:00:00Z')

export const modelAt = (provider: HttpProvider, url: string, env = envFor(url), more: Partial<Rung> = {}): Model =>
  createHttpModel({ ...rungFor(provider, url), ...more }, { env, now: () => moment, estimateTokens })

export const ask = (model: Model, request: Partial<ModelRequest> = {}, signal = never): Promise<ModelReply> =>
  model.call({ prompt: 'Say something of use.', ...request }, signal)

const never = new AbortController().signal
