import type { IssueMark } from '../../../judging/scoring/score-data.ts'
import { formatCount } from '../../../show/format.ts'
import type { Scored } from '../core/event-data.ts'
import { formatScore } from './format.ts'
import { findLabel, type RunLabels, short } from './run-labels.ts'

const maxDescribed = 3

/** Formats a score, its uncertainty and its judge, then the open issues. */
export function scoreLines(title: string, scored: Scored, subject: RunLabels): string[] {
  const { judge, samples, issues, vetoes, unverified, better } = scored
  const marks = [
    short(subject.rubric),
    `judged by ${findLabel(judge, subject)}`,
    formatCount(samples, 'sample'),
    ...(scored.selfJudged ? ['self-judged'] : []),
    ...(scored.calibration ? [] : ['uncalibrated']),
  ]
  const open = issues.filter(({ state }) => state === 'open')
  return [
    `${title}: ${formatScore(scored, subject.rules)} (${marks.join(', ')})`,
    ...(vetoes.length > 0 ? [`  vetoed: ${vetoes.map((veto) => short(veto)).join(', ')}`] : []),
    ...(open.length > 0 ? [`  open: ${open.map(formatIssue).join(', ')}`] : []),
    ...describeIssues(scored, subject),
    ...(unverified > 0 ? [`  ${formatCount(unverified, 'quote')} by the judge not found in the text`] : []),
    ...(better ? [] : ['  no improvement: keeping the best text so far']),
  ]
}

export function formatIssue({ id, severity, reopened, late }: IssueMark): string {
  const marks = [
    severity === 'minor' && 'minor',
    late && 'late',
    reopened > 0 && `back ${formatCount(reopened, 'time')}`,
  ]
  const said = marks.filter((mark) => mark !== false && mark !== undefined)
  return said.length > 0 ? `${short(id)} (${said.join(', ')})` : short(id)
}

/** Descriptions of major open issues, as far as they can be decrypted. */
function describeIssues({ issues, ledger }: Scored, { issueTexts }: RunLabels): string[] {
  const texts: ReadonlyMap<string, string> = ledger ? issueTexts(ledger) : new Map()
  return issues
    .filter(({ id, state, severity }) => state === 'open' && severity === 'major' && texts.has(id))
    .slice(0, maxDescribed)
    .map(({ id }) => `  ${short(id)}: ${short(texts.get(id)!, 200)}`)
}
