import { stat } from 'node:fs/promises'
import type { Agent, AgentReport, AgentRequest } from '../../ports/agent.ts'
import type { Artifacts } from '../../ports/artifacts.ts'
import type { Shell } from '../../ports/shell.ts'
import { judge } from './judge.ts'
import { splitLines } from './lines.ts'
import { readPlain } from './plain.ts'
import type { Reader } from './reader.ts'
import { clearResult, readResult } from './result.ts'

export type CommandAgentOptions = {
  readonly name: string
  readonly argv: readonly [string, ...string[]]
  readonly env: Readonly<Record<string, string>>
  readonly silenceMs?: number | undefined
  /** Wall-clock time, for a limit that names a moment. */
  readonly now: () => number
  /** Understands this agent's output; text, where it is not given. */
  readonly newReader?: (() => Reader) | undefined
  /** Arguments that make the agent itself hold to what is left to spend. */
  readonly capArgs?: ((costUsd: number) => readonly string[]) | undefined
}

/** Any AI command that takes its prompt on stdin. What its output does not tell it may write to PAWL_RESULT_FILE. */
export function createCommandAgent(
  shell: Shell,
  artifacts: Pick<Artifacts, 'adopt'>,
  options: CommandAgentOptions,
): Agent {
  const { name, silenceMs, now, newReader = readPlain, capArgs } = options

  async function run(request: AgentRequest, signal: AbortSignal): Promise<AgentReport> {
    const { task, attempt, cwd, prompt, log, wallMs, costUsd, onProgress } = request
    const resultFile = `${log}.result.json`
    await clearResult(resultFile)
    const told = { PAWL_STORY_ID: task, PAWL_ATTEMPT: String(attempt), PAWL_RESULT_FILE: resultFile }
    const env = { ...options.env, ...told }
    const caps = costUsd === undefined ? [] : (capArgs?.(costUsd) ?? [])
    const argv = [...options.argv, ...caps] as unknown as typeof options.argv
    const reader = newReader()
    const read = (line: string): void => {
      const activity = reader.line(line)
      if (activity) onProgress?.({ phase: 'agent', ...activity })
    }
    const warn = (says: string): void => {
      reader.warning?.(says)
      onProgress?.({ phase: 'agent', says })
    }
    const lines = { stdout: splitLines(read), stderr: splitLines(warn) }
    const onOutput = (stream: 'stdout' | 'stderr', text: string): void => lines[stream].push(text)
    const exit = await shell.run(
      { argv, cwd, env, stdin: prompt, log, wallMs, silenceMs, scope: request.run, onOutput },
      signal,
    )
    for (const stream of Object.values(lines)) stream.end()
    const own = reader.told()
    const result = await readResult(resultFile)
    const words = { ...own, resetAt: own.resetAt ?? result.resetAt ?? undefined }
    return {
      ...judge(exit, words, { now: now(), silenceMs, wallMs }),
      exitCode: exit.code,
      usage: own.usage.tokens === null && own.usage.costUsd === null ? result.usage : own.usage,
      providerMs: exit.durationMs,
      log: (await exists(log)) ? await artifacts.adopt(log) : undefined,
      denied: own.denied,
      lastMessage: own.lastMessage,
    }
  }

  return { name, run }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
}
