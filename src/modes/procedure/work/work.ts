import { join } from 'node:path'
import type { Outcome, Verdict } from '../../../contract/event.ts'
import type { Progress } from '../../../contract/progress.ts'
import type { Ref } from '../../../contract/values.ts'
import {
  type CommandTools,
  describeExit,
  type FailedCommand,
  fingerprintFailure,
  runUntilFailure,
} from '../../../judging/commands.ts'
import { findPromise } from '../../../judging/promise.ts'
import type { Attempt, Work } from '../../../kernel/run.ts'
import type { Agent } from '../../../ports/agent.ts'
import type { Artifacts } from '../../../ports/artifacts.ts'
import type { Look, Repository } from '../../../ports/repository.ts'
import type { Room } from '../../../ports/room.ts'
import type { Shell } from '../../../ports/shell.ts'
import type { Snapshots } from '../../../ports/snapshots.ts'
import type { ProcedureRequest } from '../contract/request.ts'
import type { ProcedureMemo } from '../core/memo.ts'
import { composePrompt } from '../core/prompt.ts'

export type ProcedureTools = {
  readonly agent: Agent
  readonly shell: Shell
  readonly content: Artifacts
  /** Gates run here, if the run asked for it. */
  readonly clean?: { readonly room: Room; readonly snapshots: Snapshots; readonly shell: Shell } | undefined
  readonly repository: Pick<Repository, 'look'>
  readonly run: string
  readonly workspace: string
  /** The environment of gates. */
  readonly env: Readonly<Record<string, string>>
  /** A local folder for files of processes, with `attempts` and `hand-over` in it. */
  readonly folder: string
  /** Returns a local path with this content. */
  readonly file: (ref: Ref) => Promise<string>
  readonly readText: (path: string) => Promise<string>
  readonly estimateTokens: (text: string) => number
  readonly onProgress?: ((progress: Progress) => void) | undefined
  readonly onNotice: (text: string) => void
}

/** Runs an iteration: a fresh agent process that gets the prompt, then the gates. */
export function procedureWork(request: ProcedureRequest, tools: ProcedureTools): Work<ProcedureMemo> {
  const { agent, shell, content, repository, run, workspace, onProgress } = tools
  /** State of the workspace after the last agent; undefined once gates have run. */
  let seen: Look | undefined

  async function attempt(a: Attempt, _view: unknown, signal: AbortSignal): Promise<Outcome> {
    const prompt = await composePrompt(request, tools.readText).catch((error: Error) => error)
    if (typeof prompt !== 'string') return { status: 'failed', detail: prompt.message, data: { fault: 'prompt' } }
    const promptTokens = tools.estimateTokens(prompt)
    warnOverBudget(promptTokens)
    const [stored, before] = await Promise.all([content.put('prompt.md', prompt), seen ?? look()])
    const { costUsd } = a.left()
    const report = await agent.run(
      {
        run,
        task: a.task.id,
        attempt: a.attempt,
        cwd: workspace,
        prompt: stored ? { path: await tools.file(stored) } : { text: prompt },
        ...agentFiles(a),
        costUsd: Number.isFinite(costUsd) ? costUsd : undefined,
        onProgress,
      },
      signal,
    )
    const { status, usage, providerMs, log: output, detail, retryAt, exitCode, fault, worked, denied, denials } = report
    const callStatus = status === 'ok' || status === 'unavailable' ? status : 'failed'
    await a.record({ key: 'agent', via: agent.name, status: callStatus, usage, providerMs })
    seen = await look()
    const changed = before && seen ? before.fingerprint !== seen.fingerprint : null
    const promise = findPromise(report.lastMessage, prompt)
    const idle = worked === false && { worked }
    const refused = denied > 0 && { denied, ...(denials && { denials }) }
    const hints = { ...(promise && { promise }), ...(fault && { fault }), ...idle, ...refused }
    const data = { exitCode, promptTokens, changed, head: seen?.head ?? null, ...hints }
    const outcome: Outcome = { status, output, detail, retryAt, data }
    if (status !== 'ok') return outcome
    if (idle) return { ...outcome, status: 'failed', detail: detail ?? 'no detail' }
    return promise === 'FAILURE' ? { ...outcome, status: 'failed', detail: 'the agent reported FAILURE' } : outcome
  }

  async function evaluate(a: Attempt, { state }: { state: { outcome?: Outcome | undefined } }, signal: AbortSignal) {
    const { outcome } = state
    if (outcome?.status !== 'ok') return agentFailed(outcome?.detail)
    if (request.gates.length) seen = undefined
    const failed = await runGates(a, signal)
    if (failed?.exit.exhausted) return { status: 'unavailable', detail: failed.exit.detail } satisfies Verdict
    if (failed) {
      const evidence = failed.exit.outputBytes > 0 ? await content.adopt(failed.log) : undefined
      return { ...gateFailed(failed), evidence }
    }
    return { status: 'passed', data: { gates: request.gates.length } } satisfies Verdict
  }

  async function runGates(a: Attempt, signal: AbortSignal): Promise<FailedCommand | undefined> {
    const own = gateTools(a)
    if (!tools.clean) return runUntilFailure(request.gates, own, signal)
    const { room, snapshots, shell: roomShell } = tools.clean
    room.agentRan()
    const tree = await snapshots.take(signal)
    return room.use(tree, (place) => runUntilFailure(request.gates, { ...own, shell: roomShell, place }, signal))
  }

  /** Records what a killed attempt has spent, as far as it is known: it was not free. */
  async function recover(a: Attempt): Promise<undefined> {
    await shell.endLeftovers(run)
    if (a.recorded('agent')) return
    const usage = (await agent.recover?.(agentFiles(a))) ?? { tokens: null, costUsd: null }
    await a.record({ key: 'agent', via: a.via, status: 'failed', usage, providerMs: 0 })
  }

  return { attempt, evaluate, recover }

  /** Only `stuck` needs it. */
  async function look(): Promise<Look | undefined> {
    return request.stuck ? repository.look() : undefined
  }

  function warnOverBudget(tokens: number): void {
    const { tokenBudget = Infinity } = request
    if (tokens <= tokenBudget) return
    tools.onNotice(`WARNING: Prompt exceeds token budget: ~${formatNumber(tokens)} > ${formatNumber(tokenBudget)}`)
  }

  function gateTools(a: Attempt): CommandTools {
    const logOfGate = (index: number): string => logName(a, `gate-${index + 1}`)
    const leftMs = (): number => a.left().ms
    return { shell, cwd: workspace, env: tools.env, scope: run, logOf: logOfGate, leftMs, onProgress }
  }

  function agentFiles(a: Attempt) {
    const resultFile = join(tools.folder, 'hand-over', `${a.task.id}-attempt-${a.attempt}.json`)
    return { log: logName(a, 'agent'), resultFile }
  }

  function logName(a: Attempt, what: string): string {
    return join(tools.folder, 'attempts', `${a.task.id}-attempt-${a.attempt}-${what}.log`)
  }
}

const agentFailed = (detail = 'no detail'): Verdict => ({
  status: 'failed',
  detail,
  data: { by: 'agent', mark: fingerprintFailure('agent', detail) },
})

function gateFailed({ command, index, exit }: FailedCommand): Verdict {
  const how = describeExit(exit)
  const output = exit.stdoutTail.slice(-2000) + exit.stderrTail.slice(-2000)
  return {
    status: 'failed',
    detail: `gate ${JSON.stringify(command.slice(0, 80))} failed (${how})`,
    data: { by: 'gate', gate: index, mark: fingerprintFailure(`gate ${index} ${how}`, output) },
  }
}

const formatNumber = (amount: number): string => amount.toLocaleString('en')
