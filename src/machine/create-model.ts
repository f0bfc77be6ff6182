import { basename } from 'node:path'
import { createCommandAgent } from '../adapters/agents/command.ts'
import { type Dialect, dialects, isAgentName } from '../adapters/agents/dialects.ts'
import { findReader, readRawOutput } from '../adapters/agents/readers.ts'
import { createAgentModel } from '../adapters/models/agent-model.ts'
import { createHttpModel, type HttpModelTools } from '../adapters/models/http-model.ts'
import { createScriptedModel } from '../adapters/scripted/model.ts'
import { readScript } from '../adapters/scripted/script.ts'
import { buildEnvironment, findSecretValues } from '../contract/environment.ts'
import type { Rung } from '../contract/models.ts'
import type { Agent } from '../ports/agent.ts'
import type { Model, ModelFault, ModelReply, ModelRequest } from '../ports/model.ts'
import type { Shell } from '../ports/shell.ts'

export type ModelTools = HttpModelTools & {
  /** The run that owns an agent's processes. */
  readonly run: string
  /** For agents used as models. */
  readonly shell: Shell
}

/** Creates the model of a rung. Loads, reads and starts nothing before the first call. */
export function createModel(rung: Rung, tools: ModelTools): Model {
  switch (rung.provider) {
    case 'agent':
      return createAgentModel(rung, {
        newAgent: (silenceMs) => openModelAgent(rung, { ...tools, silenceMs }),
        run: tools.run,
        keys: findSecretValues(tools.env),
        estimateTokens: tools.estimateTokens,
      })
    case 'scripted':
      return createScripted(rung)
    case 'ollama':
    case 'xai':
    case 'anthropic':
    case 'openai-compatible':
      return createHttpModel(rung, tools)
  }
}

/** Creates a scripted model; `baseUrl` is the path of the script. Adds the fault that the script's errors lack. */
function createScripted(rung: Rung): Model {
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
    return { ...reply, fault: reply.fault ?? classifyReply(reply, signal) }
  }
  return { name: rung.label, call }
}

function classifyReply({ status, retryAt }: ModelReply, signal: AbortSignal): ModelFault {
  if (status === 'failed') return signal.aborted ? 'stopped' : 'refused'
  return retryAt === undefined ? 'provider' : 'limit'
}

type ModelAgentDeps = {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly shell: Shell
  readonly now: () => number
  readonly silenceMs: number | undefined
}

/** More than one line of an agent's output can hold. */
const maxMessageLength = 4 * 1024 * 1024

/** Opens an agent as a model. A known agent is given by its name alone; any other command prints its answer. */
function openModelAgent(rung: Rung, { env, shell, now, silenceMs }: ModelAgentDeps): Agent {
  const dialect = dialectFor(rung)
  return createCommandAgent(shell, keepNothing, {
    name: rung.label,
    argv: modelCommand(rung),
    env: buildEnvironment(env, { allow: dialect?.env ?? [], add: dialect?.asModel.env ?? {} }),
    silenceMs,
    now,
    newReader: (dialect && findReader(basename(rung.argv![0]))) ?? readRawOutput,
    longestMessage: maxMessageLength,
  })
}

/** Returns the command of a rung: its own, or that of the known agent it names, with the model if one is set. */
function modelCommand(rung: Rung): readonly [string, ...string[]] {
  const { argv = [''] as const, model } = rung
  const dialect = dialectFor(rung)
  if (!dialect || argv.length > 1) return argv
  const [, first, ...rest] = dialect.asModel.argv
  const named = model !== '' && model !== argv[0]
  return [argv[0], first!, ...(named ? [dialect.modelFlag, model] : []), ...rest]
}

/** Undefined for a known agent with another output format: it is treated like any other command. */
function dialectFor({ argv = [''] }: Rung): Dialect | undefined {
  const name = basename(argv[0])
  if (!isAgentName(name)) return undefined
  const dialect = dialects[name]
  const format = dialect.asModel.argv.find((word) => /^(stream-json|--json|json)$/.test(word))!
  return argv.length === 1 || argv.includes(format) ? dialect : undefined
}

const keepNothing = { adopt: async () => undefined }
