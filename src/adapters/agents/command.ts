import { stat } from 'node:fs/promises'
import type { Agent, AgentReport, AgentRequest } from '../../ports/agent.ts'
import type { Artifacts } from '../../ports/artifacts.ts'
import type { Exit, Shell } from '../../ports/shell.ts'
import { splitLines } from './lines.ts'
import { type AgentResult, clearResult, readResult } from './result.ts'

export type CommandAgentOptions = {
  readonly name: string
  readonly argv: readonly [string, ...string[]]
  readonly env: Readonly<Record<string, string>>
  readonly silenceMs?: number | undefined
  /** Wall-clock time, for a limit that names a moment. */
  readonly now: () => number
}

/** Any AI command that takes its prompt on stdin. What it tells of itself it writes to PAWL_RESULT_FILE. */
export function createCommandAgent(
  shell: Shell,
  artifacts: Pick<Artifacts, 'adopt'>,
  options: CommandAgentOptions,
): Agent {
  const { name, argv, silenceMs, now } = options

  async function run(request: AgentRequest, signal: AbortSignal): Promise<AgentReport> {
    const { task, attempt, cwd, prompt, log, wallMs, onProgress } = request
    const resultFile = `${log}.result.json`
    await clearResult(resultFile)
    const told = { PAWL_STORY_ID: task, PAWL_ATTEMPT: String(attempt), PAWL_RESULT_FILE: resultFile }
    const env = { ...options.env, ...told }
    const lines = splitLines((says) => onProgress?.({ phase: 'agent', says }))
    const onOutput = onProgress && ((_: string, text: string) => lines.push(text))
    const exit = await shell.run(
      { argv, cwd, env, stdin: prompt, log, wallMs, silenceMs, scope: request.run, onOutput },
      signal,
    )
    const result = await readResult(resultFile)
    return {
      ...judge(exit, result, { now: now(), silenceMs, wallMs }),
      exitCode: exit.code,
      usage: result.usage,
      providerMs: exit.durationMs,
      log: (await exists(log)) ? await artifacts.adopt(log) : undefined,
      lastMessage: lastLine(exit.stdoutTail),
    }
  }

  return { name, run }
}

type Limits = {
  readonly now: number
  readonly silenceMs: number | undefined
  readonly wallMs: number | undefined
}

function judge(
  exit: Exit,
  { resetAt }: AgentResult,
  limits: Limits,
): Pick<AgentReport, 'status' | 'detail' | 'retryAt'> {
  switch (exit.status) {
    case 'exited': {
      if (exit.code === 0) return { status: 'ok', detail: exit.detail }
      const detail = withDetail(exit.signal ? `ended by ${exit.signal}` : `exit ${exit.code}`, exit.detail)
      if (resetAt !== null && resetAt > limits.now) return { status: 'unavailable', detail, retryAt: resetAt }
      return { status: 'failed', detail }
    }
    case 'timed-out':
      return { status: 'timed-out', detail: withDetail(`ran longer than ${seconds(limits.wallMs)}`, exit.detail) }
    case 'silent':
      return { status: 'timed-out', detail: withDetail(`no output for ${seconds(limits.silenceMs)}`, exit.detail) }
    case 'stopped':
      return { status: 'interrupted', detail: exit.detail }
    case 'not-started':
      if (exit.exhausted) return { status: 'unavailable', detail: exit.detail, retryAt: limits.now + 1000 }
      return { status: 'failed', detail: exit.detail ?? 'not started' }
  }
}

function withDetail(what: string, detail: string | undefined): string {
  return detail ? `${what}; ${detail}` : what
}

function seconds(ms = 0): string {
  return `${Math.round(ms) / 1000} s`
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
}

const longestMessage = 2000

function lastLine(text: string): string {
  const line = text.trimEnd().split('\n').at(-1) ?? ''
  return line.trim().slice(0, longestMessage)
}
