import { setTimeout as delay } from 'node:timers/promises'
import type { ModelStep, ScriptFile } from '../../contract/script.ts'
import type { Usage } from '../../contract/values.ts'
import type { Model, ModelReply, ModelRequest } from '../../ports/model.ts'

/** Returns the script's `model:` entries in order. The last one repeats. */
export function createScriptedModel(script: ScriptFile, name: string): Model {
  let calls = 0

  async function call({ prompt }: ModelRequest, signal: AbortSignal): Promise<ModelReply> {
    const startedAt = performance.now()
    const step = script.model[Math.min(calls, script.model.length - 1)]
    calls += 1
    const reply = step ? await play(step, signal) : failure('the script has no model entry')
    return { ...reply, sentBytes: Buffer.byteLength(prompt), providerMs: performance.now() - startedAt }
  }

  return { name, call }
}

type Reply = Omit<ModelReply, 'providerMs' | 'sentBytes'>

async function play(step: ModelStep, signal: AbortSignal): Promise<Reply> {
  try {
    await delay(step.delay_ms ?? 0, undefined, { signal })
  } catch {
    return failure('aborted')
  }
  const usage: Usage = { tokens: step.tokens ?? null, costUsd: step.cost_usd ?? null }
  const retryAt = step.retry_in_ms === undefined ? {} : { retryAt: Date.now() + step.retry_in_ms }
  if (step.error) return { status: step.error, text: '', usage, detail: `scripted: ${step.error}`, ...retryAt }
  return {
    status: 'ok',
    text: step.reply ?? (step.score === undefined ? '' : JSON.stringify({ score: step.score })),
    usage,
  }
}

function failure(detail: string): Reply {
  return { status: 'failed', text: '', usage: { tokens: null, costUsd: null }, detail }
}
