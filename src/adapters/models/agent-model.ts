import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Rung } from '../../contract/models.ts'
import type { Agent, AgentReport } from '../../ports/agent.ts'
import type { Model, ModelFault, ModelReply, ModelRequest } from '../../ports/model.ts'
import { showSchema } from './answer-format.ts'
import { toStatus } from './classify-fault.ts'
import { safeDetail } from './detail.ts'
import { emitChunk, nothingUsed, toUsage } from './listen.ts'

export type AgentModelTools = {
  /** Creates an agent that stores nothing and returns its complete last message. */
  readonly newAgent: (silenceMs: number | undefined) => Agent
  /** The run that owns the processes, to find leftovers. */
  readonly run: string
  /** Keys to withhold from error details. */
  readonly keys: readonly string[]
  readonly estimateTokens: (text: string) => number
}

/**
 * Uses an installed agent's command as a model. It starts in an empty folder, so that no repository's settings affect
 * it. Neither prompt nor answer is stored here.
 */
export function createAgentModel(rung: Rung, tools: AgentModelTools): Model {
  async function call(request: ModelRequest, signal: AbortSignal): Promise<ModelReply> {
    const { system, schema } = request
    const prompt = schema ? showSchema(request.prompt, schema) : request.prompt
    const asked = [system, prompt].filter(Boolean).join('\n\n').toWellFormed()
    const cwd = await newFolder(tools.run).catch((error: NodeJS.ErrnoException) => error)
    if (cwd instanceof Error)
      return toReply({ ...notStarted, detail: `no temporary folder: ${cwd.code}` }, asked, false)
    try {
      const report = await tools
        .newAgent(request.silenceMs)
        .run(
          { run: tools.run, task: rung.id, attempt: 1, cwd, prompt: { text: asked }, wallMs: request.limitMs },
          signal,
        )
      emitChunk(request.onText, report.lastMessage)
      return toReply(report, asked, signal.aborted)
    } finally {
      await rm(cwd, { recursive: true, force: true }).catch(() => {})
    }
  }

  function toReply(report: AgentReport, asked: string, isStopped: boolean): ModelReply {
    const text = report.lastMessage
    const fault = classifyReport(report, isStopped)
    const started = fault !== 'model' && report.providerMs > 0
    const { detail = fault === 'empty' ? 'an empty answer' : undefined, retryAt } = report
    return {
      status: toStatus(fault),
      text,
      usage: started ? readUsage(report, asked) : nothingUsed,
      providerMs: report.providerMs,
      sentBytes: started ? Buffer.byteLength(asked) : 0,
      ...(fault && { fault }),
      ...(fault && detail && { detail: safeDetail(detail, { keys: tools.keys, content: [asked, text] }) }),
      ...(fault && retryAt !== undefined && { retryAt }),
    }
  }

  /** Uses the reported total; estimates what is not reported. */
  function readUsage({ usage, lastMessage }: AgentReport, asked: string): ModelReply['usage'] {
    if (usage.tokens !== null && usage.tokens > 0) return usage
    const estimates = { input: () => tools.estimateTokens(asked), output: () => tools.estimateTokens(lastMessage) }
    const estimated = toUsage(rung, {}, estimates)
    return { ...estimated, costUsd: usage.costUsd ?? estimated.costUsd }
  }

  return { name: rung.label, call }
}

/** Also removes folders of this run that a killed process left behind. */
async function newFolder(run: string): Promise<string> {
  const prefix = `pawl-model-${run}-`
  const left = (await readdir(tmpdir())).filter((name) => name.startsWith(prefix))
  for (const name of left) await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => {})
  return mkdtemp(join(tmpdir(), prefix))
}

const notStarted: AgentReport = {
  status: 'failed',
  exitCode: null,
  usage: nothingUsed,
  providerMs: 0,
  denied: 0,
  lastMessage: '',
}

/** Counts an unexplained failure of the agent as a provider failure. */
function classifyReport(
  { status, fault, detail = '', lastMessage }: AgentReport,
  isStopped: boolean,
): ModelFault | undefined {
  if (status === 'ok') return lastMessage.trim() === '' ? 'empty' : undefined
  if (isStopped) return 'stopped'
  if (fault) return fault
  if (detail.startsWith('no such program')) return 'model'
  return /\bprompt is too long\b/i.test(detail) ? 'request' : 'provider'
}
