import type { Line } from '../../../contract/show.ts'
import { formatCount } from '../../../show/format.ts'
import type { FactRows, Judged } from '../../../show/show.ts'
import { attemptData, scoreData } from '../core/event-data.ts'
import { formatScore } from './format.ts'
import { findLabel, type RunLabels } from './run-labels.ts'
import { formatIssue } from './score-lines.ts'

/** How a text was judged: the score, who gave it, and what is open. */
export function listEvidence({ outcome, verdict }: Judged, subject: RunLabels): FactRows {
  const scored = scoreData(verdict)
  const { feedback = 0 } = attemptData(outcome)
  const heard = feedback > 0 ? [fact('feedback', [`${formatCount(feedback, 'text')} by people in its prompt`])] : []
  if (!scored) return heard
  const { judge, samples, selfJudged, calibration, dimensions, vetoes, issues, unverified } = scored
  const [open, fixed] = (['open', 'fixed'] as const).map((state) => issues.filter((issue) => issue.state === state))
  return [
    fact('score', [formatScore(scored, subject.rules)]),
    fact('judge', [
      `${findLabel(judge, subject)}, ${formatCount(samples, 'sample')}${selfJudged ? ', its own text' : ''}`,
      calibration ? 'corrected by a calibration' : 'not calibrated',
    ]),
    fact(
      'dimensions',
      Object.entries(dimensions).map(([name, value]) => `${name} ${Math.round(value)}`),
    ),
    ...(vetoes.length > 0 ? [fact('vetoes', vetoes)] : []),
    ...(open!.length > 0 ? [fact('open issues', open!.map(formatIssue))] : []),
    ...(fixed!.length > 0 ? [fact('fixed issues', fixed!.map(formatIssue))] : []),
    ...(unverified > 0 ? [fact('not in the text', [`${formatCount(unverified, 'quote')} by the judge`])] : []),
    ...heard,
  ]
}

const fact = (name: string, lines: readonly string[]) => ({ name, lines: lines.map((line): Line => [line]) })
