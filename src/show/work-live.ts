import type { Progress } from '../contract/progress.ts'
import type { Bound, Line, Live, Span } from '../contract/show.ts'
import type { CapName } from '../contract/values.ts'
import type { LoopState } from '../kernel/state.ts'
import { formatCount, formatOutputLine, formatTicking } from './format.ts'
import { formatIdleLine } from './lines.ts'
import type { Reasons, Show, Watched } from './show.ts'

/** The wording of a mode whose work is done by agents and checked by commands. */
export type WorkWords<Memo> = Pick<Show<never, never, Memo, never>, 'unit' | 'setting'> & {
  readonly reasons: Reasons<Memo>
  /** Names the open task, or says that there is none: "Iteration 2/10", "S1 attempt 2/4". */
  task(state: LoopState): string
}

/** Shows the live state in three lines: the activity, the last output, the spend. */
export function showWorkLive<Memo>(watched: Watched<Memo>, words: WorkWords<Memo>): Live {
  const { state } = watched.view
  const doing = formatActivity(watched, words)
  const spent = formatSpent(watched)
  const denied = isIdle(state) ? '' : formatDenied(watched)
  const note = [denied, spent, formatFirstBound(state, words)].filter(Boolean).join('; ')
  const last = isIdle(state) ? [] : formatLastOutputBriefly(watched)
  const brief = [doing, last, ...[denied, spent].filter(Boolean).map((text) => [text])]
  return {
    doing,
    ...(!isIdle(state) && { activity: formatLastOutput(watched) }),
    bounds: [],
    ...(note && { note: [note] }),
    brief: brief.filter((line) => line.length > 0).flatMap((line, index) => (index > 0 ? [', ', ...line] : line)),
  }
}

const isIdle = (state: LoopState): boolean => Boolean(state.wait ?? state.question) && !state.running

/** "Iteration 2/10: agent, 1m30s", or the reason of the wait. */
function formatActivity<Memo>(watched: Watched<Memo>, words: WorkWords<Memo>): Line {
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
  if (state.running) return state.task?.kind === 'chore' ? 'working' : 'agent'
  if (!state.outcome || state.verdict) return 'starting'
  return said?.phase === 'gate' ? `gate \`${formatSaid(said)}\`` : 'gates'
}

const formatSaid = (said: Progress): string => formatOutputLine(said.says)

function formatLastOutput<Memo>({ said, saidAt }: Watched<Memo>): Line {
  if (!said) return ['no output yet for ', since(saidAt)]
  if (said.problem === 'provider') return formatProblem(said, saidAt)
  return said.phase === 'gate'
    ? ['this gate started ', since(saidAt), ' ago']
    : ['last output ', since(saidAt), ` ago: ${formatSaid(said)}`]
}

function formatLastOutputBriefly<Memo>({ said, saidAt }: Watched<Memo>): Line {
  if (!said) return ['no output yet']
  if (said.problem === 'provider') return formatProblem(said, saidAt)
  return [said.phase === 'agent' ? 'last output ' : 'started ', since(saidAt), ' ago']
}

/** "provider error 529: overloaded, retry 3 of 10 (7s ago)": the agent is alive, but does no work. */
const formatProblem = (said: Progress, saidAt: number): Line => [
  { is: 'bad', text: formatSaid(said) },
  ' (',
  since(saidAt),
  ' ago)',
]

/** "denied: Bash rm -rf x (2 in this attempt)" */
function formatDenied<Memo>({ denied }: Watched<Memo>): string {
  if (!denied) return ''
  return `${formatOutputLine(denied.last)}${denied.count > 1 ? ` (${denied.count} in this attempt)` : ''}`
}

/** Unknown usage is not zero: it is marked with "at least". */
function formatSpent<Memo>({ view: { state }, usage }: Watched<Memo>): string {
  const open = state.running && Object.keys(state.calls).length === 0
  const reported = open ? usage : { tokens: 0, costUsd: 0 }
  const tokens = state.tokens + (reported?.tokens ?? 0)
  const costUsd = state.costUsd + (reported?.costUsd ?? 0)
  const isKnown = (amount: number | null | undefined): boolean => state.unknownCalls === 0 && typeof amount === 'number'
  const about = state.estimatedCalls > 0 || (open && usage?.estimated) ? '~' : ''
  const parts = [
    ...(tokens > 0
      ? [{ text: `${about}${tokens.toLocaleString('en')} tokens`, known: isKnown(reported?.tokens) }]
      : []),
    ...(costUsd > 0 ? [{ text: `${about}$${costUsd.toFixed(2)}`, known: isKnown(reported?.costUsd) }] : []),
  ]
  if (parts.length === 0) return isKnown(reported?.tokens) ? '' : 'no token count yet'
  // The first "at least" also covers the parts after it.
  const first = parts.findIndex(({ known }) => !known)
  return parts.map(({ text }, index) => (index === first ? `at least ${text}` : text)).join(', ')
}

/** "first bound: max_time in ~3 iterations" */
export function formatFirstBound<Memo>(
  state: LoopState,
  { unit: { one, many }, setting }: Pick<WorkWords<Memo>, 'unit' | 'setting'>,
): string {
  const bound = findFirstBound(state)
  if (!bound) return ''
  const name = setting(bound.cap)
  if ('ms' in bound) return `first bound: ${name} in ${formatTicking(bound.ms)}`
  if ('failures' in bound) return `first bound: ${name} after ${formatCount(bound.failures, 'more failure')}`
  const { cap, iterations } = bound
  const when = iterations <= 1 ? `this ${one}` : `${cap === 'tasks' ? '' : '~'}${formatCount(iterations, one, many)}`
  return `first bound: ${name} in ${when}`
}

/** The cap that will end the run first at the current rate. The remaining amount includes the current iteration. */
type Forecast = { readonly cap: CapName } & (
  | { readonly iterations: number }
  | { readonly failures: number }
  | { readonly ms: number }
)

/** Pure. Predicts from the average of an iteration. Before the first one is done, only counts are known. */
export function findFirstBound(state: LoopState): Forecast | undefined {
  const nearest = countAllowedIterations(state).sort((a, b) => a.iterations - b.iterations)[0]
  if (nearest) return nearest.cap === 'failuresInARow' ? { cap: nearest.cap, failures: nearest.iterations } : nearest
  const { activeMs } = state.caps
  return activeMs === undefined ? undefined : { cap: 'activeMs', ms: Math.max(0, activeMs - state.activeMs) }
}

/** Returns how many iterations each cap still allows. Leaves out caps without any use so far. */
function countAllowedIterations(state: LoopState): { cap: CapName; iterations: number }[] {
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

/** Caps per run, in display order. */
const counted: Partial<Record<CapName, Counted>> = {
  tasks: { unit: 'count', name: 'iterations', used: ({ tasks }) => tasks },
  attemptsPerRun: { unit: 'count', name: 'attempts', used: ({ attempts }) => attempts },
  activeMs: { unit: 'ms', name: 'time', used: ({ activeMs }) => activeMs },
  costUsd: { unit: 'usd', name: 'cost', used: ({ costUsd }) => costUsd },
  tokens: { unit: 'tokens', name: 'tokens', used: ({ tokens }) => tokens },
  failuresInARow: { unit: 'count', name: 'failures in a row', used: ({ failuresInARow }) => failuresInARow },
  waitMs: { unit: 'ms', name: 'waiting', used: ({ waitMs }) => waitMs },
}

/** Returns how much of each cap is used. `names` overrides names, for example "stories" for tasks. */
export function listDefaultBounds(state: LoopState, names: Partial<Record<CapName, string>> = {}): Bound[] {
  const reason = state.ended?.reason
  return (Object.entries(counted) as [CapName, Counted][]).flatMap(([cap, { unit, name, used }]) => {
    const of = state.caps[cap]
    if (of === undefined) return []
    const isSpend = unit === 'usd' || unit === 'tokens'
    const atLeast = isSpend && state.unknownCalls > 0
    const estimated = isSpend && state.estimatedCalls > 0
    const fired = reason?.code === 'cap_spent' && reason.cap === cap
    return [
      {
        cap,
        name: names[cap] ?? name,
        used: used(state),
        of,
        unit,
        ...(atLeast && { atLeast: true as const }),
        ...(estimated && { estimated: true as const }),
        ...(fired && { fired: true as const }),
      },
    ]
  })
}
