import type { Outcome, Verdict } from '../../contract/event.ts'
import type { Progress } from '../../contract/progress.ts'
import type { ProcedureRequest } from '../../contract/request.ts'
import type { Attempt, Work } from '../../kernel/run.ts'
import type { Agent } from '../../ports/agent.ts'
import type { Artifacts } from '../../ports/artifacts.ts'
import type { Shell } from '../../ports/shell.ts'
import type { ProcedureMemo } from './policy.ts'
import { composePrompt } from './prompt.ts'

export type ProcedureTools = {
  readonly agent: Agent
  readonly shell: Shell
  readonly artifacts: Artifacts
  readonly run: string
  readonly workspace: string
  /** The environment of gates. */
  readonly env: Readonly<Record<string, string>>
  /** Where a file of this run lies. */
  readonly fileOf: (path: string) => string
  readonly readText: (path: string) => Promise<string>
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

/** An iteration: a fresh agent process fed the prompt, then the gates. */
export function procedureWork(request: ProcedureRequest, tools: ProcedureTools): Work<ProcedureMemo> {
  const { agent, shell, artifacts, run, workspace } = tools

  return {
    async attempt(a, _view, signal) {
      const prompt = await composePrompt(request, tools.readText)
      const kept = await artifacts.put(`${a.task.id}-prompt.md`, prompt)
      const report = await agent.run(
        {
          run,
          task: a.task.id,
          attempt: a.attempt,
          cwd: workspace,
          prompt: kept ? { path: tools.fileOf(kept.path) } : { text: prompt },
          log: logOf(a, 'agent'),
          onProgress: tools.onProgress,
        },
        signal,
      )
      const { status, usage, providerMs, log: output, detail, retryAt, exitCode } = report
      const via = agent.name
      const callStatus = status === 'ok' || status === 'unavailable' ? status : 'failed'
      await a.record({ key: 'agent', via, status: callStatus, usage, providerMs })
      const promise = promiseIn(report.lastMessage, prompt)
      const outcome: Outcome = { status, output, detail, retryAt, data: { exitCode, ...(promise && { promise }) } }
      return status === 'ok' && promise === 'FAILURE'
        ? { ...outcome, status: 'failed', detail: 'the agent says FAILURE' }
        : outcome
    },

    async evaluate(a, { state }, signal): Promise<Verdict> {
      const { outcome } = state
      if (outcome?.status !== 'ok') return { status: 'failed', detail: outcome?.detail, data: { by: 'agent' } }
      for (const [index, gate] of request.gates.entries()) {
        const log = logOf(a, `gate-${index + 1}`)
        const argv = ['/bin/sh', '-c', gate] as const
        tools.onProgress?.({ phase: 'gate', says: gate })
        const exit = await shell.run(
          { argv, cwd: workspace, env: tools.env, log, scope: run, wallMs: gateMs(a) },
          signal,
        )
        if (exit.status === 'exited' && exit.code === 0) continue
        if (exit.exhausted) return { status: 'unavailable', detail: exit.detail }
        const evidence = exit.outputBytes > 0 ? await artifacts.adopt(log) : undefined
        const how = exit.status === 'exited' ? `exit ${exit.code ?? exit.signal}` : exit.status
        return {
          status: 'failed',
          evidence,
          detail: `gate ${JSON.stringify(gate.slice(0, 80))} failed (${how})`,
          data: { by: 'gate', gate: index },
        }
      }
      return { status: 'passed', data: { gates: request.gates.length } }
    },

    async recover() {
      await shell.endLeftovers(run)
      return undefined
    },
  }

  function logOf(a: Attempt, what: string): string {
    return tools.fileOf(`attempts/${a.task.id}-attempt-${a.attempt}-${what}.log`)
  }
}

const gateMs = (a: Attempt): number | undefined => {
  const { ms } = a.left()
  return Number.isFinite(ms) ? ms : undefined
}

/** A hint at most: the whole last line, and never one that stands as a line in the prompt itself. */
function promiseIn(lastMessage: string, prompt: string): string | undefined {
  const words = ['SUCCESS', 'FAILURE', 'BLOCKED']
  const found = words.find((word) => lastMessage === `<promise>${word}</promise>`)
  const echoed = prompt.split('\n').some((line) => line.trim() === lastMessage)
  return found && !echoed ? found : undefined
}
