import type { Progress } from '../contract/progress.ts'
import type { Bound, Line, Live, Span } from '../contract/show.ts'
import type { CapName } from '../contract/values.ts'
import type { LoopState } from '../kernel/state.ts'
import { formatCount, formatOutputLine, formatTicking } from './format.ts'
import { formatIdleLine } from './lines.ts'
import type { Reasons, Show, Watched } from './show.ts'

/** How a mode whose work agents do, and whose verdicts commands reach, calls what goes on. */
export type WorkWords<Memo> = Pick<Show<never, never, Memo, never>, 'unit' | 'setting'> & {
  readonly reasons: Reasons<Memo>
  /** The open task, or that there is none at this moment: "Iteration 2/10", "S1 attempt 2/4". */
  task(state: LoopState): string
}

/** What goes on at this moment, in three lines: what it does, what it heard last, what is spent. */
export function showWorkLive<Memo>(watched: Watched<Memo>, words: WorkWords<Memo>): Live {
  const { state } = watched.view
  const doing = standing(watched, words)
  const spent = spentSoFar(watched)
  const note = [spent, formatFirstBound(state, words)].filter(Boolean).join('; ')
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
    formatIdleLine(watched, words.reasons) ?? [
      `${words.task(state)}: ${formatPhase(watched)}, `,
      since(eventAt - state.taskMs),
    ]
  )
}

const since = (at: number): Span => ({ is: 'since', at })

function formatPhase<Memo>({ view: { state }, said }: Watched<Memo>): string {
  if (state.running) return state.task?.kind === 'chore' ? 'at work' : 'agent'
  if (!state.outcome || state.verdict) return 'starting'
  return said?.phase === 'gate' ? `gate \`${formatSaid(said)}\`` : 'gates'
}

const formatSaid = (said: Progress): string => formatOutputLine(said.says)

function heard<Memo>({ said, saidAt }: Watched<Memo>): Line {
  if (!said) return ['no output yet, for ', since(saidAt)]
  return said.phase === 'gate'
    ? ['this gate began ', since(saidAt), ' ago']
    : ['last output ', since(saidAt), ` ago: ${formatSaid(said)}`]
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
function formatFirstBound<Memo>(state: LoopState, { unit: { one, many }, setting }: WorkWords<Memo>): string {
  const bound = findFirstBound(state)
  if (!bound) return ''
  const name = setting(bound.cap)
  if ('ms' in bound) return `first bound: ${name} in ${formatTicking(bound.ms)}`
  if ('failures' in bound) return `first bound: ${name} after ${formatCount(bound.failures, 'more failure')}`
  const { cap, iterations } = bound
  const when = iterations <= 1 ? `this ${one}` : `${cap === 'tasks' ? '' : '~'}${formatCount(iterations, one, many)}`
  return `first bound: ${name} in ${when}`
}

/** The bound that ends a run first if it goes on as it did. What is left is counted with the iteration that runs. */
type Forecast = { readonly cap: CapName } & (
  | { readonly iterations: number }
  | { readonly failures: number }
  | { readonly ms: number }
)

/** Pure: from what an iteration has used on average. Before the first one is done only plain counts are known. */
export function findFirstBound(state: LoopState): Forecast | undefined {
  const nearest = allowed(state).sort((a, b) => a.iterations - b.iterations)[0]
  if (nearest) return nearest.cap === 'failuresInARow' ? { cap: nearest.cap, failures: nearest.iterations } : nearest
  const { activeMs } = state.caps
  return activeMs === undefined ? undefined : { cap: 'activeMs', ms: Math.max(0, activeMs - state.activeMs) }
}

/** How many iterations each bound still allows. A bound that nothing has used so far says nothing. */
function allowed(state: LoopState): { cap: CapName; iterations: number }[] {
  const { caps, tasks, failuresInARow } = state
  const each = (used: number): number => (tasks > 0 ? used / tasks : 0)
  const uses = [
    ['tasks', tasks, 1],
    ['attemptsPerRun', state.attempts, each(state.attempts)],
    ['activeMs', state.activeMs, each(state.activeMs)],
    ['tokens', state.tokens, each(state.tokens)],
    ['costUsd', state.costUsd, each(state.costUsd)],
    ['failuresInARow', failuresInARow, failuresInARow > 0 ? 1 : 0],
  ] as const
  return uses.flatMap(([cap, used, perIteration]) => {
    const bound = caps[cap]
    if (bound === undefined || perIteration === 0) return []
    return [{ cap, iterations: Math.max(0, Math.ceil((bound - used) / perIteration)) }]
  })
}

type Counted = { readonly unit: Bound['unit']; readonly name: string; readonly used: (state: LoopState) => number }

/** Bounds of a whole run, in the order in which people ask about them. */
const counted: Partial<Record<CapName, Counted>> = {
  tasks: { unit: 'count', name: 'iterations', used: ({ tasks }) => tasks },
  attemptsPerRun: { unit: 'count', name: 'attempts', used: ({ attempts }) => attempts },
  activeMs: { unit: 'ms', name: 'time', used: ({ activeMs }) => activeMs },
  costUsd: { unit: 'usd', name: 'cost', used: ({ costUsd }) => costUsd },
  tokens: { unit: 'tokens', name: 'tokens', used: ({ tokens }) => tokens },
  failuresInARow: { unit: 'count', name: 'failures in a row', used: ({ failuresInARow }) => failuresInARow },
  waitMs: { unit: 'ms', name: 'waiting', used: ({ waitMs }) => waitMs },
}

/** How much of each bound is used. `names` says what a mode calls it otherwise: its tasks are stories. */
export function listUsualBounds(state: LoopState, names: Partial<Record<CapName, string>> = {}): Bound[] {
  const reason = state.ended?.reason
  return (Object.entries(counted) as [CapName, Counted][]).flatMap(([cap, { unit, name, used }]) => {
    const of = state.caps[cap]
    if (of === undefined) return []
    const atLeast = state.unknownCalls > 0 && (unit === 'usd' || unit === 'tokens')
    const fired = reason?.code === 'cap_spent' && reason.cap === cap
    return [
      {
        cap,
        name: names[cap] ?? name,
        used: used(state),
        of,
        unit,
        ...(atLeast && { atLeast: true as const }),
        ...(fired && { fired: true as const }),
      },
    ]
  })
}
