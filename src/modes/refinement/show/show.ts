import type { LoopEvent } from '../../../contract/event.ts'
import type { Block, Card, Line, Notice, Output, UnderWay } from '../../../contract/show.ts'
import type { CapName, Ref } from '../../../contract/values.ts'
import type { View } from '../../../kernel/policy.ts'
import { defaultSetting, formatReason } from '../../../show/reasons.ts'
import type { Report, Show } from '../../../show/show.ts'
import type { RefinementRequest } from '../contract/request.ts'
import { listBounds } from '../core/bounds.ts'
import { attemptData, scoreData } from '../core/event-data.ts'
import { bestOutput, type RefinementMemo } from '../core/memo.ts'
import { refinementReasons } from '../core/reasons.ts'
import { listEvidence } from './evidence.ts'
import { asBound, formatScore, formatUsed } from './format.ts'
import { refinementLines } from './lines.ts'
import { refinementLive } from './live.ts'
import { showQuestion } from './question.ts'
import type { BoundRow, RefinementFacts, RefinementReport } from './report/facts.ts'
import { formatRule } from './rule.ts'
import { findLabel, findPhase, type RefinementAbout, type RunLabels, readLabels, short } from './run-labels.ts'
import { refinementSections } from './sections.ts'
import { formatShortfall } from './shortfall.ts'
import { modelChangeLines } from './turn-lines.ts'

/** Explains the state of a refinement: the rule with its numbers, and where each bound was set. */
function refinementWhy(report: Report<RefinementFacts>, about: RefinementAbout): Block[] {
  const { refinement } = report.facts
  const { underWay } = report
  const subject = readLabels(about, refinement.titles)
  const rule = formatRule(refinement, subject)
  const last = formatLast(refinement, subject)
  const turn = modelChangeLines(refinement, subject).at(-1)
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
        ...row('problem', refinement.problem ? [[short(refinement.problem, 400)]] : []),
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

/** The current step: "writing Outline". */
function formatDoing({ doing, task }: UnderWay, subject: Pick<RunLabels, 'titles'>): string {
  return chores[task] ?? `${doing === 'attempt' ? 'writing' : 'judging'} ${findPhase(task, subject).title}`
}

const chores: Readonly<Record<string, string>> = {
  decompose: 'planning its phases',
  'single-shot': 'asking for a single-shot answer',
}

const formatBound = ({ setBy, fired, ...bound }: BoundRow): string =>
  `${bound.name} ${formatUsed(bound)}${setBy ? `, set by ${setBy}` : ''}${fired ? ' <- ended it' : ''}`

function formatLast({ iterations, rules }: RefinementReport, subject: RunLabels): string | undefined {
  const row = iterations.findLast(({ outcome }) => outcome !== null)
  if (!row) return undefined
  const { judged, phase, iteration, model } = row
  const score = judged ? `${formatScore(judged, rules)} by ${findLabel(judged.judge, subject)}` : 'no score'
  return `${findPhase(`phase-${phase}`, subject).title}, iteration ${iteration} by ${findLabel(model, subject)}: ${score}`
}

/** Formats refinements. Pure: values in, values out. */
export const refinementShow: Show<RefinementRequest, null, RefinementMemo, RefinementFacts> = {
  unit: { one: 'iteration', many: 'iterations' },
  setting,
  task: (id, about, { memo }) => findPhase(id, readLabels(about, memo.phases?.titles)).title,
  doing: (underWay, about, { memo }) => formatDoing(underWay, readLabels(about, memo.phases?.titles)),
  wants: (event, { memo }, { rubric }) => [rubric, memo.phases?.titles, findLedger(event)].filter(isThere),
  lines: refinementLines,
  live: refinementLive,
  bounds: (state, { request }) => listBounds(state, request.rules).map(asBound),
  question: (question) => showQuestion(question),
  progress: (view, { request }) => formatProgress(view, request),
  notices: ({ facts }) => refinementNotices(facts.refinement),
  report: refinementSections,
  why: refinementWhy,
  evidence: (judged, about) => listEvidence(judged, readLabels(about, null)),
  outputs,
}

/** An attempt is an iteration here, which other modes count as a task. */
function setting(cap: CapName): string {
  return cap === 'attemptsPerRun' ? defaultSetting('tasks') : defaultSetting(cap)
}

const isThere = (ref: Ref | null | undefined): ref is Ref => Boolean(ref)

const findLedger = (event: LoopEvent): Ref | null | undefined =>
  event.type === 'verdict-reached' ? scoreData(event.verdict)?.ledger : undefined

/** Progress, and the score of the text to show. */
function formatProgress(
  { state, memo }: View<RefinementMemo>,
  { rules }: RefinementRequest,
): Pick<Card, 'progress' | 'did' | 'tasks'> {
  const { attempts: iterations, caps } = state
  const of = caps.attemptsPerRun ?? rules.iterations
  const best = memo.iterations.findLast(({ output }) => output?.path === bestOutput(memo)?.path)
  const { score = null, spread = null } = best ?? {}
  const scored = score === null || spread === null ? '' : `, ${formatScore({ score, spread }, rules)}`
  const says = `${iterations}/${of}${scored}`
  const tasks = memo.phases && { done: memo.accepted.length, of: memo.phases.count }
  return { progress: says, did: { iterations, of, score, spread, says }, ...(tasks && { tasks }) }
}

/** Texts written by models, except plans. */
function outputs(event: LoopEvent): readonly Output[] {
  if (event.type !== 'attempt-ended' || event.task === null || event.task === 'decompose') return []
  const { output: ref } = event.outcome
  const iteration = attemptData(event.outcome).iteration ?? null
  return ref ? [{ name: `${event.task}, iteration ${iteration}`, ref, data: { task: event.task, iteration } }] : []
}

/** Codes of notices. The heaviest is shown first. */
const weights = {
  asks: 100,
  'no-text': 90,
  'not-judged': 80,
  vetoed: 70,
  'score-too-low': 60,
  contested: 50,
  unheard: 40,
  'judge-unsure': 30,
  'bound-not-held': 20,
} as const
type About = keyof typeof weights

type Rule = (report: RefinementReport) => Notice | undefined

const maxNotices = 3

/** The most important facts: an open question, then reasons not to trust the text. */
const refinementNotices = (report: RefinementReport): Notice[] =>
  rules
    .flatMap((rule) => rule(report) ?? [])
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, maxNotices)

const notice = (about: About, says: string): Notice => ({ about, weight: weights[about], says, lines: [] })

const asks: Rule = ({ question }) => {
  if (!question) return undefined
  const { topic } = question
  const what =
    topic.code === 'paused' ? 'paused and waiting for you' : `it asks: ${formatReason(refinementReasons, topic)}`
  return notice('asks', what)
}

const noText: Rule = ({ reason, output }) =>
  reason !== null && !output ? notice('no-text', 'there is no text') : undefined

const unjudged: Rule = ({ output, best }) => {
  if (output?.kind === 'single-shot')
    return notice('not-judged', 'the text is a single-shot answer that was not judged')
  return output && !best ? notice('not-judged', 'the text was not judged') : undefined
}

/** Only for a text that a person accepted anyway: otherwise `tooLow` reports the veto. */
const vetoed: Rule = ({ best, phases: { done, of } }) =>
  done === of && best?.judged?.vetoes.length
    ? notice('vetoed', `the text is vetoed: ${best.judged.vetoes.join(', ')}`)
    : undefined

const tooLow: Rule = ({ reason, best, issues, rules: bounds, phases: { done, of } }) => {
  if (reason === null || !best?.judged || done === of) return undefined
  const left = of === null ? '' : `; ${done} of ${of} phases are done`
  if (best.judged.band === 'pass') return notice('score-too-low', `the text is from phase ${best.phase}${left}`)
  return notice('score-too-low', `the best text: ${formatShortfall(best.judged, issues, bounds)}${left}`)
}

const contested: Rule = ({ issues }) => {
  const ids = issues.filter(({ reopened }) => reopened >= 2).map(({ id }) => id)
  return ids.length > 0 ? notice('contested', `came back after being fixed: ${ids.join(', ')}`) : undefined
}

const unheard: Rule = ({ feedback: { given, told } }) =>
  given > told ? notice('unheard', 'the text does not use the latest feedback yet') : undefined

const doubtful: Rule = ({ best }) => {
  if (!best?.judged) return undefined
  const { selfJudged, calibrated, unverified } = best.judged
  if (selfJudged && !calibrated) return notice('judge-unsure', 'the model judged its own text and was not calibrated')
  if (unverified > 0) return notice('judge-unsure', `${unverified} quotes by the judge are not in the text`)
  return undefined
}

const unheld: Rule = ({ bounds }) =>
  bounds.some(({ atLeast }) => atLeast)
    ? notice('bound-not-held', 'some calls did not report their usage and are not counted in the bounds')
    : undefined

const rules: readonly Rule[] = [asks, noText, unjudged, vetoed, tooLow, contested, unheard, doubtful, unheld]
