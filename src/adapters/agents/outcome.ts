import type { AgentReport, Fault } from '../../ports/agent.ts'
import type { Exit } from '../../ports/shell.ts'
import { classifyError, quoteError } from './own-words.ts'
import type { ReadResult } from './reader.ts'

type Bounds = {
  readonly now: number
  readonly silenceMs: number | undefined
  readonly wallMs: number | undefined
  /** Set if the agent was stopped because provider errors lasted too long. */
  readonly lost?: Fault | undefined
  /** The provider's error that was the last thing the agent reported. */
  readonly problem?: string | undefined
}

type ClassifiedExit = Pick<AgentReport, 'status' | 'detail' | 'retryAt' | 'fault'>

/** Derives the status from the exit and the agent's output. Exit code 0 is no proof of success: the output may override it. */
export function classifyOutcome(exit: Exit, result: ReadResult, bounds: Bounds): ClassifiedExit {
  const problem = bounds.problem?.slice(0, maxDetailLength)
  switch (exit.status) {
    case 'exited':
      return classifyExit(exit, result, bounds.now)
    case 'timed-out':
      return {
        status: 'timed-out',
        detail: joinParts(`ran longer than ${seconds(bounds.wallMs)}`, problem, exit.detail),
      }
    case 'silent':
      return {
        status: 'timed-out',
        detail: joinParts(`no output for ${seconds(bounds.silenceMs)}`, problem, exit.detail),
      }
    case 'stopped':
      if (bounds.lost) {
        const detail = joinParts('the provider does not respond', problem)
        return { status: 'unavailable', detail, fault: bounds.lost }
      }
      return { status: 'interrupted', detail: joinParts(problem, exit.detail) || undefined }
    case 'not-started':
      if (exit.exhausted) return { status: 'unavailable', detail: exit.detail, retryAt: bounds.now + 1000 }
      return { status: 'failed', detail: exit.detail ?? 'not started' }
  }
}

function classifyExit(exit: Exit, result: ReadResult, now: number): ClassifiedExit {
  const { error, finished, resetAt } = result
  const code = exit.signal ? `ended by ${exit.signal}` : `exit ${exit.code}`
  const wrong = error !== undefined || finished === false || exit.code !== 0
  if (!wrong) return { status: 'ok', detail: exit.detail }
  const quoted = error === undefined ? quoteFailure(exit, result) : undefined
  const ending = error === undefined && exit.code === 0 ? 'the output ended without a result' : undefined
  const detail = joinParts(code, ending, (error ?? quoted)?.slice(0, maxDetailLength), exit.detail)
  // An agent that did work may have printed anything, so its other output proves nothing.
  const fault = result.fault ?? (result.worked === false && quoted ? classifyError(quoted) : undefined)
  if (fault === 'login') return { status: 'failed', detail, fault }
  const limited = resetAt !== undefined && resetAt > now
  if (fault === undefined && !limited) return { status: 'failed', detail }
  const later = limited && resetAt < now + maxLimitMs ? resetAt : undefined
  return { status: 'unavailable', detail, fault: fault ?? 'limit', retryAt: later }
}

/** Quotes stderr, or else stdout. Lines of JSON are events, not words; long text of an unknown agent is a conversation. */
function quoteFailure({ stdoutTail, stderrTail }: Exit, { worked }: ReadResult): string | undefined {
  const lines = stdoutTail.split('\n').filter((line) => line.trim() !== '' && (worked === undefined || line[0] !== '{'))
  const isConversation = worked === undefined && lines.length > maxQuotedLines
  return quoteError(stderrTail) ?? (isConversation ? undefined : quoteError(lines.join('\n')))
}

const maxQuotedLines = 5

/** An agent that was stopped or killed did not fail by itself, so its silence proves nothing. */
export function findWorked(exit: Exit, { worked, error }: ReadResult): boolean | undefined {
  if (worked) return true
  if (exit.status === 'not-started') return exit.exhausted ? undefined : false
  if (exit.status !== 'exited' || exit.signal) return undefined
  if (exit.code === 126 || exit.code === 127) return false
  return worked === false && (error !== undefined || exit.code !== 0) ? false : undefined
}

const maxDetailLength = 300
/** Reset times further away are ignored; the loop then decides how long to wait. */
const maxLimitMs = 400 * 86_400_000
const joinParts = (...parts: readonly (string | undefined)[]): string => parts.filter(Boolean).join('; ')

const seconds = (ms = 0): string => `${Math.round(ms) / 1000} s`
