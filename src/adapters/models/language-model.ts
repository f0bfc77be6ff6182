import type { LanguageModel as AnyLanguageModel } from 'ai'
import type { Rung } from '../../contract/models.ts'
import type { ModelRequest } from '../../ports/model.ts'
import type { Endpoint } from './endpoint.ts'

export type LanguageModel = Extract<AnyLanguageModel, { specificationVersion: 'v4' }>
export type CallOptions = Parameters<LanguageModel['doStream']>[0]

/**
 * Opens the SDK's model directly, without its `streamText`, which adds retries, console warnings and 40 ms of load time.
 * Loaded on the first call.
 */
export async function openLanguageModel(
  { provider, model }: Rung,
  { url, key }: Endpoint,
  fetch: typeof globalThis.fetch,
): Promise<LanguageModel> {
  const baseURL = url.href.replace(/\/$/, '')
  if (provider === 'anthropic') {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    return createAnthropic({ baseURL, apiKey: key ?? '', fetch }).languageModel(model)
  }
  if (provider === 'xai') {
    const { createXai } = await import('@ai-sdk/xai')
    return createXai({ baseURL, apiKey: key ?? '', fetch }).responses(model)
  }
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  const apiKey = key === null ? {} : { apiKey: key }
  // Other OpenAI-compatible servers may support plain JSON only, and reject a call with a schema.
  const supportsStructuredOutputs = provider === 'ollama'
  const settings = { name: 'server', baseURL, fetch, includeUsage: true, supportsStructuredOutputs, ...apiKey }
  return createOpenAICompatible(settings).chatModel(model)
}

/** Makes texts well-formed, because servers reject lone surrogates. */
export function callOptions(
  { provider }: Pick<Rung, 'provider'>,
  request: ModelRequest,
  abortSignal: AbortSignal,
): CallOptions {
  const { system, prompt, maxOutputTokens, temperature, schema } = request
  const user = { role: 'user' as const, content: [{ type: 'text' as const, text: prompt.toWellFormed() }] }
  return {
    prompt: system ? [{ role: 'system', content: system.toWellFormed() }, user] : [user],
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(temperature !== undefined && { temperature }),
    // No schema for Anthropic: how the SDK sends it depends on the model's name. The prompt asks for JSON.
    ...(schema && provider !== 'anthropic' && { responseFormat: { type: 'json' as const, schema } }),
    abortSignal,
    // xAI stores requests by default.
    providerOptions: { xai: { store: false } },
  }
}
