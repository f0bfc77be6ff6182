import { constants } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { boundText, describeEntry, describeTool } from '../../contract/transcript.ts'
import type { Usage } from '../../contract/values.ts'
import type { Agent, AgentReport, AgentRequest, Fault } from '../../ports/agent.ts'
import type { Artifacts } from '../../ports/artifacts.ts'
import type { Shell } from '../../ports/shell.ts'
import { classifyOutcome, findWorked } from './outcome.ts'
import { readPlain } from './plain.ts'
import { type Entries, outputEntry, type Reader, type ReadResult, takeEnd, toActivity } from './reader.ts'
import { type AgentResult, clearResult, readResult } from './result.ts'
import { splitLines } from './split-lines.ts'

export type CommandAgentOptions = {
  readonly name: string
  readonly argv: readonly [string, ...string[]]
  readonly env: Readonly<Record<string, string>>
  readonly silenceMs?: number | undefined
  /** How long an agent may retry after provider errors before it is stopped and retried later. */
  readonly troubleMs?: number | undefined
  /** Wall-clock time, compared with the reset time of a usage limit. */
  readonly now: () => number
  /** Creates the parser of this agent's output. Default: plain text. */
  readonly newReader?: (() => Reader) | undefined
  /** Arguments that make the agent itself respect the remaining budget. */
  readonly capArgs?: ((costUsd: number) => readonly string[]) | undefined
  /** Maximum length of the last message in characters. */
  readonly longestMessage?: number | undefined
}

const defaultTroubleMs = 5 * 60_000

/** Runs any AI command that reads its prompt from stdin. It may report usage and limits in PAWL_RESULT_FILE. */
export function createCommandAgent(
  shell: Shell,
  artifacts: Pick<Artifacts, 'adopt'>,
  options: CommandAgentOptions,
): Agent {
  const { name, silenceMs, troubleMs = defaultTroubleMs, now, newReader = readPlain, capArgs, longestMessage } = options

  async function run(request: AgentRequest, signal: AbortSignal): Promise<AgentReport> {
    const { task, attempt, cwd, prompt, log, wallMs, costUsd } = request
    const resultFile = findResultFile(request)
    if (resultFile) await clearResult(resultFile)
    const variables = {
      PAWL_STORY_ID: task,
      PAWL_ATTEMPT: String(attempt),
      ...(resultFile && { PAWL_RESULT_FILE: resultFile }),
    }
    const caps = costUsd === undefined ? [] : (capArgs?.(costUsd) ?? [])
    const [program, ...args] = options.argv
    const argv = [program, ...args, ...caps] as const
    const stalled = new AbortController()
    const stallTimer = createStallTimer(troubleMs, () => stalled.abort('trouble'))
    const reading = startReading(newReader(), request, stallTimer.heard)
    const exit = await shell
      .run(
        {
          argv,
          cwd,
          env: { ...options.env, ...variables },
          stdin: prompt,
          log,
          wallMs,
          silenceMs,
          scope: request.run,
          onOutput: reading.take,
        },
        AbortSignal.any([signal, stalled.signal]),
      )
      .finally(stallTimer.close)
    const own = reading.end()
    const result = await readResult(resultFile)
    // Ignore limits in the file if the agent reports limits itself: any process it starts can write the file.
    const resetAt = own.resetAt ?? (options.newReader ? undefined : (result.resetAt ?? undefined))
    const lost = signal.aborted ? undefined : stallTimer.lost()
    return {
      ...classifyOutcome(exit, { ...own, resetAt }, { now: now(), silenceMs, wallMs, lost, problem: own.problem }),
      worked: findWorked(exit, own),
      exitCode: exit.code,
      usage: chooseUsage(own, result),
      providerMs: exit.durationMs,
      log: log && (await exists(log)) ? await artifacts.adopt(log) : undefined,
      denied: own.denied,
      ...(own.denials.length > 0 && { denials: own.denials }),
      lastMessage: takeEnd(own.lastMessage, longestMessage),
    }
  }

  async function recover(request: Pick<AgentRequest, 'log' | 'resultFile'>): Promise<Usage> {
    const reader = newReader()
    if (request.log) await readLog(request.log, reader)
    return chooseUsage(reader.result(), await readResult(findResultFile(request)))
  }

  return { name, run, recover }
}

const findResultFile = ({ log, resultFile = log && `${log}.result.json` }: Pick<AgentRequest, 'log' | 'resultFile'>) =>
  resultFile

/** Prefers the agent's own output, because any process it starts can write the result file. */
const chooseUsage = ({ usage }: ReadResult, result: AgentResult): Usage =>
  usage.tokens === null && usage.costUsd === null ? result.usage : usage

/**
 * Parses the log of an attempt that has ended. Ignores errors, since the file may be missing or incomplete. Agents may write
 * nearby, so it does not follow symlinks or wait for named pipes.
 */
async function readLog(path: string, reader: Reader): Promise<void> {
  const lines = splitLines((line) => reader.line(line))
  try {
    await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    if (!(await file.stat()).isFile()) return
    for await (const text of file.createReadStream({ encoding: 'utf8' })) lines.push(text as string)
  } catch {}
  lines.end()
}

const maxDenials = 5
/** Denials are recorded in the journal, whose lines are short. */
const maxDenialBytes = 600

/** Splits output into lines, parses them, reports progress, and keeps the denials and the current problem in words. */
function startReading(
  reader: Reader,
  { onProgress }: AgentRequest,
  heard: (trouble: ReturnType<NonNullable<Reader['trouble']>>) => void,
) {
  const denials: string[] = []
  let problem: string | undefined
  const take = (entries: Entries): void => {
    for (const entry of entries) {
      if (entry.kind === 'denied') addDenial(describeTool(entry))
      if (entry.kind === 'error') problem = describeEntry(entry)
      else if (entry.kind !== 'usage' && entry.kind !== 'output') problem = undefined
    }
    const activity = toActivity(entries)
    if (activity) onProgress?.({ phase: 'agent', ...activity })
  }
  const addDenial = (says: string): void => {
    const short = denials.length === 0 && Buffer.byteLength(says) > maxDenialBytes / 2 ? boundText(says, 60) : says
    const more = [...denials, short]
    const fits = more.length <= maxDenials && Buffer.byteLength(JSON.stringify(more)) <= maxDenialBytes
    if (fits && !denials.includes(short)) denials.push(short)
  }
  const lines = {
    stdout: splitLines((line) => {
      const entries = reader.line(line)
      heard(reader.trouble?.())
      take(entries)
    }),
    stderr: splitLines((line) => take(reader.warning?.(line) ?? outputEntry(line))),
  }
  return {
    take: (stream: 'stdout' | 'stderr', text: string): void => lines[stream].push(text),
    end: () => {
      lines.stdout.end()
      lines.stderr.end()
      return { ...reader.result(), denials, problem }
    },
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
}

/** Stops an agent that keeps retrying after provider errors. It could do so for hours; the loop can wait instead. */
type StallTimer = {
  /** Call after every line of output, with the current provider fault if any. */
  heard(trouble: Fault | undefined): void
  /** The fault that the agent was stopped for. */
  lost(): Fault | undefined
  close(): void
}

function createStallTimer(ms: number, giveUp: () => void): StallTimer {
  let timer: NodeJS.Timeout | undefined
  let now: Fault | undefined
  let lost: Fault | undefined
  const stop = (): void => {
    clearTimeout(timer)
    timer = undefined
  }
  return {
    heard: (trouble) => {
      now = trouble
      if (trouble === undefined) return stop()
      timer ??= setTimeout(() => {
        lost = now
        giveUp()
      }, ms)
    },
    lost: () => lost,
    close: stop,
  }
}
