import type { Progress } from '../contract/progress.ts'
import type { Line, Live, Span } from '../contract/show.ts'
import type { LoopState } from '../kernel/state.ts'
import { firstBound } from './forecast.ts'
import { plural, ticking } from './format.ts'
import { idleLine } from './idle-line.ts'
import { outputLine } from './one-line.ts'
import type { Reasons, Show, Watched } from './show.ts'

/** How a mode whose work agents do, and whose verdicts commands reach, calls what goes on. */
export type WorkWords<Memo> = Pick<Show<never, never, Memo, never>, 'unit' | 'setting'> & {
  readonly reasons: Reasons<Memo>
  /** The open task, or that there is none at this moment: "Iteration 2/10", "S1 attempt 2/4". */
  task(state: LoopState): string
}

/** What goes on at this moment, in three lines: what it does, what it heard last, what is spent. */
export function workLive<Memo>(watched: Watched<Memo>, words: WorkWords<Memo>): Live {
  const { state } = watched.view
  const doing = standing(watched, words)
  const spent = spentSoFar(watched)
  const note = [spent, boundIn(state, words)].filter(Boolean).join('; ')
  const brief = [doing, isIdle(state) ? [] : briefly(watched), spent ? [spent] : []]
  return {
    doing,
    ...(!isIdle(state) && { activity: heard(watched) }),
    bounds: [],
    ...(note && { note: [note] }),
    brief: brief.filter((line) => line.length > 0).flatMap((line, index) => (index > 0 ? [', ', ...line] : line)),
  }
}

const isIdle = (state: LoopState): boolean => Boolean(state.wait ?? state.question) && !state.running

/** "Iteration 2/10: agent, 1m30s", or what it waits for. */
function standing<Memo>(watched: Watched<Memo>, words: WorkWords<Memo>): Line {
  const { view, eventAt } = watched
  const { state } = view
  return (
    idleLine(watched, words.reasons) ?? [`${words.task(state)}: ${phaseOf(watched)}, `, since(eventAt - state.taskMs)]
  )
}

const since = (at: number): Span => ({ is: 'since', at })

function phaseOf<Memo>({ view: { state }, said }: Watched<Memo>): string {
  if (state.running) return state.task?.kind === 'chore' ? 'at work' : 'agent'
  if (!state.outcome || state.verdict) return 'starting'
  return said?.phase === 'gate' ? `gate \`${textOf(said)}\`` : 'gates'
}

const textOf = (said: Progress): string => outputLine(said.says)

function heard<Memo>({ said, saidAt }: Watched<Memo>): Line {
  if (!said) return ['no output yet, for ', since(saidAt)]
  return said.phase === 'gate'
    ? ['this gate began ', since(saidAt), ' ago']
    : ['last output ', since(saidAt), ` ago: ${textOf(said)}`]
}

function briefly<Memo>({ said, saidAt }: Watched<Memo>): Line {
  if (!said) return ['no output yet']
  return [said.phase === 'agent' ? 'last output ' : 'began ', since(saidAt), ' ago']
}

/** What is not known is not zero. */
function spentSoFar<Memo>({ view: { state }, usage }: Watched<Memo>): string {
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
function boundIn<Memo>(state: LoopState, { unit: { one, many }, setting }: WorkWords<Memo>): string {
  const bound = firstBound(state)
  if (!bound) return ''
  const name = setting(bound.cap)
  if ('ms' in bound) return `first bound: ${name} in ${ticking(bound.ms)}`
  if ('failures' in bound) return `first bound: ${name} after ${plural(bound.failures, 'more failure')}`
  const { cap, iterations } = bound
  const when = iterations <= 1 ? `this ${one}` : `${cap === 'tasks' ? '' : '~'}${plural(iterations, one, many)}`
  return `first bound: ${name} in ${when}`
}
