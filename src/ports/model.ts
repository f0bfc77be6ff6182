import type { Usage } from '../contract/values.ts'

/** Of an object: every property required, none added, no bounds on numbers or lengths. Servers refuse what they cannot enforce. */
export type JsonSchema = Readonly<Record<string, unknown>>

export type ModelRequest = {
  /** Who the model is to be; providers that know of no such thing get it before the prompt. */
  readonly system?: string | undefined
  readonly prompt: string
  /** What is left to spend goes down to the provider as its limit. */
  readonly maxOutputTokens?: number | undefined
  readonly temperature?: number | undefined
  /** An object of this schema is wanted. Whoever asks still checks what comes. */
  readonly schema?: JsonSchema | undefined
  /** The whole call, and the longest time without a byte. */
  readonly limitMs?: number | undefined
  readonly silenceMs?: number | undefined
  /** Text as it comes, not yet safe to show. What a listener throws is dropped. */
  readonly onText?: ((text: string) => void) | undefined
}

/**
 * Why a call came to nothing. Nobody's failure: `limit` (wait), `provider` (down, cut off, silent), `login` (key missing or refused), `model`
 * (not there). The model's: `refused`, `empty`. Ours: `request` (not taken, such as too long). A person's: `stopped`.
 */
export const modelFaults = ['limit', 'provider', 'login', 'model', 'refused', 'empty', 'request', 'stopped'] as const
export type ModelFault = (typeof modelFaults)[number]

export type ModelReply = {
  /** `unavailable`: limit, provider, login, model; `failed`: the others. */
  readonly status: 'ok' | 'failed' | 'unavailable'
  /** What came, also where the call did not end well. */
  readonly text: string
  readonly usage: Usage
  readonly providerMs: number
  /** Bytes of ours that left for the provider. */
  readonly sentBytes: number
  readonly fault?: ModelFault | undefined
  /** It ended at `maxOutputTokens`. */
  readonly cut?: true | undefined
  readonly detail?: string | undefined
  readonly retryAt?: number | undefined
}

/** Contract: one call, never retried here; never rejects for provider failure; an abort resolves as failed. */
export type Model = {
  readonly name: string
  call(request: ModelRequest, signal: AbortSignal): Promise<ModelReply>
}
