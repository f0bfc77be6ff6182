import type { Block, Line, UnderWay } from '../../../contract/show.ts'
import type { Report } from '../../../show/show.ts'
import { formatUsed } from './format-bound.ts'
import { formatScore } from './format-score.ts'
import type { BoundRow, RefinementFacts, RefinementReport } from './report/facts.ts'
import { formatRule } from './rule.ts'
import { labelOf, phaseOf, type RefinementAbout, type RefineSubject, subjectOf } from './subject.ts'
import { turnLines } from './turn-lines.ts'

/** Why a refinement stands where it stands: the rule with its numbers, and where each bound was set. */
export function refinementWhy(report: Report<RefinementFacts>, about: RefinementAbout): Block[] {
  const { refinement } = report.facts
  const { underWay } = report
  const subject = subjectOf(about, refinement.titles)
  const rule = formatRule(refinement, subject)
  const last = formatLast(refinement, subject)
  const turn = turnLines(refinement, subject).at(-1)
  const row = (name: string, lines: readonly Line[]) => (lines.length > 0 ? [{ name, lines }] : [])
  return [
    {
      kind: 'facts',
      rows: [
        ...row(
          'now',
          underWay ? [[`${formatDoing(underWay, subject)} since `, { is: 'since', at: underWay.since }]] : [],
        ),
        ...row('rule', rule ? [[`${rule}${report.rule ? ` (event ${report.rule.seq})` : ''}`]] : []),
        ...row('last', last ? [[last]] : []),
        ...row('turn', turn ? [[turn]] : []),
        ...row(
          'spent',
          refinement.bounds.map((bound) => [formatBound(bound)]),
        ),
        ...row(
          'next',
          refinement.next.map(({ action, does }) => [{ is: 'action', action }, ` (${does})`]),
        ),
      ],
    },
  ]
}

/** What it does at this moment: "writing Outline". */
export function formatDoing({ doing, task }: UnderWay, subject: Pick<RefineSubject, 'titles'>): string {
  return chores[task] ?? `${doing === 'attempt' ? 'writing' : 'judging'} ${phaseOf(task, subject).title}`
}

const chores: Readonly<Record<string, string>> = {
  decompose: 'finding its phases',
  'single-shot': 'asking for one plain answer',
}

const formatBound = ({ setBy, fired, ...bound }: BoundRow): string =>
  `${bound.name} ${formatUsed(bound)}${setBy ? `, set by ${setBy}` : ''}${fired ? ' <- ended it' : ''}`

function formatLast({ iterations, rules }: RefinementReport, subject: RefineSubject): string | undefined {
  const row = iterations.findLast(({ outcome }) => outcome !== null)
  if (!row) return undefined
  const { judged, phase, iteration, model } = row
  const score = judged ? `${formatScore(judged, rules)} by ${labelOf(judged.judge, subject)}` : 'no score'
  return `${phaseOf(`phase-${phase}`, subject).title}, iteration ${iteration} by ${labelOf(model, subject)}: ${score}`
}
