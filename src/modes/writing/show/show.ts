import type { LoopEvent } from '../../../contract/event.ts'
import type { Block, Bound, Card, Line, Notice, Section, UnderWay } from '../../../contract/show.ts'
import type { Ref } from '../../../contract/values.ts'
import type { View } from '../../../kernel/policy.ts'
import type { LoopState } from '../../../kernel/state.ts'
import { formatAmount, formatCount, toOneLine } from '../../../show/format.ts'
import { formatIdleLine } from '../../../show/lines.ts'
import { defaultSetting } from '../../../show/reasons.ts'
import type { Report, Show } from '../../../show/show.ts'
import { listDefaultBounds } from '../../../show/work-live.ts'
import { nextSection, spentSection } from '../../../show/work-report.ts'
import type { WritingRequest } from '../contract/request.ts'
import type { SemanticDiff } from '../contract/semantic-diff.ts'
import type { StoredVerdict } from '../contract/verdict.ts'
import type { Inputs } from '../core/inputs.ts'
import type { WritingMemo } from '../core/memo.ts'
import { writingReasons } from '../core/reasons.ts'
import { formatBriefSummary } from '../core/summary.ts'
import { type WritingAbout, writingLines } from './lines.ts'
import { drawBar, estimateShare } from './progress.ts'
import { showQuestion } from './question.ts'

/** The mode's part of `show --json`. */
export type WritingFacts = {
  readonly writing: {
    readonly kind: WritingRequest['kind']
    readonly project: string
    readonly target: string
    readonly session: string
    readonly feedback: string
    readonly attempts: number
    readonly verdict: WritingMemo['verdict']
    readonly verdicts: readonly StoredVerdict[]
    readonly diff: SemanticDiff | null
    readonly decision: 'accepted' | 'partial' | 'rejected' | null
    readonly commit: string | null
    readonly debug: string
  }
}

/** Formats iterations. Pure: values in, values out. */
export const writingShow: Show<WritingRequest, Inputs, WritingMemo, WritingFacts> = {
  unit: { one: 'attempt', many: 'attempts' },
  setting: defaultSetting,
  task: (id) => formatTask(id),
  doing: ({ doing, task }, { request }) => formatDoing(doing, task, request),
  wants: (event, { memo }) => [...findWanted(event), ...memo.edits.slice(-1)],
  lines: writingLines,
  live: (watched, about) => {
    const { state } = watched.view
    const idle = formatIdleLine(watched, writingReasons)
    const bounds = listDefaultBounds(state)
    if (idle) return { doing: idle, bounds, brief: idle }
    const step = { doing: state.running ? ('attempt' as const) : ('evaluate' as const), task: state.task?.id ?? '' }
    const doing: Line = [formatDoing(step.doing, step.task, about.request), ' ', { is: 'since', at: watched.eventAt }]
    const share = step.doing === 'attempt' && state.task?.kind === 'work' ? estimateShare(watched, about) : undefined
    const bar = share === undefined ? [] : [drawBar(share)]
    const said = watched.said && 'via' in watched.said ? toOneLine(watched.said.says, 100) : ''
    const activity: Line = [[...bar, said].filter((part) => part !== '').join(' ')]
    return {
      doing,
      ...(activity[0] !== '' && { activity }),
      bounds,
      brief: [...doing, ...bar.map((text) => ` ${text}`)],
    }
  },
  bounds: (state): readonly Bound[] => listDefaultBounds(state),
  question: (question, _view, about) => showQuestion(question, about),
  progress: (view, { request }) => formatProgress(view, request),
  notices: ({ facts }) => listNotices(facts.writing),
  report: (report, about) => reportSections(report, about),
  why: (report, about) => explain(report, about),
  outputs: (event) =>
    event.type === 'attempt-ended' && event.outcome.output
      ? [{ name: event.task ?? '', ref: event.outcome.output, data: { task: event.task } }]
      : [],
}

/** "attempt 2", "the description of attempt 2" */
function formatTask(id: string): string {
  if (id === 'finalize') return 'saving'
  return id.replace(/^revise-/, 'attempt ').replace(/^describe-/, 'the description of attempt ')
}

function formatDoing(doing: UnderWay['doing'], task: string, { target, kind }: WritingRequest): string {
  if (task === 'finalize') return 'saving'
  if (task.startsWith('describe-')) return 'describing the changes'
  if (doing === 'evaluate') return `judging ${target}`
  return kind === 'analyze' ? 'writing a report' : `writing ${target}`
}

function findWanted(event: LoopEvent): readonly Ref[] {
  if (event.type === 'verdict-reached' && event.verdict.evidence) return [event.verdict.evidence]
  const isDescribed = event.type === 'attempt-ended' && event.task?.startsWith('describe-')
  return isDescribed && event.outcome.output ? [event.outcome.output] : []
}

function formatProgress(
  { state, memo }: View<WritingMemo>,
  { target, kind, session }: WritingRequest,
): Pick<Card, 'progress' | 'did' | 'group'> {
  const { attempts, verdict } = memo
  const ended = state.ended?.reason.code
  const how = ended === undefined ? (verdict ?? memo.stage) : ended.replaceAll('_', ' ')
  const did = { target, kind, stage: memo.stage, attempts, verdict, overhead_tokens: state.overheadTokens }
  const what = kind === 'iterate' ? `${target}, ${formatCount(attempts, 'attempt')}` : `${kind} ${target}`
  return { progress: `${what}, ${how}`, did, group: session }
}

function listNotices({ diff, verdict, decision }: WritingFacts['writing']): Notice[] {
  const notice = (about: string, weight: number, says: string, lines: readonly string[] = []): Notice => ({
    about,
    weight,
    says,
    lines,
  })
  return [
    ...(decision === 'accepted' && verdict !== 'approved'
      ? [notice('not-approved', 60, 'accepted although the judge did not approve it')]
      : []),
    ...(diff && diff.flags.length > 0
      ? [
          notice(
            'claims',
            50,
            'the summary contradicts the text',
            diff.flags.map(({ says }) => says),
          ),
        ]
      : []),
    ...(diff && diff.unexplained_hunks.length > 0
      ? [notice('unexplained', 40, `${formatCount(diff.unexplained_hunks.length, 'changed passage')} not explained`)]
      : []),
  ]
}

const text = (...lines: readonly string[]): Block => ({ kind: 'text', lines: lines.map((line) => [line]) })

function reportSections(report: Report<WritingFacts>, _about: WritingAbout): readonly Section[] {
  const { feedback, verdicts, diff, target, debug } = report.facts.writing
  const rows = verdicts.map(({ verdict, reasoning }, at) => [
    { line: [String(at + 1)] },
    { line: [verdict === 'approved' ? 'approved' : 'needs revision'] },
    { line: [toOneLine(reasoning, 200)] },
  ])
  return [
    { id: 'feedback', title: 'FEEDBACK', blocks: feedback === '' ? [] : [text(...feedback.split('\n'))] },
    {
      id: 'attempts',
      title: 'ATTEMPTS',
      blocks: rows.length > 0 ? [{ kind: 'table', head: ['#', 'VERDICT', 'REASONING'], rows }] : [],
    },
    {
      id: 'changes',
      title: `CHANGES TO ${target.toUpperCase()}`,
      blocks: diff ? [text(...formatBriefSummary(diff))] : [],
    },
    { id: 'debug', title: 'DEBUG', blocks: [{ kind: 'text', lines: [[{ is: 'path', path: debug }]] }] },
    spentSection(report),
    nextSection(report),
  ]
}

function explain(report: Report<WritingFacts>, _about: WritingAbout): Block[] {
  const { writing } = report.facts
  const row = (name: string, lines: readonly string[]) =>
    lines.length > 0 ? [{ name, lines: lines.map((line) => [line]) }] : []
  const last = writing.verdicts.at(-1)
  return [
    {
      kind: 'facts',
      rows: [
        ...row('asked', writing.feedback === '' ? [] : [toOneLine(writing.feedback, 300)]),
        ...row('judge', last ? [`${last.verdict.replace('_', ' ')}: ${toOneLine(last.reasoning, 300)}`] : []),
        ...row(
          'open',
          (last?.ledger ?? []).filter(({ state }) => state === 'open').map(({ id, text: says }) => `${id} ${says}`),
        ),
        ...row('spent', [formatSpent(report.state)]),
        ...(report.next ? [{ name: 'next', lines: [[{ is: 'action' as const, action: report.next }]] }] : []),
      ],
    },
  ]
}

const formatSpent = ({ tokens, overheadTokens, costUsd }: LoopState): string =>
  `${formatAmount(tokens)} tokens for writing, ${formatAmount(overheadTokens)} for judging and describing, $${costUsd.toFixed(4)}`
