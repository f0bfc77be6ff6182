import { explainRun } from '../../../app/explain-run.ts'
import { findRun } from '../../../app/find-run.ts'
import type { Handler } from '../command.ts'
import { spendLine } from '../format.ts'

export const handle: Handler = async ({ place, args, io }) => {
  const why = explainRun(findRun(place, args[0]))
  io.result(why, () => [
    `${why.name} (${why.run}) is ${why.standing}: ${why.reason}`,
    ...(why.rule
      ? [
          `  rule   ${why.rule.by}: ${why.rule.says}${why.rule.setBy ? `, set by ${why.rule.setBy}` : ''} (event ${why.rule.seq})`,
        ]
      : []),
    ...(why.last
      ? [
          `  last   ${why.last.task} attempt ${why.last.attempt}: ${why.last.outcome}${why.last.verdict ? `; verdict ${why.last.verdict}` : ''}`,
        ]
      : []),
    `  spent  ${spendLine(why.spend)}`,
    ...(why.next ? [`  next   ${why.next}`] : []),
  ])
  return 0
}
