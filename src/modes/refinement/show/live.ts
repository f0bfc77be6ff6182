import type { Progress } from '../../../contract/progress.ts'
import { amount, clockTime, plural, ticking } from '../../../show/format.ts'
import { idleLine, type Now, type Watched } from '../../../surfaces/terminal/live.ts'
import type { LiveLine } from '../../../surfaces/terminal/screen.ts'
import type { Role } from '../contract/told.ts'
import { barOf, boundInWords, names } from './bars.ts'
import { boundsOf, firstToFire, type OpenCall, type RefineBound } from './bounds.ts'
import type { RefineSubject } from './subject.ts'
import { labelOf, phaseOf } from './told.ts'

/** What goes on at this moment, what is spent, and which bound fires first: at most three lines. */
export function refineLive(watched: Watched, now: Now, refine: RefineSubject): LiveLine[] {
  if (watched.state.ended) return []
  const bounds = boundsIn(watched, refine)
  const first = firstLine(bounds, watched)
  return [
    { text: doing(watched, now, refine), look: 'bold' },
    { text: bounds.map(barOf).join('  ') },
    ...(first ? [{ text: first, look: 'dim' as const }] : []),
  ]
}

/** The same in one line of words, for where nothing can be redrawn. */
export function refineHeartbeat(watched: Watched, now: Now, refine: RefineSubject): string {
  const bounds = boundsIn(watched, refine)
  const parts = [doing(watched, now, refine), bounds.map(boundInWords).join(', '), firstLine(bounds, watched)]
  return `[${clockTime(now.at)}] ${parts.filter(Boolean).join('; ')}`
}

/** "Draft, Llama 3.1 70B: 412 tokens, 18s", or what it waits for. */
function doing(watched: Watched, now: Now, refine: RefineSubject): string {
  const idle = idleLine(watched, now)
  if (idle) return idle
  const { state, said, saidMs, usage } = watched
  const { title } = phaseOf(state.task?.id ?? null, refine)
  const since = ticking(now.ms - watched.eventMs)
  if (said?.phase === 'model') {
    const who = works[said.role](title, labelOf(said.via, refine))
    const silent = now.ms - saidMs > longSilence ? `, silent for ${ticking(now.ms - saidMs)}` : ''
    return `${who}: ${tokensOf(usage)}${since}${silent}`
  }
  if (state.running)
    return `${state.task?.kind === 'chore' ? 'At work' : title}, ${labelOf(state.via, refine)}: no word yet, ${since}`
  if (state.outcome && !state.verdict) return `${title}: to be judged, ${since}`
  return `${title}: next step, ${since}`
}

const longSilence = 5000

const works: Readonly<Record<Role, (title: string, who: string) => string>> = {
  decompose: (_, who) => `Finding phases, ${who}`,
  generate: (title, who) => `${title}, ${who}`,
  judge: (title, who) => `${title}, judged by ${who}`,
  calibrate: (_, who) => `Measuring the judge ${who}`,
  'single-shot': (_, who) => `One last try, ${who}`,
}

const tokensOf = (usage: Progress['usage']): string =>
  typeof usage?.tokens === 'number' ? `${usage.estimated ? '~' : ''}${amount(usage.tokens)} tokens, ` : ''

function boundsIn({ state, said, usage }: Watched, { rules }: RefineSubject): RefineBound[] {
  const tokens = usage?.tokens ?? 0
  const open: OpenCall | undefined = said?.phase === 'model' ? { role: said.role, tokens } : undefined
  return boundsOf(state, rules, open)
}

/** "first bound: tokens in ~2 iterations; a stronger model in ~1 iteration" */
function firstLine(bounds: readonly RefineBound[], { state }: Watched): string {
  const { end, stronger } = firstToFire(bounds, state.attempts)
  if (!end) return ''
  const when = ({ name, iterations }: typeof end): string =>
    iterations <= 1 ? 'this iteration' : `${name === 'iterations' ? '' : '~'}${plural(iterations, 'iteration')}`
  const first = `first bound: ${names[end.name]} in ${when(end)}`
  return stronger ? `${first}; a stronger model in ${when(stronger)}` : first
}
