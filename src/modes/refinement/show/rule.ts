import { formatAmount, formatCount } from '../../../show/format.ts'
import { isRefineReason, type RefineReason } from '../contract/reasons.ts'
import { formatPoints, formatScore, formatUsed } from './format.ts'
import type { BoundRow, RefinementReport } from './report/facts.ts'
import type { RunLabels } from './run-labels.ts'
import { formatShortfall } from './shortfall.ts'
import { formatOutage } from './turn-lines.ts'

/** Formats the rule that ended the run, with its numbers. Empty if the reason says it all. */
export function formatRule(report: RefinementReport, subject: RunLabels): string {
  const { reason, preset, bounds } = report
  if (reason === null || !isRefineReason(reason.code)) return ''
  const says = rules[reason.code]?.(report, subject) ?? ''
  return says === '' ? '' : `${says} (${bounds.find(({ fired }) => fired)?.setBy ?? `preset ${preset}`})`
}

type RuleText = (report: RefinementReport, subject: RunLabels) => string

const tooLow: RuleText = ({ iterations, issues, rules: bounds }) => {
  const judged = iterations.findLast((row) => row.judged)?.judged
  if (!judged) return 'there was no score'
  if (judged.band === 'pass') return `the last judged text scored ${formatScore(judged, bounds)}`
  return formatShortfall(judged, issues, bounds)
}

/** Retries of the last phase by its last model. */
function retriesMade({ iterations }: RefinementReport): number {
  const last = iterations.at(-1)
  const others = iterations.findLastIndex(({ phase, model }) => phase !== last?.phase || model !== last.model)
  return Math.max(0, iterations.length - 2 - others)
}

const spent =
  (name: BoundRow['name']): RuleText =>
  (report, subject) => {
    const bound = report.bounds.find((one) => one.name === name)
    if (!bound) return ''
    const needs = name === 'tokens' && report.unmade?.needsTokens
    const { soft: _, ...hard } = bound
    const used = `${formatUsed(hard)}${name === 'iterations' || name === 'tokens' ? ` ${name}` : ` (${name})`} used`
    const short = needs ? `, and the next call needs ${formatAmount(needs)}` : ''
    return `${used}${short}; ${tooLow(report, subject)}`
  }

const rules: Readonly<Partial<Record<RefineReason, RuleText>>> = {
  threshold_met: ({ best, rules: bounds }) =>
    best?.judged ? `${formatScore(best.judged, bounds)} in the last phase, target ${bounds.stopScore}` : '',
  accepted_by_person: ({ best, rules: bounds }) =>
    best?.judged ? `a person accepted the text with ${formatScore(best.judged, bounds)}` : '',
  retries_exhausted: (report, subject) =>
    `${tooLow(report, subject)} after ${formatCount(retriesMade(report), 'retry', 'retries')}`,
  escalations_exhausted: (report, subject) => {
    const { turns } = report
    const used = turns.filter(({ did }) => did === 'escalate').length
    const left = used > 0 ? `${formatCount(used, 'escalation')} used` : 'no stronger model available'
    return `${tooLow(report, subject)}, ${left}`
  },
  plateau: (report, subject) => {
    const { iterations, rules: bounds } = report
    const last = iterations.flatMap(({ judged }) => (judged ? [formatPoints(judged.score, bounds)] : [])).slice(-3)
    return `scores ${last.join(', ')}: no significant gain; ${tooLow(report, subject)}`
  },
  cycle: ({ iterations }) => `iteration ${iterations.at(-1)?.iteration ?? 0} repeated an earlier text`,
  contested: ({ issues }) => {
    const back = issues.filter(({ reopened }) => reopened >= 2)
    return back.map(({ id, reopened }) => `${id} came back ${formatCount(reopened, 'time')}`).join(', ')
  },
  no_text: (report) => `no text after ${formatCount(retriesMade(report), 'retry', 'retries')}`,
  iteration_cap: spent('iterations'),
  token_budget: spent('tokens'),
  overhead_budget: spent('overhead'),
  cost_budget: spent('cost'),
  time_budget: spent('time'),
  escalation_failed: formatOutage,
  provider_unavailable: formatOutage,
}
