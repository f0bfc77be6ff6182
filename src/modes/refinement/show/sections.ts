import type { Block, Cell, Line, Section } from '../../../contract/show.ts'
import { formatAmount, formatCount, formatDuration } from '../../../show/format.ts'
import type { Report } from '../../../show/show.ts'
import type { Spend } from '../../../show/spend.ts'
import { asBound, formatCost, formatPoints, formatScore } from './format.ts'
import { showQuestion } from './question.ts'
import type { BoundRow, RefinementFacts, RefinementReport } from './report/facts.ts'
import type { IterationRow } from './report/iterations.ts'
import { formatRule } from './rule.ts'
import { findLabel, findPhase, type RefinementAbout, type RunLabels, readLabels, short } from './run-labels.ts'
import { formatIssue } from './score-lines.ts'
import { modelChangeLines } from './turn-lines.ts'

/** The report of a refinement: result, open issues, iterations, spend and next steps. */
export function refinementSections(
  { id, question, spend, facts: { refinement } }: Report<RefinementFacts>,
  about: RefinementAbout,
): Section[] {
  const subject = readLabels(about, refinement.titles)
  const rule = formatRule(refinement, subject)
  const fellShort = refinement.reason !== null && refinement.output?.kind !== 'final'
  return [
    {
      id: 'question',
      title: 'QUESTION',
      blocks: question ? [{ kind: 'question', question: showQuestion(question) }] : [],
    },
    {
      id: 'result',
      title: 'RESULT',
      blocks: [text([...resultLines(refinement, subject), ...textLines(refinement, id)])],
    },
    { id: 'issues', title: 'STILL OPEN', blocks: issueBlocks(refinement, subject) },
    { id: 'iterations', title: 'ITERATIONS', blocks: iterationBlocks(refinement, subject, id) },
    { id: 'turns', title: 'MODELS AND WAITS', blocks: [text(modelChangeLines(refinement, subject))] },
    { id: 'rule', title: 'WHY IT ENDED', blocks: [text(fellShort && rule ? [rule] : [])] },
    { id: 'spent', title: 'SPENT', blocks: spentBlocks(refinement, spend) },
    { id: 'next', title: 'NEXT', blocks: [{ kind: 'actions', actions: refinement.next }] },
  ]
}

const text = (lines: readonly (string | Line)[]): Block => ({
  kind: 'text',
  lines: lines.map((line) => (typeof line === 'string' ? [line] : line)),
})

function resultLines(report: RefinementReport, subject: RunLabels): string[] {
  const { best, phases, feedback, forkedFrom } = report
  const { given, told } = feedback
  const unheard = given > told ? `,${told > 0 ? ` ${given - told} of them` : ''} not used yet` : ''
  return [
    ...(best ? bestLines(best, report, subject) : []),
    ...(phases.of === null ? [] : [`${phases.done} of ${formatCount(phases.of, 'phase')} done`]),
    ...(given > 0 ? [`feedback given ${given === 1 ? 'once' : `${given} times`}${unheard}`] : []),
    ...(forkedFrom ? [`forked from event ${forkedFrom.seq} of ${forkedFrom.run}`] : []),
  ]
}

function bestLines(
  { judged, iteration, phase, model }: IterationRow,
  { rules }: RefinementReport,
  subject: RunLabels,
): string[] {
  if (!judged) return []
  const { title } = findPhase(`phase-${phase}`, subject)
  const marks = [
    `judged by ${findLabel(judged.judge, subject)} with ${short(subject.rubric)}`,
    formatCount(judged.samples, 'sample'),
    judged.calibrated ? 'calibrated' : 'uncalibrated',
    ...(judged.selfJudged ? ['self-judged'] : []),
  ]
  const each = Object.entries(judged.dimensions).map(
    ([name, points]) => `${short(name)} ${formatPoints(points, rules)}`,
  )
  const score = `${formatScore(judged, rules)} of 100, target ${rules.stopScore}`
  return [
    `${score}: ${title}, iteration ${iteration} by ${findLabel(model, subject)}`,
    marks.join(', '),
    ...(each.length > 0 ? [each.join(', ')] : []),
  ]
}

const kinds = { final: 'the text', partial: 'the best text so far', 'single-shot': 'a single-shot answer, not judged' }

function textLines({ output, text: found }: RefinementReport, run: string): (string | Line)[] {
  if (!output || found.status === 'none') return ['no text yet']
  if (found.status === 'sealed') return [`the text cannot be decrypted: ${short(found.why, 200)}`]
  const { file, words } = found
  const target = file && `${short(file.shown, 200)} ${file.holds ? 'contains it' : 'does not contain it'}`
  const take = { is: 'action', action: { do: 'text', run } } as const
  return [[`${kinds[output.kind]}, ${formatCount(words, 'word')}: `, take], ...(target ? [target] : [])]
}

const maxIssues = 10

/** Lists the worst issues first, with the judge's description if it can be decrypted. */
function issueBlocks({ issues, ledger }: RefinementReport, { issueTexts }: RunLabels): Block[] {
  const open = issues
    .filter(({ state }) => state === 'open')
    .sort((a, b) => Number(a.severity === 'minor') - Number(b.severity === 'minor') || b.reopened - a.reopened)
  const texts: ReadonlyMap<string, string> = ledger ? issueTexts(ledger) : new Map()
  const items = open.slice(0, maxIssues).map((issue): Line => {
    const words = texts.get(issue.id)
    return [words === undefined ? formatIssue(issue) : `${formatIssue(issue)}: ${short(words, 200)}`]
  })
  const more = open.length - items.length
  return [{ kind: 'list', items, ...(more > 0 && { more }) }]
}

/** Lists each bound with its use and origin, then what no bound limits. */
function spentBlocks({ bounds, remote }: RefinementReport, { costUsd, activeMs, waitMs }: Spend): Block[] {
  const rest = [
    ...(costUsd.of === null && costUsd.used > 0 ? [formatCost(costUsd.used)] : []),
    ...(activeMs.of === null ? [`${formatDuration(activeMs.used)} active`] : []),
    ...(waitMs.used >= 1000 ? [`${formatDuration(waitMs.used)} waiting`] : []),
    ...(remote.calls > 0
      ? [`${formatCount(remote.calls, 'call')} left this machine (${formatAmount(remote.bytes)} bytes)`]
      : []),
  ]
  return [{ kind: 'bounds', bounds: bounds.map(setBound) }, ...(rest.length > 0 ? [text([rest.join(', ')])] : [])]
}

const setBound = ({ setBy, fired, ...bound }: BoundRow) => ({
  ...asBound(bound),
  ...(setBy !== null && { setBy }),
  ...(fired && { fired: true as const }),
})

const shownRows = 15
const head = ['PHASE', '#', 'MODEL', 'SCORE', 'BAND', 'THEN', 'TOKENS', 'JUDGING', 'COST', 'TIME']

/** A table of the last iterations. `id` is the run's. */
function iterationBlocks(report: RefinementReport, subject: RunLabels, id: string): Block[] {
  const { iterations: rows, best } = report
  if (rows.length === 0) return []
  const shown = rows.slice(-shownRows)
  const cut: Line = [
    `(the last ${shown.length}; more: `,
    { is: 'action', action: { do: 'command', argv: ['pawl', 'show', id, '--json'] } },
    ')',
  ]
  return [
    ...drawScores(report, subject),
    ...(rows.length > shown.length ? [{ kind: 'text' as const, lines: [cut] }] : []),
    { kind: 'table', head, rows: shown.map((row) => toCells(row, row === best, report, subject)) },
  ]
}

/** The scores of all iterations, one line for each phase, with what is enough and what is too little. */
function drawScores({ iterations, rules }: RefinementReport, subject: RunLabels): Block[] {
  const scored = iterations.flatMap(({ judged, ...row }) => (judged ? [{ ...row, judged }] : []))
  if (scored.length === 0) return []
  const phases = [...Map.groupBy(scored, ({ phase }) => phase)]
  const { stopScore, escalateScore } = rules
  return [
    {
      kind: 'chart',
      title: 'Scores',
      series: phases.map(([phase, rows]) => ({
        name: findPhase(`phase-${phase}`, subject).title,
        points: rows.map(({ iteration, model, judged: { score, spread } }) => ({
          x: iteration,
          y: score,
          low: Math.max(0, score - spread),
          high: Math.min(100, score + spread),
          label: findLabel(model, subject),
        })),
      })),
      marks: [
        { y: stopScore, label: `${stopScore} is enough` },
        { y: escalateScore, label: `below ${escalateScore}: escalate` },
      ],
    },
  ]
}

function toCells(
  row: IterationRow,
  isBest: boolean,
  { rules, standing }: RefinementReport,
  subject: RunLabels,
): Cell[] {
  const { judged, tokens, judgeTokens, costUsd, decision } = row
  return [
    findPhase(`phase-${row.phase}`, subject).title,
    String(row.iteration),
    findLabel(row.model, subject),
    judged ? `${formatScore(judged, rules)}${isBest ? ' best' : ''}` : unscored(row, standing === 'running'),
    judged?.band ?? '',
    decision === null ? '' : (decisions[decision] ?? decision),
    tokens === null ? '' : formatAmount(tokens - (judgeTokens ?? 0)),
    judgeTokens === null ? '' : formatAmount(judgeTokens),
    costUsd ? formatCost(costUsd) : '',
    decision === null ? '' : formatDuration(row.ms),
  ].map((text) => ({ line: [text] }))
}

function unscored({ outcome, decision }: IterationRow, running: boolean): string {
  if (outcome === null) return running ? 'being written' : 'not finished'
  if (outcome !== 'ok') return outcome
  if (decision !== null) return 'no score'
  return running ? 'being judged' : 'not judged yet'
}

const decisions: Readonly<Record<string, string>> = {
  done: 'done',
  failed: 'given up',
  retry: 'retried',
  escalate: 'stronger model',
  failover: 'another model',
  wait: 'waited',
  stop: 'ended',
}
