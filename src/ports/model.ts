import type { Usage } from '../contract/values.ts'

/**
 * Schema of an object: all properties required, no additional ones, no bounds on numbers or lengths. Servers reject schemas they
 * cannot enforce.
 */
export type JsonSchema = Readonly<Record<string, unknown>>

export type ModelRequest = {
  /** System prompt. Prepended to the prompt for providers without one. */
  readonly system?: string | undefined
  readonly prompt: string
  /** Passed to the provider, so that a call cannot exceed the remaining budget. */
  readonly maxOutputTokens?: number | undefined
  readonly temperature?: number | undefined
  /** Requests JSON of this schema: from the server where it takes schemas, else after the prompt. The caller must still validate the reply. */
  readonly schema?: JsonSchema | undefined
  /** Timeout of the call; `silenceMs` is the longest time without a byte. */
  readonly limitMs?: number | undefined
  readonly silenceMs?: number | undefined
  /** Called with text as it streams; not yet safe to show. Errors it throws are ignored. */
  readonly onText?: ((text: string) => void) | undefined
}

/**
 * Why a call failed. Outside our control: `limit` (usage limit, wait), `provider` (down, disconnected, silent), `login` (key missing or
 * rejected), `model` (not available). By the model: `refused`, `empty`. By us: `request` (rejected, for example too long). By a person:
 * `stopped`.
 */
export const modelFaults = ['limit', 'provider', 'login', 'model', 'refused', 'empty', 'request', 'stopped'] as const
export type ModelFault = (typeof modelFaults)[number]

export type ModelReply = {
  /** `unavailable`: limit, provider, login, model; `failed`: the others. */
  readonly status: 'ok' | 'failed' | 'unavailable'
  /** The text received, also from a call that failed. */
  readonly text: string
  readonly usage: Usage
  readonly providerMs: number
  /** Bytes sent to the provider. */
  readonly sentBytes: number
  readonly fault?: ModelFault | undefined
  /** The reply was truncated at `maxOutputTokens`. */
  readonly cut?: true | undefined
  readonly detail?: string | undefined
  readonly retryAt?: number | undefined
}

/** Contract: makes one call and never retries; never rejects because the provider failed; an abort resolves as failed. */
export type Model = {
  readonly name: string
  call(request: ModelRequest, signal: AbortSignal): Promise<ModelReply>
}
