import type { Explanation } from '../../../run/explain-run.ts'
import { sayReason } from '../../../show/words.ts'
import { sayUnderWay } from '../../../surfaces/terminal/report-sections.ts'
import { refinementReasons } from '../core/reasons.ts'
import type { RefinementReport } from './report/report.ts'
import { usedOf } from './report-table.ts'
import { sayRule } from './rule.ts'
import { sayScore } from './say-score.ts'
import type { RefineSubject } from './subject.ts'
import { labelOf, phaseOf, short } from './told.ts'
import { turnLines } from './turns.ts'

/** Why a refinement stands where it stands: the rule with its numbers, and where each bound was set. */
export function whyLines(why: Explanation, report: RefinementReport, refine: RefineSubject): string[] {
  const rule = sayRule(report, refine)
  const turn = turnLines(report, refine).at(-1)
  const last = lastLine(report, refine)
  const [bound, ...bounds] = report.bounds.map(
    (one) => `${one.name} ${usedOf(one)}${one.setBy ? `, set by ${one.setBy}` : ''}${one.fired ? ' <- ended it' : ''}`,
  )
  return [
    `${why.name} (${why.run}) is ${why.standing}: ${short(sayReason(refinementReasons, why.reason), 200)}`,
    ...(why.underWay ? [`  now    ${sayUnderWay(why.underWay, refine)}`] : []),
    ...(rule ? [`  rule   ${rule}${why.rule ? ` (event ${why.rule.seq})` : ''}`] : []),
    ...(last ? [`  last   ${last}`] : []),
    ...(turn ? [`  turn   ${turn}`] : []),
    ...(bound ? [`  spent  ${bound}`, ...bounds.map((one) => `         ${one}`)] : []),
    ...report.next.map(({ command, does }, index) => `  ${index === 0 ? 'next' : '    '}   ${command} (${does})`),
  ]
}

function lastLine({ iterations, rules }: RefinementReport, refine: RefineSubject): string | undefined {
  const row = iterations.findLast(({ outcome }) => outcome !== null)
  if (!row) return undefined
  const { judged, phase, iteration, model } = row
  const score = judged ? `${sayScore(judged, rules)} by ${labelOf(judged.judge, refine)}` : 'no score'
  return `${phaseOf(`phase-${phase}`, refine).title}, iteration ${iteration} by ${labelOf(model, refine)}: ${score}`
}
