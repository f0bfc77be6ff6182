import { refinementOf } from '../../../modes/refinement/show/report/read.ts'
import { whyLines } from '../../../modes/refinement/show/why.ts'
import { type Explanation, explainRun } from '../../../run/explain-run.ts'
import { findRun } from '../../../run/find-run.ts'
import type { Reasons } from '../../../run/mode.ts'
import { reasonsOf } from '../../../run/modes.ts'
import { subjectOf } from '../../../run/subject.ts'
import { spendLine } from '../../../show/format.ts'
import { sayReason, settingOf } from '../../../show/words.ts'
import { sayUnderWay } from '../../terminal/report-sections.ts'
import type { Handler } from '../command.ts'

export const handle: Handler = async ({ place, args, io }) => {
  const run = findRun(place, args[0])
  const why = explainRun(run, Date.now())
  const refinement = refinementOf(run.dir, why.standing)
  if (refinement) {
    io.result({ ...why, refinement }, () => whyLines(why, refinement, subjectOf(place, run).refine!))
    return 0
  }
  const reasons = reasonsOf(run.dir)
  io.result(why, () => [
    `${why.name} (${why.run}) is ${why.standing}: ${sayReason(reasons, why.reason)}`,
    ...(why.underWay ? [`  now    ${sayUnderWay(why.underWay)}`] : []),
    ...(why.rule ? [`  rule   ${ruleLine(why.rule, reasons)}`] : []),
    ...(why.last ? [`  last   ${lastLine(why.last)}`] : []),
    `  spent  ${spendLine(why.spend)}`,
    ...(why.next ? [`  next   ${why.next}`] : []),
  ])
  return 0
}

function ruleLine({ by, says, bound, setBy, seq }: NonNullable<Explanation['rule']>, reasons: Reasons): string {
  const limit = bound === null ? '' : ` (bound ${bound})`
  return `${settingOf(by)}: ${sayReason(reasons, says)}${limit}${setBy ? `, set by ${setBy}` : ''} (event ${seq})`
}

function lastLine({ task, attempt, outcome, verdict }: NonNullable<Explanation['last']>): string {
  return `${task} attempt ${attempt}: ${outcome}${verdict ? `; verdict ${verdict}` : ''}`
}
