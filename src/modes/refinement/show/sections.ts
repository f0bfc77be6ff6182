import type { Report } from '../../../run/report.ts'
import { plural, type Section, table } from '../../../show/format.ts'
import { sayReason } from '../../../show/words.ts'
import { refinementReasons } from '../core/reasons.ts'
import type { TextFound } from './report/find-text.ts'
import type { IterationRow } from './report/iterations.ts'
import type { RefinementReport } from './report/report.ts'
import { boundLines, iterationLines } from './report-table.ts'
import { sayRule } from './rule.ts'
import { sayPoints, sayScore } from './say-score.ts'
import { issueMark } from './score.ts'
import type { RefineSubject } from './subject.ts'
import { labelOf, phaseOf, short } from './told.ts'
import { turnLines } from './turns.ts'

/** What lies sealed beside the journal, as far as this person's key goes. */
export type RefineWords = { readonly refine: RefineSubject; readonly text: TextFound }

/** A refinement as a person reads it: how good, what is missing, how it went, what it spent, what is next. */
export function refinementSections(
  report: RefinementReport,
  { refine, text }: RefineWords,
  { id, spend }: Pick<Report, 'id' | 'spend'>,
): Section[] {
  const rule = sayRule(report, refine)
  const ended = report.reason !== null && report.output?.kind !== 'final'
  return [
    { title: 'IT ASKS', lines: questionLines(report.question) },
    { title: 'RESULT', lines: [...resultLines(report, refine), ...textLines(report, text, id)] },
    { title: 'STILL OPEN', lines: issueLines(report, refine) },
    { title: 'ITERATIONS', lines: iterationLines(report, refine, id) },
    { title: 'ON THE WAY', lines: turnLines(report, refine) },
    { title: 'WHY IT ENDED', lines: ended && rule ? [rule] : [] },
    { title: 'SPENT', lines: boundLines(report, spend) },
    { title: 'NEXT', lines: table(report.next.map(({ command, does }) => [command, `(${does})`])) },
  ]
}

function questionLines(question: RefinementReport['question']): string[] {
  if (!question) return []
  const { topic, choices } = question
  const what =
    topic === 'paused'
      ? 'a person paused it: what is to be different?'
      : short(sayReason(refinementReasons, topic), 200)
  return [what, ...choices.map((choice) => `${choice.padEnd(8)} ${choiceWords[choice] ?? ''}`.trimEnd())]
}

const choiceWords: Readonly<Record<string, string>> = {
  accept: 'take the best text of this phase as it is',
  'go-on': 'try again, though it came back',
  stop: 'end the run with the best text so far',
}

function resultLines(report: RefinementReport, refine: RefineSubject): string[] {
  const { best, phases, feedback, forkedFrom } = report
  const { given, told } = feedback
  const unheard = given > told ? `,${told > 0 ? ` ${given - told} of them` : ''} not yet taken up` : ''
  return [
    ...(best ? bestLines(best, report, refine) : []),
    ...(phases.of === null ? [] : [`${phases.done} of ${plural(phases.of, 'phase')} done`]),
    ...(given > 0 ? [`feedback given ${given === 1 ? 'once' : `${given} times`}${unheard}`] : []),
    ...(forkedFrom ? [`goes on from event ${forkedFrom.seq} of ${forkedFrom.run}`] : []),
  ]
}

function bestLines({ judged, iteration, phase, model }: IterationRow, report: RefinementReport, refine: RefineSubject) {
  if (!judged) return []
  const title = phaseOf(`phase-${phase}`, refine).title
  const marks = [
    `judged by ${labelOf(judged.judge, refine)} with ${short(refine.rubric)}`,
    plural(judged.samples, 'sample'),
    judged.calibrated ? 'calibrated' : 'uncalibrated',
    ...(judged.selfJudged ? ['self-judged'] : []),
  ]
  const each = Object.entries(judged.dimensions).map(
    ([name, score]) => `${short(name)} ${sayPoints(score, report.rules)}`,
  )
  return [
    `${sayScore(judged, report.rules)} of 100, ${report.rules.stopScore} is enough: ${title}, iteration ${iteration} by ${labelOf(model, refine)}`,
    marks.join(', '),
    ...(each.length > 0 ? [each.join(', ')] : []),
  ]
}

function textLines({ output }: RefinementReport, text: TextFound, id: string): string[] {
  if (!output) return ['no text yet']
  if (text.status === 'sealed') return [`the text is sealed: ${short(text.why, 200)}`]
  if (text.status === 'none') return ['no text yet']
  const what = { final: 'the text', partial: 'the best text so far', 'single-shot': 'one plain answer, not judged' }[
    output.kind
  ]
  const { file, words } = text
  const target = file && `${short(file.shown, 200)} ${file.holds ? 'holds it' : 'does not hold it'}`
  return [`${what}, ${plural(words, 'word')}: pawl show ${id} --text`, ...(target ? [target] : [])]
}

const mostIssues = 10

/** The worst first, in the judge's words where they can be read. */
function issueLines({ issues, ledger }: RefinementReport, { issueTexts }: RefineSubject): string[] {
  const open = issues
    .filter(({ state }) => state === 'open')
    .sort((a, b) => Number(a.severity === 'minor') - Number(b.severity === 'minor') || b.reopened - a.reopened)
  const texts: ReadonlyMap<string, string> = ledger ? issueTexts(ledger) : new Map()
  const lines = open.slice(0, mostIssues).map((issue) => {
    const words = texts.get(issue.id)
    return words === undefined ? issueMark(issue) : `${issueMark(issue)}: ${short(words, 200)}`
  })
  return open.length > mostIssues ? [...lines, `and ${open.length - mostIssues} more`] : lines
}
