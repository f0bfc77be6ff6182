import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Rung } from '../../contract/models.ts'
import type { Agent, AgentReport } from '../../ports/agent.ts'
import type { Model, ModelFault, ModelReply, ModelRequest } from '../../ports/model.ts'
import { toStatus } from './classify-fault.ts'
import { safeDetail } from './detail.ts'
import { emitChunk, nothingUsed, toUsage } from './listen.ts'

export type AgentModelTools = {
  /** The command as an agent that keeps nothing and tells the whole of its last message. */
  readonly newAgent: (silenceMs: number | undefined) => Agent
  /** Whose processes they are, should they be left behind. */
  readonly run: string
  /** Its keys: whatever it says, they are not told. */
  readonly keys: readonly string[]
  readonly estimateTokens: (text: string) => number
}

/**
 * An installed agent's command asked for text. It starts in an empty folder of its own, so that no repository's settings
 * steer it; nothing that is said either way is written down here.
 */
export function createAgentModel(rung: Rung, tools: AgentModelTools): Model {
  async function call(request: ModelRequest, signal: AbortSignal): Promise<ModelReply> {
    const asked = [request.system, request.prompt].filter(Boolean).join('\n\n').toWellFormed()
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

  function toReply(report: AgentReport, asked: string, stopped: boolean): ModelReply {
    const text = report.lastMessage
    const fault = classifyReport(report, stopped)
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

  /** As it tells, in one number; what it does not tell is estimated. */
  function readUsage({ usage, lastMessage }: AgentReport, asked: string): ModelReply['usage'] {
    if (usage.tokens !== null && usage.tokens > 0) return usage
    const estimates = { input: () => tools.estimateTokens(asked), output: () => tools.estimateTokens(lastMessage) }
    const estimated = toUsage(rung, {}, estimates)
    return { ...estimated, costUsd: usage.costUsd ?? estimated.costUsd }
  }

  return { name: rung.label, call }
}

/** A process that was killed leaves its folder, and in it whatever the agent wrote: the run's next call takes it away. */
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

/** An agent that fails without a reason that one could name is a provider that is down. */
function classifyReport(
  { status, fault, detail = '', lastMessage }: AgentReport,
  stopped: boolean,
): ModelFault | undefined {
  if (status === 'ok') return lastMessage.trim() === '' ? 'empty' : undefined
  if (stopped) return 'stopped'
  if (fault) return fault
  if (detail.startsWith('no such program')) return 'model'
  return /\bprompt is too long\b/i.test(detail) ? 'request' : 'provider'
}
