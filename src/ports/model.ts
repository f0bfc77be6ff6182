import type { Usage } from '../contract/values.ts'

export type ModelRequest = {
  readonly prompt: string
  readonly maxOutputTokens?: number | undefined
}

export type ModelReply = {
  readonly status: 'ok' | 'failed' | 'unavailable'
  readonly text: string
  readonly usage: Usage
  readonly providerMs: number
  readonly detail?: string | undefined
  readonly retryAt?: number | undefined
}

/** Contract: one call, never retried here; never rejects for provider failure; an abort resolves as failed. */
export type Model = {
  readonly name: string
  call(request: ModelRequest, signal: AbortSignal): Promise<ModelReply>
}
