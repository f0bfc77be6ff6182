import type { ComparePayload, RunPayload } from '../contract/web.ts'
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
    spending('cost', one.costUsd, other.costUsd, (usd) => `$${usd.toFixed(2)}`),
    figure('active time', one.activeMs, other.activeMs, formatDuration, 'less'),
  ]
  return { sides, rows: rows.filter((row) => row.a !== '' || row.b !== '') }
}

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
