import type { Progress } from '../../../contract/progress.ts'
import type { Bound, Line, Live } from '../../../contract/show.ts'
import { formatAmount, formatCount, formatTicking } from '../../../show/format.ts'
import { formatIdleLine } from '../../../show/lines.ts'
import type { Watched } from '../../../show/show.ts'
import { type FirstBound, firstToFire, listBounds, type OpenCall, type RefineBound } from '../core/bounds.ts'
import type { Role } from '../core/event-data.ts'
import type { RefinementMemo } from '../core/memo.ts'
import { refinementReasons } from '../core/reasons.ts'
import { asBound } from './format.ts'
import { findLabel, findPhase, type RefinementAbout, type RunLabels, readLabels } from './run-labels.ts'

type RefinementWatched = Watched<RefinementMemo>

/** Shows the current step, the spend and the first bound. Empty once the run has ended. */
export function refinementLive(watched: RefinementWatched, about: RefinementAbout): Live {
  const { state, memo } = watched.view
  if (state.ended) return { doing: [], bounds: [], brief: [] }
  const subject = readLabels(about, memo.phases?.titles)
  const now = doing(watched, subject)
  const bounds = listLiveBounds(watched, subject)
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
function doing(watched: RefinementWatched, subject: RunLabels): Line {
  const idle = formatIdleLine(watched, refinementReasons)
  if (idle) return idle
  const { view, said, saidAt, usage, eventAt, now } = watched
  const { state } = view
  const { title } = findPhase(state.task?.id ?? null, subject)
  const since = { is: 'since', at: eventAt } as const
  if (said?.phase === 'model') {
    const work = isRole(said.role) ? works[said.role] : works.generate
    const who = work(title, findLabel(said.via, subject))
    const silent: Line = now - saidAt > minSilenceMs ? [', silent for ', { is: 'since', at: saidAt }] : []
    return [`${who}: ${formatTokens(usage)}`, since, ...silent]
  }
  if (state.running) {
    const what = state.task?.kind === 'chore' ? 'Working' : title
    return [`${what}, ${findLabel(state.via, subject)}: no output yet, `, since]
  }
  return [`${title}: ${state.outcome && !state.verdict ? 'to be judged' : 'next step'}, `, since]
}

const minSilenceMs = 5000

const works: Readonly<Record<Role, (title: string, who: string) => string>> = {
  decompose: (_, who) => `Planning phases, ${who}`,
  generate: (title, who) => `${title}, ${who}`,
  judge: (title, who) => `${title}, judged by ${who}`,
  calibrate: (_, who) => `Calibrating the judge ${who}`,
  'single-shot': (_, who) => `One last try, ${who}`,
}
const isRole = (role: string): role is Role => Object.hasOwn(works, role)

const formatTokens = (usage: Progress['usage']): string =>
  typeof usage?.tokens === 'number' ? `${usage.estimated ? '~' : ''}${formatAmount(usage.tokens)} tokens, ` : ''

function listLiveBounds({ view, said, usage }: RefinementWatched, { rules }: RunLabels): RefineBound[] {
  const tokens = usage?.tokens ?? 0
  const open: OpenCall | undefined = said?.phase === 'model' ? { role: said.role, tokens } : undefined
  return listBounds(view.state, rules, open)
}

/** A short name that fits beside a bar. */
const liveName = (name: RefineBound['name']): string => (name === 'overhead' ? 'judging' : name)
const liveBound = (bound: RefineBound): Bound => ({ ...asBound(bound), name: liveName(bound.name) })

/** A bound in words, for screen readers. */
function formatBound({ name, used, of, soft, atLeast }: RefineBound): string {
  const least = atLeast ? 'at least ' : ''
  const marked = soft === undefined ? '' : ` (a stronger model from ${formatAmount(soft)})`
  switch (name) {
    case 'iterations':
      return `${used} of ${of} iterations`
    case 'tokens':
      return `${least}${formatAmount(used)} of ${formatAmount(of)} tokens${marked}`
    case 'overhead':
      return `${formatAmount(used)} of ${formatAmount(of)} tokens for judging`
    case 'cost':
      return `${least}$${used.toFixed(2)} of $${of.toFixed(2)}`
    case 'time':
      return `${formatTicking(used)} of ${formatTicking(of)}`
  }
}

/** "first bound: tokens in ~2 iterations; a stronger model in ~1 iteration" */
function formatFirst(bounds: readonly RefineBound[], attempts: number): string {
  const { end, stronger } = firstToFire(bounds, attempts)
  if (!end) return ''
  const when = ({ name, iterations }: FirstBound): string =>
    iterations <= 1 ? 'this iteration' : `${name === 'iterations' ? '' : '~'}${formatCount(iterations, 'iteration')}`
  const first = `first bound: ${liveName(end.name)} in ${when(end)}`
  return stronger ? `${first}; a stronger model in ${when(stronger)}` : first
}
