import { stat } from 'node:fs/promises'
import type { Agent, AgentReport, AgentRequest } from '../../ports/agent.ts'
import type { Artifacts } from '../../ports/artifacts.ts'
import type { Shell } from '../../ports/shell.ts'
import { judge } from './judge.ts'
import { splitLines } from './lines.ts'
import { createPatience } from './patience.ts'
import { readPlain } from './plain.ts'
import { endOf, type Reader } from './reader.ts'
import { clearResult, readResult } from './result.ts'

export type CommandAgentOptions = {
  readonly name: string
  readonly argv: readonly [string, ...string[]]
  readonly env: Readonly<Record<string, string>>
  readonly silenceMs?: number | undefined
  /** How long an agent may be in trouble with its provider before it is ended and tried again later. */
  readonly troubleMs?: number | undefined
  /** Wall-clock time, for a limit that names a moment. */
  readonly now: () => number
  /** Understands this agent's output; text, where it is not given. */
  readonly newReader?: (() => Reader) | undefined
  /** Arguments that make the agent itself hold to what is left to spend. */
  readonly capArgs?: ((costUsd: number) => readonly string[]) | undefined
  /** What is kept of the last message, in characters. */
  readonly longestMessage?: number | undefined
}

const usualTroubleMs = 5 * 60_000

/** Any AI command that takes its prompt on stdin. What its output does not tell it may write to PAWL_RESULT_FILE. */
export function createCommandAgent(
  shell: Shell,
  artifacts: Pick<Artifacts, 'adopt'>,
  options: CommandAgentOptions,
): Agent {
  const { name, silenceMs, troubleMs = usualTroubleMs, now, newReader = readPlain, capArgs, longestMessage } = options

  async function run(request: AgentRequest, signal: AbortSignal): Promise<AgentReport> {
    const { task, attempt, cwd, prompt, log, wallMs, costUsd } = request
    const { resultFile = log && `${log}.result.json` } = request
    if (resultFile) await clearResult(resultFile)
    const told = {
      PAWL_STORY_ID: task,
      PAWL_ATTEMPT: String(attempt),
      ...(resultFile && { PAWL_RESULT_FILE: resultFile }),
    }
    const caps = costUsd === undefined ? [] : (capArgs?.(costUsd) ?? [])
    const [program, ...args] = options.argv
    const argv = [program, ...args, ...caps] as const
    const givenUp = new AbortController()
    const patience = createPatience(troubleMs, () => givenUp.abort('trouble'))
    const reading = startReading(newReader(), request, patience.heard)
    const exit = await shell
      .run(
        {
          argv,
          cwd,
          env: { ...options.env, ...told },
          stdin: prompt,
          log,
          wallMs,
          silenceMs,
          scope: request.run,
          onOutput: reading.take,
        },
        AbortSignal.any([signal, givenUp.signal]),
      )
      .finally(patience.close)
    const own = reading.end()
    const result = await readResult(resultFile)
    // An agent that tells of limits itself is not talked into one by a file that anything it starts can write.
    const resetAt = own.resetAt ?? (options.newReader ? undefined : (result.resetAt ?? undefined))
    const words = { ...own, resetAt }
    const lost = signal.aborted ? undefined : patience.lost()
    return {
      ...judge(exit, words, { now: now(), silenceMs, wallMs, lost }),
      exitCode: exit.code,
      usage: own.usage.tokens === null && own.usage.costUsd === null ? result.usage : own.usage,
      providerMs: exit.durationMs,
      log: log && (await exists(log)) ? await artifacts.adopt(log) : undefined,
      denied: own.denied,
      lastMessage: endOf(own.lastMessage, longestMessage),
    }
  }

  return { name, run }
}

/** From chunks of output to lines to what they mean, told on as it comes. */
function startReading(
  reader: Reader,
  { onProgress }: AgentRequest,
  heard: (trouble: ReturnType<NonNullable<Reader['trouble']>>) => void,
) {
  const lines = {
    stdout: splitLines((line) => {
      const activity = reader.line(line)
      heard(reader.trouble?.())
      if (activity) onProgress?.({ phase: 'agent', ...activity })
    }),
    stderr: splitLines((says) => {
      reader.warning?.(says)
      if (says.trim()) onProgress?.({ phase: 'agent', says })
    }),
  }
  return {
    take: (stream: 'stdout' | 'stderr', text: string): void => lines[stream].push(text),
    end: () => {
      lines.stdout.end()
      lines.stderr.end()
      return reader.told()
    },
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
}
