import { appendFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { ModelStep, ScriptFile } from '../../contract/script.ts'
import type { Usage } from '../../contract/values.ts'
import type { Model, ModelReply, ModelRequest } from '../../ports/model.ts'

/** Plays the script's `model:` steps: each call takes the first unused step that fits it. The last fitting one repeats. */
export function createScriptedModel(script: ScriptFile, name: string): Model {
  const used = new Set<ModelStep>()

  function takeStep(text: string): ModelStep | undefined {
    const fitting = script.model.filter(({ when = [] }) => when.every((part) => text.includes(part)))
    const step = fitting.find((one) => !used.has(one)) ?? fitting.at(-1)
    if (step && !step.again) used.add(step)
    return step
  }

  async function call(request: ModelRequest, signal: AbortSignal): Promise<ModelReply> {
    const { system = '', prompt, onText, temperature, maxOutputTokens, schema } = request
    const startedAt = performance.now()
    if (script.record !== undefined) {
      const line = { system, prompt, temperature, maxOutputTokens, schema: schema !== undefined }
      appendFileSync(script.record, `${JSON.stringify(line)}\n`)
    }
    const step = takeStep(`${system}\n${prompt}`)
    const reply = step ? await play(step, signal) : failure('the script has no model entry for this call')
    if (reply.text !== '') onText?.(reply.text)
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
    ...(step.cut && { cut: true }),
  }
}

function failure(detail: string): Reply {
  return { status: 'failed', text: '', usage: { tokens: null, costUsd: null }, detail }
}
