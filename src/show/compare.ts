import type { ComparePayload, RunPayload, TimelineTask } from '../contract/web.ts'
import { formatAmount, formatDuration } from './format.ts'

type Row = ComparePayload['rows'][number]

/** Puts the figures of two runs side by side. A side is better only where less or more is plainly better. */
export function compareRuns(a: RunPayload, b: RunPayload): ComparePayload {
  const sides = [a, b] as const
  const [one, other] = sides.map(summarize) as [Summary, Summary]
  const rows: Row[] = [
    text('status', a.row.standing, b.row.standing),
    text('progress', a.row.progress, b.row.progress),
    figure('tasks done', one.done, other.done, String, 'more'),
    figure('attempts', one.attempts, other.attempts, String, 'less'),
    figure('rejected attempts', one.rejected, other.rejected, String, 'less'),
    figure('best score', one.score, other.score, String, 'more'),
    spending('tokens', one.tokens, other.tokens, formatAmount),
    spending('cost', one.costUsd, other.costUsd, formatMoney),
    figure('active time', one.activeMs, other.activeMs, formatDuration, 'less'),
  ]
  return {
    sides,
    says: describeDifference([a, one], [b, other]),
    parts: findParting(a, b),
    rows: rows.filter((row) => row.a !== '' || row.b !== ''),
  }
}

type Compared = readonly [run: RunPayload, summary: Summary]

/** "A did 2 more stories than B, and cost $0.40 more." What came of a run first, then what it took. */
function describeDifference([a, one]: Compared, [b, other]: Compared): string {
  const result = compareResults([a, one], [b, other])
  const took = [
    moreOrLess('cost', one.costUsd, other.costUsd, formatMoney),
    moreOrLess('took', one.activeMs, other.activeMs, formatDuration),
  ].filter((part) => part !== '')
  return took.length === 0 ? `${result}.` : `${result}; A ${took.join(' and ')}.`
}

function compareResults([a, one]: Compared, [b, other]: Compared): string {
  const { unit } = a.timeline
  if (a.row.standing !== b.row.standing) return `A ${tell(a)}, B ${tell(b)}`
  const more = one.done - other.done
  if (more !== 0) {
    const [ahead, behind, by] = more > 0 ? ['A', 'B', more] : ['B', 'A', -more]
    return `${ahead} did ${by} ${by === 1 ? unit.one : unit.many} more than ${behind}`
  }
  if (one.score !== other.score && one.score !== null && other.score !== null)
    return `A reached a score of ${one.score}, B of ${other.score}`
  return `Both ${tell(a).replace('is ', 'are ')}, with ${one.done} ${one.done === 1 ? unit.one : unit.many} done`
}

const tell = ({ row: { standing } }: RunPayload): string =>
  ['completed', 'failed', 'crashed'].includes(standing) ? standing : `is ${standing}`

/** Less than a tenth is no difference to speak of. */
function moreOrLess(verb: string, a: number | null, b: number | null, show: (value: number) => string): string {
  if (a === null || b === null || Math.abs(a - b) < Math.max(a, b) / 10) return ''
  return `${verb} ${show(Math.abs(a - b))} ${a > b ? 'more' : 'less'}`
}

/** Finds the first task of both that ended otherwise or with other verdicts on the way. */
function findParting(a: RunPayload, b: RunPayload): ComparePayload['parts'] {
  for (const task of a.timeline.tasks.filter(({ chore }) => !chore)) {
    const twin = b.timeline.tasks.find(({ id }) => id === task.id)
    if (!twin) continue
    const [mine, its] = [task.attempts, twin.attempts]
    const at = mine.findIndex(({ verdict }, place) => verdict !== its[place]?.verdict)
    const place = at === -1 && its.length > mine.length ? mine.length : at
    if (place === -1 && task.state === twin.state) continue
    const [first, second] = [mine[place] ?? mine.at(-1), its[place] ?? its.at(-1)]
    const says = `A: ${describeTask(task)}. B: ${describeTask(twin)}.`
    return { task: task.id, says, a: first?.n ?? null, b: second?.n ?? null }
  }
  return null
}

function describeTask({ state, attempts }: TimelineTask): string {
  const rejected = attempts.filter(({ verdict }) => verdict === 'failed').length
  const tries = attempts.length === 1 ? 'one attempt' : `${attempts.length} attempts`
  return `${state.replace('-', ' ')} after ${tries}${rejected > 0 ? `, ${rejected} rejected` : ''}`
}

const formatMoney = (usd: number): string => `$${usd.toFixed(2)}`

type Summary = {
  readonly done: number
  readonly attempts: number
  readonly rejected: number
  readonly score: number | null
  readonly activeMs: number | null
  /** Null if no call told. */
  readonly tokens: number | null
  readonly costUsd: number | null
}

function summarize({ timeline, row }: RunPayload): Summary {
  const work = timeline.tasks.filter(({ chore }) => !chore)
  const attempts = work.flatMap((task) => task.attempts)
  const scores = attempts.flatMap(({ score }) => (score === null ? [] : [score]))
  return {
    done: work.filter(({ state }) => state === 'done').length,
    attempts: attempts.length,
    rejected: attempts.filter(({ verdict }) => verdict === 'failed').length,
    score: scores.length > 0 ? Math.max(...scores) : null,
    activeMs: row.spend?.activeMs ?? null,
    tokens: row.spend?.tokens || null,
    costUsd: row.spend?.costUsd || null,
  }
}

const text = (name: string, a: string, b: string): Row => ({ name, a, b, better: null })

/** What nobody told is neither less nor more. */
function spending(name: string, a: number | null, b: number | null, show: (value: number) => string): Row {
  const row = figure(name, a, b, show, 'less')
  return row.a === '' && row.b === '' ? row : { ...row, a: row.a || 'not told', b: row.b || 'not told' }
}

function figure(
  name: string,
  a: number | null,
  b: number | null,
  show: (value: number) => string,
  wins: 'more' | 'less',
): Row {
  const better = a === null || b === null || a === b ? null : a > b === (wins === 'more') ? 'a' : 'b'
  return { name, a: a === null ? '' : show(a), b: b === null ? '' : show(b), better }
}
