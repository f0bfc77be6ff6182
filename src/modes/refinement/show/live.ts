import type { Progress } from '../../../contract/progress.ts'
import type { Bound, Line, Live } from '../../../contract/show.ts'
import { amount, plural, ticking } from '../../../show/format.ts'
import { idleLine } from '../../../show/lines.ts'
import type { Watched } from '../../../show/show.ts'
import { boundsOf, type Fires, firstToFire, type OpenCall, type RefineBound } from '../core/bounds.ts'
import type { Role } from '../core/event-data.ts'
import type { RefinementMemo } from '../core/memo.ts'
import { refinementReasons } from '../core/reasons.ts'
import { asBound } from './format.ts'
import { labelOf, phaseOf, type RefinementAbout, type RefineSubject, subjectOf } from './run-labels.ts'

type RefinementWatched = Watched<RefinementMemo>

/** What goes on at this moment, what is spent, and which bound fires first. Empty once the run has ended. */
export function refinementLive(watched: RefinementWatched, about: RefinementAbout): Live {
  const { state, memo } = watched.view
  if (state.ended) return { doing: [], bounds: [], brief: [] }
  const subject = subjectOf(about, memo.phases?.titles)
  const now = doing(watched, subject)
  const bounds = boundsIn(watched, subject)
  const first = formatFirst(bounds, state.attempts)
  const words = [bounds.map(formatBound).join(', '), first].filter((part) => part !== '')
  return {
    doing: now,
    bounds: bounds.map(liveBound),
    ...(first && { note: [first] }),
    brief: [...now, ...words.map((part) => `; ${part}`)],
  }
}

/** "Draft, Llama 3.1 70B: 412 tokens, 18s", or what it waits for. */
function doing(watched: RefinementWatched, subject: RefineSubject): Line {
  const idle = idleLine(watched, refinementReasons)
  if (idle) return idle
  const { view, said, saidAt, usage, eventAt, now } = watched
  const { state } = view
  const { title } = phaseOf(state.task?.id ?? null, subject)
  const since = { is: 'since', at: eventAt } as const
  if (said?.phase === 'model') {
    const work = isRole(said.role) ? works[said.role] : works.generate
    const who = work(title, labelOf(said.via, subject))
    const silent: Line = now - saidAt > longSilence ? [', silent for ', { is: 'since', at: saidAt }] : []
    return [`${who}: ${formatTokens(usage)}`, since, ...silent]
  }
  if (state.running) {
    const what = state.task?.kind === 'chore' ? 'At work' : title
    return [`${what}, ${labelOf(state.via, subject)}: no word yet, `, since]
  }
  return [`${title}: ${state.outcome && !state.verdict ? 'to be judged' : 'next step'}, `, since]
}

const longSilence = 5000

const works: Readonly<Record<Role, (title: string, who: string) => string>> = {
  decompose: (_, who) => `Finding phases, ${who}`,
  generate: (title, who) => `${title}, ${who}`,
  judge: (title, who) => `${title}, judged by ${who}`,
  calibrate: (_, who) => `Measuring the judge ${who}`,
  'single-shot': (_, who) => `One last try, ${who}`,
}
const isRole = (role: string): role is Role => Object.hasOwn(works, role)

const formatTokens = (usage: Progress['usage']): string =>
  typeof usage?.tokens === 'number' ? `${usage.estimated ? '~' : ''}${amount(usage.tokens)} tokens, ` : ''

function boundsIn({ view, said, usage }: RefinementWatched, { rules }: RefineSubject): RefineBound[] {
  const tokens = usage?.tokens ?? 0
  const open: OpenCall | undefined = said?.phase === 'model' ? { role: said.role, tokens } : undefined
  return boundsOf(view.state, rules, open)
}

/** Beside a bar there is little room: what is spent on judging is called so. */
const liveName = (name: RefineBound['name']): string => (name === 'overhead' ? 'judging' : name)
const liveBound = (bound: RefineBound): Bound => ({ ...asBound(bound), name: liveName(bound.name) })

/** A bound for whoever hears it instead of seeing it. */
function formatBound({ name, used, of, soft, atLeast }: RefineBound): string {
  const least = atLeast ? 'at least ' : ''
  const marked = soft === undefined ? '' : ` (a stronger model from ${amount(soft)})`
  switch (name) {
    case 'iterations':
      return `${used} of ${of} iterations`
    case 'tokens':
      return `${least}${amount(used)} of ${amount(of)} tokens${marked}`
    case 'overhead':
      return `${amount(used)} of ${amount(of)} tokens for judging`
    case 'cost':
      return `${least}$${used.toFixed(2)} of $${of.toFixed(2)}`
    case 'time':
      return `${ticking(used)} of ${ticking(of)}`
  }
}

/** "first bound: tokens in ~2 iterations; a stronger model in ~1 iteration" */
function formatFirst(bounds: readonly RefineBound[], attempts: number): string {
  const { end, stronger } = firstToFire(bounds, attempts)
  if (!end) return ''
  const when = ({ name, iterations }: Fires): string =>
    iterations <= 1 ? 'this iteration' : `${name === 'iterations' ? '' : '~'}${plural(iterations, 'iteration')}`
  const first = `first bound: ${liveName(end.name)} in ${when(end)}`
  return stronger ? `${first}; a stronger model in ${when(stronger)}` : first
}
