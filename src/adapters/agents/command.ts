import { stat } from 'node:fs/promises'
import type { Agent, AgentReport, AgentRequest, Fault } from '../../ports/agent.ts'
import type { Artifacts } from '../../ports/artifacts.ts'
import type { Exit, Shell } from '../../ports/shell.ts'
import { type Reader, type ReadResult, takeEnd, unknownUsage } from './reader.ts'
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
    const patience = createStallTimer(troubleMs, () => givenUp.abort('trouble'))
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
      ...classifyOutcome(exit, words, { now: now(), silenceMs, wallMs, lost }),
      exitCode: exit.code,
      usage: own.usage.tokens === null && own.usage.costUsd === null ? result.usage : own.usage,
      providerMs: exit.durationMs,
      log: log && (await exists(log)) ? await artifacts.adopt(log) : undefined,
      denied: own.denied,
      lastMessage: takeEnd(own.lastMessage, longestMessage),
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

const mostLines = 20

/** An agent whose output is text: its last message is the last lines, since nothing tells where it begins. */
function readPlain(): Reader {
  const lines: string[] = []
  return {
    line: (text) => {
      const says = text.trim()
      if (says !== '' || lines.at(-1) !== '') lines.push(takeEnd(text))
      if (lines.length > mostLines) lines.shift()
      return says === '' ? undefined : { says }
    },
    told: () => ({ usage: unknownUsage, lastMessage: takeEnd(lines.join('\n')), denied: 0 }),
  }
}

/** Agents in trouble with their provider may try again for hours, unseen. After a while the loop waits better itself. */
type StallTimer = {
  /** Called after every sign of life, with the trouble it tells of. */
  heard(trouble: Fault | undefined): void
  /** What it was given up for. */
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

type LineSplitter = { push(text: string): void; end(): void }

const longestLine = 1 << 20
const cutNotice = 1000

/** Whole lines of a stream that comes in pieces. Of a line without end only the beginning is told: memory is bounded. */
function splitLines(onLine: (line: string) => void): LineSplitter {
  let open = ''
  let dropping = false
  const finish = (line: string): void => {
    if (!dropping) onLine(line.endsWith('\r') ? line.slice(0, -1) : line)
    dropping = false
  }
  return {
    push: (text) => {
      const parts = text.split('\n')
      parts[0] = open + parts[0]
      open = parts.pop() ?? ''
      for (const line of parts) finish(line)
      if (open.length <= longestLine) return
      if (!dropping) onLine(open.slice(0, cutNotice))
      dropping = true
      open = ''
    },
    end: () => {
      if (open !== '') finish(open)
      open = ''
    },
  }
}

type Bounds = {
  readonly now: number
  readonly silenceMs: number | undefined
  readonly wallMs: number | undefined
  /** It was ended since it was in trouble with its provider for too long. */
  readonly lost?: Fault | undefined
}

type ClassifiedExit = Pick<AgentReport, 'status' | 'detail' | 'retryAt' | 'fault'>

/** From how a process ended and what it told to one status. No exit code is proof: what it reports may overrule 0. */
function classifyOutcome(exit: Exit, told: ReadResult, bounds: Bounds): ClassifiedExit {
  switch (exit.status) {
    case 'exited':
      return classifyExit(exit, told, bounds.now)
    case 'timed-out':
      return { status: 'timed-out', detail: joined(`ran longer than ${seconds(bounds.wallMs)}`, exit.detail) }
    case 'silent':
      return { status: 'timed-out', detail: joined(`no output for ${seconds(bounds.silenceMs)}`, exit.detail) }
    case 'stopped':
      if (bounds.lost) return { status: 'unavailable', detail: 'its provider does not answer', fault: bounds.lost }
      return { status: 'interrupted', detail: exit.detail }
    case 'not-started':
      if (exit.exhausted) return { status: 'unavailable', detail: exit.detail, retryAt: bounds.now + 1000 }
      return { status: 'failed', detail: exit.detail ?? 'not started' }
  }
}

function classifyExit(exit: Exit, { error, fault, finished, resetAt }: ReadResult, now: number): ClassifiedExit {
  const code = exit.signal ? `ended by ${exit.signal}` : `exit ${exit.code}`
  const wrong = error !== undefined || finished === false || exit.code !== 0
  if (!wrong) return { status: 'ok', detail: exit.detail }
  const says = error ?? (finished === false && exit.code === 0 ? 'its output ended without a result' : undefined)
  const detail = joined(code, says?.slice(0, longestDetail), exit.detail)
  if (fault === 'login') return { status: 'failed', detail, fault }
  const limited = resetAt !== undefined && resetAt > now
  if (fault === undefined && !limited) return { status: 'failed', detail }
  const later = limited && resetAt < now + longestLimitMs ? resetAt : undefined
  return { status: 'unavailable', detail, fault: fault ?? 'limit', retryAt: later }
}

const longestDetail = 300
/** A moment that is further away is nonsense; how long to wait is then for the loop to find out. */
const longestLimitMs = 400 * 86_400_000
const joined = (...parts: readonly (string | undefined)[]): string => parts.filter(Boolean).join('; ')

const seconds = (ms = 0): string => `${Math.round(ms) / 1000} s`
