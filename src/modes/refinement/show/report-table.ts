import { amount, duration, plural, table, withoutEmpty } from '../../../show/format.ts'
import type { Spend } from '../../../show/spend.ts'
import type { IterationRow } from './report/iterations.ts'
import type { BoundRow, RefinementReport } from './report/report.ts'
import { sayScore } from './say-score.ts'
import type { RefineSubject } from './subject.ts'
import { labelOf, phaseOf } from './told.ts'

const shownRows = 15

export function iterationLines(report: RefinementReport, refine: RefineSubject, id: string): string[] {
  const { iterations: rows, best } = report
  if (rows.length === 0) return []
  const shown = rows.slice(-shownRows)
  const cut = rows.length > shown.length ? [`(the last ${shown.length}; more: pawl show ${id} --json)`] : []
  const head = ['PHASE', '#', 'MODEL', 'SCORE', 'BAND', 'THEN', 'TOKENS', 'JUDGING', 'COST', 'TIME']
  return [...cut, ...table(withoutEmpty([head, ...shown.map((row) => cellsOf(row, row === best, report, refine))]))]
}

function cellsOf(
  row: IterationRow,
  isBest: boolean,
  { rules, standing }: RefinementReport,
  refine: RefineSubject,
): string[] {
  const { judged, tokens, judgeTokens, costUsd } = row
  return [
    phaseOf(`phase-${row.phase}`, refine).title,
    String(row.iteration),
    labelOf(row.model, refine),
    judged ? `${sayScore(judged, rules)}${isBest ? ' best' : ''}` : unscored(row, standing === 'running'),
    judged?.band ?? '',
    row.decision === null ? '' : (decisions[row.decision] ?? row.decision),
    tokens === null ? '' : amount(tokens - (judgeTokens ?? 0)),
    judgeTokens === null ? '' : amount(judgeTokens),
    costUsd ? shown.cost(costUsd) : '',
    row.decision === null ? '' : duration(row.ms),
  ]
}

const unscored = ({ outcome, decision }: IterationRow, running: boolean): string => {
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

/** Every bound with what was used of it and where it was set; below it what no bound counts. */
export function boundLines({ bounds, remote }: RefinementReport, { costUsd, activeMs, waitMs }: Spend): string[] {
  const rest = [
    ...(costUsd.of === null && costUsd.used > 0 ? [shown.cost(costUsd.used)] : []),
    ...(activeMs.of === null ? [`${duration(activeMs.used)} active`] : []),
    ...(waitMs.used >= 1000 ? [`${duration(waitMs.used)} waiting`] : []),
    ...(remote.calls > 0 ? [`${plural(remote.calls, 'call')} left this machine (${amount(remote.bytes)} bytes)`] : []),
  ]
  const rows = bounds.map((bound) => [bound.name, usedOf(bound), bound.setBy ?? '', bound.fired ? '<- ended it' : ''])
  return [...table(rows), ...(rest.length > 0 ? [rest.join(', ')] : [])]
}

export function usedOf({ name, used, of, soft, atLeast }: BoundRow): string {
  const say = shown[name]
  const stronger = soft === undefined ? '' : ` (a stronger model from ${say(soft)})`
  return `${atLeast ? 'at least ' : ''}${say(used)} of ${say(of)}${stronger}`
}

const shown: Readonly<Record<BoundRow['name'], (value: number) => string>> = {
  iterations: String,
  tokens: amount,
  overhead: amount,
  time: duration,
  cost: (value) => (value > 0 && value < 0.005 ? '<$0.01' : `$${value.toFixed(2)}`),
}
