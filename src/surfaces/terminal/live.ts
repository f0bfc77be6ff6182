import type { LoopEvent } from '../../contract/event.ts'
import type { Progress } from '../../contract/progress.ts'
import type { Usage } from '../../contract/values.ts'
import { iteration } from '../../modes/procedure/show/lines.ts'
import type { LoopState } from '../../run/read-run.ts'
import { firstBound } from '../../show/forecast.ts'
import { clockTime, moment, plural, ticking } from '../../show/format.ts'
import { settingOf } from '../../show/words.ts'
import { oneLine } from './plain-text.ts'
import type { LiveLine } from './screen.ts'

/** A run as it is watched from outside. Moments are monotonic. */
export type Watched = {
  readonly state: LoopState
  readonly eventMs: number
  readonly said?: Progress | undefined
  readonly saidMs: number
  /** Used so far by the attempt that runs, where it tells; no longer once it is part of the totals. */
  readonly usage?: Usage | undefined
}

/** Wall-clock time for a wait that names a moment, monotonic time for everything that has passed. */
export type Now = { readonly at: number; readonly ms: number }

export function afterEvent(before: Watched | undefined, event: LoopEvent, state: LoopState, ms: number): Watched {
  const fresh = event.type === 'attempt-started' || !before
  const { said, saidMs, usage } = fresh ? { saidMs: ms } : before
  if (event.type !== 'call-ended') return { state, eventMs: ms, said, saidMs, usage }
  return { state, eventMs: ms, said: said?.phase === 'model' ? undefined : said, saidMs, usage: undefined }
}

export const afterProgress = (before: Watched, said: Progress, saidMs: number): Watched => ({
  ...before,
  said,
  saidMs,
  usage: said.usage ?? before.usage,
})

/** What goes on at this moment, in at most three lines of any length. Nothing once the run has ended. */
export function liveLines(watched: Watched, now: Now): LiveLine[] {
  if (watched.state.ended) return []
  const { state, said, saidMs } = watched
  const age = ticking(now.ms - saidMs)
  const what = said?.phase === 'gate' ? `this gate began ${age} ago` : `last output ${age} ago: ${text(said)}`
  const activity = said ? what : `no output yet, for ${age}`
  const bound = boundIn(state)
  const sums = [spentSoFar(watched), bound].filter(Boolean).join('; ')
  return [
    { text: standing(watched, now), look: 'bold' as const },
    ...(idle(state) ? [] : [{ text: activity }]),
    ...(sums ? [{ text: sums, look: 'dim' as const }] : []),
  ]
}

/** The same in one line, for where nothing can be redrawn. */
export function heartbeat(watched: Watched, now: Now): string {
  const { state, said, saidMs } = watched
  const age = ticking(now.ms - saidMs)
  const heard = said?.phase === 'agent' ? `last output ${age} ago` : said ? `began ${age} ago` : 'no output yet'
  const parts = [standing(watched, now), idle(state) ? '' : heard, spentSoFar(watched)]
  return `[${clockTime(now.at)}] ${parts.filter(Boolean).join(', ')}`
}

const text = (said: Progress | undefined): string => oneLine(said?.says ?? '')

const idle = (state: LoopState): boolean => Boolean(state.wait ?? state.question) && !state.running

/** "Iteration 2/10: agent, 1m30s", or what it waits for. */
function standing(watched: Watched, now: Now): string {
  const { state, eventMs } = watched
  return idleLine(watched, now) ?? `${taskIn(state)}: ${phaseOf(watched)}, ${ticking(state.taskMs + now.ms - eventMs)}`
}

/** What a run waits for, where it does. */
export function idleLine({ state, eventMs }: Watched, now: Now): string | undefined {
  if (state.running) return undefined
  if (state.question) {
    const what = state.question.topic === 'paused' ? 'paused' : `it asks: ${oneLine(state.question.topic)}`
    return `${what}, for ${ticking(now.ms - eventMs)}; go on with: pawl answer`
  }
  return state.wait && waiting(state, now)
}

/** "Iteration 2/10", "S1 attempt 2/4", or the chore that is done between stories. */
function taskIn({ task, attempt, tasks, caps }: LoopState): string {
  const iterates = task ? task.id.startsWith('iteration-') : caps.attemptsPerTask === undefined
  if (iterates) return iteration(task?.id ?? `iteration-${tasks + 1}`, caps.tasks)
  if (!task) return 'between two stories'
  if (task.kind === 'chore') return task.id.replace('-', ' ')
  const of = caps.attemptsPerTask && attempt <= caps.attemptsPerTask ? `/${caps.attemptsPerTask}` : ''
  return `${task.id} attempt ${Math.max(1, attempt)}${of}`
}

function phaseOf({ state, said }: Watched): string {
  if (state.running) return state.task?.kind === 'chore' ? 'at work' : 'agent'
  if (!state.outcome || state.verdict) return 'starting'
  return said?.phase === 'gate' ? `gate \`${text(said)}\`` : 'gates'
}

function waiting({ wait, decision }: LoopState, { at }: Now): string {
  const until = wait?.until ?? at
  const left = Math.max(0, until - at)
  const reason = decision?.do === 'wait' ? oneLine(decision.reason) : 'before the next try'
  const what = reason.endsWith('limit') ? `waiting for ${reason}` : `waiting (${reason})`
  // A moment that is not today would be read as today's.
  const when = left > 20 * 3_600_000 ? `${moment(until)} UTC` : clockTime(until).slice(0, 5)
  return `${what}: ${ticking(left)} left, until ${when}; skip: pawl resume --now`
}

/** What is not known is not zero. */
function spentSoFar({ state, usage }: Watched): string {
  const open = state.running && Object.keys(state.calls).length === 0
  const told = open ? usage : { tokens: 0, costUsd: 0 }
  const tokens = state.tokens + (told?.tokens ?? 0)
  const costUsd = state.costUsd + (told?.costUsd ?? 0)
  const isKnown = (amount: number | null | undefined): boolean => state.unknownCalls === 0 && typeof amount === 'number'
  const about = open && usage?.estimated ? '~' : ''
  const parts = [
    ...(tokens > 0 ? [{ text: `${about}${tokens.toLocaleString('en')} tokens`, known: isKnown(told?.tokens) }] : []),
    ...(costUsd > 0 ? [{ text: `${about}$${costUsd.toFixed(2)}`, known: isKnown(told?.costUsd) }] : []),
  ]
  if (parts.length === 0) return isKnown(told?.tokens) ? '' : 'tokens not told yet'
  // Said once it holds for what follows as well.
  const first = parts.findIndex(({ known }) => !known)
  return parts.map(({ text }, index) => (index === first ? `at least ${text}` : text)).join(', ')
}

/** "first bound: max_time in ~3 iterations" */
function boundIn(state: LoopState): string {
  const bound = firstBound(state)
  if (!bound) return ''
  const setting = settingOf(bound.cap)
  if ('ms' in bound) return `first bound: ${setting} in ${ticking(bound.ms)}`
  if ('failures' in bound) return `first bound: ${setting} after ${plural(bound.failures, 'more failure')}`
  const { cap, iterations } = bound
  const [one, many] = state.caps.attemptsPerTask === undefined ? ['iteration', 'iterations'] : ['story', 'stories']
  const when = iterations <= 1 ? `this ${one}` : `${cap === 'tasks' ? '' : '~'}${plural(iterations, one, many)}`
  return `first bound: ${setting} in ${when}`
}
