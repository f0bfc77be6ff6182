import type { Block, Cell, Line } from '../../../contract/show.ts'
import { amount, duration } from '../../../show/format.ts'
import { formatCost } from './format-bound.ts'
import { formatScore } from './format-score.ts'
import type { RefinementReport } from './report/facts.ts'
import type { IterationRow } from './report/iterations.ts'
import { labelOf, phaseOf, type RefineSubject } from './subject.ts'

const shownRows = 15
const head = ['PHASE', '#', 'MODEL', 'SCORE', 'BAND', 'THEN', 'TOKENS', 'JUDGING', 'COST', 'TIME']

/** The last iterations, one a row. `id` is the run's. */
export function iterationBlocks(report: RefinementReport, subject: RefineSubject, id: string): Block[] {
  const { iterations: rows, best } = report
  if (rows.length === 0) return []
  const shown = rows.slice(-shownRows)
  const cut: Line = [
    `(the last ${shown.length}; more: `,
    { is: 'action', action: { do: 'command', argv: ['pawl', 'show', id, '--json'] } },
    ')',
  ]
  return [
    ...(rows.length > shown.length ? [{ kind: 'text' as const, lines: [cut] }] : []),
    { kind: 'table', head, rows: shown.map((row) => cellsOf(row, row === best, report, subject)) },
  ]
}

function cellsOf(
  row: IterationRow,
  isBest: boolean,
  { rules, standing }: RefinementReport,
  subject: RefineSubject,
): Cell[] {
  const { judged, tokens, judgeTokens, costUsd, decision } = row
  return [
    phaseOf(`phase-${row.phase}`, subject).title,
    String(row.iteration),
    labelOf(row.model, subject),
    judged ? `${formatScore(judged, rules)}${isBest ? ' best' : ''}` : unscored(row, standing === 'running'),
    judged?.band ?? '',
    decision === null ? '' : (decisions[decision] ?? decision),
    tokens === null ? '' : amount(tokens - (judgeTokens ?? 0)),
    judgeTokens === null ? '' : amount(judgeTokens),
    costUsd ? formatCost(costUsd) : '',
    decision === null ? '' : duration(row.ms),
  ].map((text) => ({ line: [text] }))
}

function unscored({ outcome, decision }: IterationRow, running: boolean): string {
  if (outcome === null) return running ? 'being written' : 'not finished'
  if (outcome !== 'ok') return outcome
  if (decision !== null) return 'no score'
  return running ? 'being judged' : 'not judged yet'
}

const decisions: Readonly<Record<string, string>> = {
  done: 'done',
  failed: 'given up',
  retry: 'tried again',
  escalate: 'stronger model',
  failover: 'another model',
  wait: 'waited',
  stop: 'ended',
}
