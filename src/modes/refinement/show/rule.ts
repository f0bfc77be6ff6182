import { amount, plural } from '../../../show/format.ts'
import { isRefineReason, type RefineReason } from '../contract/reasons.ts'
import type { BoundRow, RefinementReport } from './report/report.ts'
import { sayShortfall } from './report/shortfall.ts'
import { usedOf } from './report-table.ts'
import { sayPoints, sayScore } from './say-score.ts'
import type { RefineSubject } from './subject.ts'
import { downWords } from './turns.ts'

/** The rule that ended it, with the numbers that it went by. Empty where the reason says it all. */
export function sayRule(report: RefinementReport, refine: RefineSubject): string {
  const { reason, preset, bounds } = report
  if (reason === null || !isRefineReason(reason)) return ''
  const says = rules[reason]?.(report, refine) ?? ''
  return says === '' ? '' : `${says} (${bounds.find(({ fired }) => fired)?.setBy ?? `preset ${preset}`})`
}

type Says = (report: RefinementReport, refine: RefineSubject) => string

const tooLow: Says = ({ iterations, issues, rules: bounds }) => {
  const judged = iterations.findLast((row) => row.judged)?.judged
  if (!judged) return 'there was no score'
  if (judged.band === 'pass') return `the last text that was judged has ${sayScore(judged, bounds)}`
  return sayShortfall(judged, issues, bounds)
}

/** Tries of the last phase by the model that had it last. */
function retriesMade({ iterations }: RefinementReport): number {
  const last = iterations.at(-1)
  const others = iterations.findLastIndex(({ phase, model }) => phase !== last?.phase || model !== last.model)
  return Math.max(0, iterations.length - 2 - others)
}

const spent =
  (name: BoundRow['name']): Says =>
  (report, refine) => {
    const bound = report.bounds.find((one) => one.name === name)
    if (!bound) return ''
    const needs = name === 'tokens' && report.unmade?.needsTokens
    const { soft: _, ...hard } = bound
    const used = `${usedOf(hard)}${name === 'iterations' || name === 'tokens' ? ` ${name}` : ` (${name})`} used`
    const short = needs ? `, and the next call needs ${amount(needs)}` : ''
    return `${used}${short}; ${tooLow(report, refine)}`
  }

const rules: Readonly<Partial<Record<RefineReason, Says>>> = {
  threshold_met: ({ best, rules: bounds }) =>
    best?.judged ? `${sayScore(best.judged, bounds)} in the last phase, and ${bounds.stopScore} is enough` : '',
  accepted_by_person: ({ best, rules: bounds }) =>
    best?.judged ? `a person took the text with ${sayScore(best.judged, bounds)}` : '',
  retries_exhausted: (report, refine) =>
    `${tooLow(report, refine)} after ${plural(retriesMade(report), 'retry', 'retries')}`,
  escalations_exhausted: (report, refine) => {
    const { turns } = report
    const used = turns.filter(({ did }) => did === 'escalate').length
    const left = used > 0 ? `${plural(used, 'escalation')} used` : 'no stronger model to ask'
    return `${tooLow(report, refine)}, ${left}`
  },
  plateau: (report, refine) => {
    const { iterations, rules: bounds } = report
    const last = iterations.flatMap(({ judged }) => (judged ? [sayPoints(judged.score, bounds)] : [])).slice(-3)
    return `scores ${last.join(', ')}: no gain that could be told from chance; ${tooLow(report, refine)}`
  },
  cycle: ({ iterations }) => `iteration ${iterations.at(-1)?.iteration ?? 0} brought a text that was there before`,
  contested: ({ issues }) => {
    const back = issues.filter(({ reopened }) => reopened >= 2)
    return back.map(({ id, reopened }) => `${id} came back ${plural(reopened, 'time')}`).join(', ')
  },
  iteration_cap: spent('iterations'),
  token_budget: spent('tokens'),
  overhead_budget: spent('overhead'),
  cost_budget: spent('cost'),
  time_budget: spent('time'),
  escalation_failed: downWords,
  provider_unavailable: downWords,
}
