import { type Explanation, explainRun } from '../../../app/explain-run.ts'
import { findRun } from '../../../app/find-run.ts'
import type { Reasons } from '../../../app/modes/mode.ts'
import { reasonsOf } from '../../../app/modes.ts'
import { refinementOf } from '../../../app/refine/report/read.ts'
import { subjectOf } from '../../../app/subject.ts'
import { sayReason, settingOf } from '../../../app/words.ts'
import type { Handler } from '../command.ts'
import { spendLine } from '../format.ts'
import { whyLines } from '../refine-why.ts'
import { sayUnderWay } from '../report-sections.ts'

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
