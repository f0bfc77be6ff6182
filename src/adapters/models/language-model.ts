import type { LanguageModel as AnyLanguageModel } from 'ai'
import type { Rung } from '../../contract/models.ts'
import type { ModelRequest } from '../../ports/model.ts'
import type { AnswerFormat } from './answer-format.ts'
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
  // Without `supportsStructuredOutputs` the SDK drops the schema. `chooseFormat` decides who gets one.
  const settings = { name: 'server', baseURL, fetch, includeUsage: true, supportsStructuredOutputs: true, ...apiKey }
  return createOpenAICompatible(settings).chatModel(model)
}

/** Makes texts well-formed, because servers reject lone surrogates. `format` is undefined if the answer is not JSON. */
export function callOptions(
  request: ModelRequest,
  format: AnswerFormat | undefined,
  abortSignal: AbortSignal,
): CallOptions {
  const { system, prompt, maxOutputTokens, temperature, schema } = request
  const user = { role: 'user' as const, content: [{ type: 'text' as const, text: prompt.toWellFormed() }] }
  return {
    prompt: system ? [{ role: 'system', content: system.toWellFormed() }, user] : [user],
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(format === 'schema' && schema && { responseFormat: { type: 'json' as const, schema } }),
    ...(format === 'json' && { responseFormat: { type: 'json' as const } }),
    abortSignal,
    providerOptions: {
      // xAI stores requests by default.
      xai: { store: false },
      // Sends `output_config.format`. By default the SDK chooses by the model's name between this and the forced call of a tool. By its catalogue
      // every Claude model since Opus 4.1 takes it, and Opus 5.5, Sonnet 5.5 and others reject forced calls. A rejection is a fault.
      anthropic: { structuredOutputMode: 'outputFormat' },
    },
  }
}
