import type { AgentReport, Fault } from '../../ports/agent.ts'
import type { Exit } from '../../ports/shell.ts'
import type { Told } from './reader.ts'

export type Bounds = {
  readonly now: number
  readonly silenceMs: number | undefined
  readonly wallMs: number | undefined
  /** It was ended since it was in trouble with its provider for too long. */
  readonly lost?: Fault | undefined
}

type Judged = Pick<AgentReport, 'status' | 'detail' | 'retryAt' | 'fault'>

/** From how a process ended and what it told to one status. No exit code is proof: what it reports may overrule 0. */
export function judge(exit: Exit, told: Told, bounds: Bounds): Judged {
  switch (exit.status) {
    case 'exited':
      return judgeExit(exit, told, bounds.now)
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

function judgeExit(exit: Exit, { error, fault, finished, resetAt }: Told, now: number): Judged {
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
