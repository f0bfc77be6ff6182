import { createAgentModel } from '../adapters/models/agent-model.ts'
import { createHttpModel, type HttpModelTools } from '../adapters/models/http-model.ts'
import { createScriptedModel } from '../adapters/scripted/model.ts'
import { readScript } from '../adapters/scripted/script.ts'
import { secretValues } from '../contract/environment.ts'
import type { Rung } from '../contract/models.ts'
import type { Model, ModelFault, ModelReply, ModelRequest } from '../ports/model.ts'
import type { Shell } from '../ports/shell.ts'
import { openModelAgent } from './model-agent.ts'

export type ModelTools = HttpModelTools & {
  /** Whose processes an agent's are. */
  readonly run: string
  /** For agents used as models. */
  readonly shell: Shell
}

/** The model that a rung names. Nothing is loaded, read or started before it is called. */
export function createModel(rung: Rung, tools: ModelTools): Model {
  switch (rung.provider) {
    case 'agent':
      return createAgentModel(rung, {
        newAgent: (silenceMs) => openModelAgent(rung, { ...tools, silenceMs }),
        run: tools.run,
        keys: secretValues(tools.env),
        estimateTokens: tools.estimateTokens,
      })
    case 'scripted':
      return scripted(rung)
    case 'ollama':
    case 'xai':
    case 'anthropic':
    case 'openai-compatible':
      return createHttpModel(rung, tools)
  }
}

/** Its `baseUrl` is the path of the script. What the script leaves unsaid of an error is said for it. */
function scripted(rung: Rung): Model {
  let model: Model | undefined
  async function call(request: ModelRequest, signal: AbortSignal): Promise<ModelReply> {
    try {
      model ??= createScriptedModel(readScript(rung.baseUrl ?? ''), rung.label)
    } catch (error) {
      const usage = { tokens: 0, costUsd: 0 }
      const detail = (error as Error).message.slice(0, 300)
      return { status: 'failed', fault: 'request', text: '', usage, providerMs: 0, sentBytes: 0, detail }
    }
    const reply = await model.call(request, signal)
    if (reply.status === 'ok') return reply.text.trim() === '' ? { ...reply, status: 'failed', fault: 'empty' } : reply
    return { ...reply, fault: reply.fault ?? faultOf(reply, signal) }
  }
  return { name: rung.label, call }
}

function faultOf({ status, retryAt }: ModelReply, signal: AbortSignal): ModelFault {
  if (status === 'failed') return signal.aborted ? 'stopped' : 'refused'
  return retryAt === undefined ? 'provider' : 'limit'
}
