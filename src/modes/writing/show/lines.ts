import type { LoopEvent } from '../../../contract/event.ts'
import type { Line } from '../../../contract/show.ts'
import type { Ref } from '../../../contract/values.ts'
import { formatCount } from '../../../show/format.ts'
import type { About, Step } from '../../../show/show.ts'
import type { WritingRequest } from '../contract/request.ts'
import { SemanticDiff } from '../contract/semantic-diff.ts'
import { StoredVerdict } from '../contract/verdict.ts'
import { outcomeData, verdictData } from '../core/event-data.ts'
import type { Inputs } from '../core/inputs.ts'
import { findLevel } from '../core/level/levels.ts'
import type { WritingMemo } from '../core/memo.ts'
import { formatMessage } from '../core/save-plan.ts'
import { findLeadParts, formatBriefSummary, formatSummary } from '../core/summary.ts'
import { describeContext, describeDownstream, findTitle, firstSentence, quoteLines } from './wording.ts'

export type WritingAbout = About<WritingRequest, Inputs>
export type WritingStep = Step<WritingMemo>

/** The lines of one event, in the words of the seed. The compact view is that of its example sessions. */
export const writingLines = (step: WritingStep, about: WritingAbout): readonly Line[] =>
  listLines(step, about).map((line) => [line])

const fullBar = `[${'█'.repeat(24)}] 100%`

function listLines(step: WritingStep, about: WritingAbout): string[] {
  const { event } = step
  const isCompact = about.request.view === 'compact'
  switch (event.type) {
    case 'attempt-started':
      return startLines(event, step, about, isCompact)
    case 'attempt-ended':
      return endLines(event, step, about, isCompact)
    case 'verdict-reached':
      // A call that failed has been reported already.
      return event.chore || step.before.state.outcome?.status !== 'ok' ? [] : verdictLines(event, about, isCompact)
    case 'decision-made':
      return event.decision.do === 'wait' ? ['Waiting for the model. To go on at once: resume it'] : []
    case 'run-ended':
      return endingLines(event, step, about)
    case 'run-resumed':
      return [`Resuming ${about.request.project}, ${about.request.target}`]
    case 'run-started':
    case 'run-interrupted':
    case 'run-reopened':
    case 'task-picked':
    case 'call-ended':
    case 'wait-ended':
    case 'note-received':
      return []
  }
}

function startLines(event: LoopEvent, { after }: WritingStep, about: WritingAbout, isCompact: boolean): string[] {
  const { request, inputs } = about
  const { memo } = after
  if (event.task === 'finalize') {
    if (isCompact || request.kind !== 'iterate') return []
    return ['[Finalizing iteration...]']
  }
  if (event.chore) return describeStart(memo, isCompact)
  const attempt = memo.attempts + 1
  const verb = request.kind === 'analyze' ? 'Analyzing' : 'Generating'
  const what = request.kind === 'analyze' ? (inputs.brief.analysis?.name ?? request.target) : request.target
  const head = request.kind === 'iterate' ? `[${verb} ${what}... Attempt ${attempt}]` : `[${verb} ${what}...]`
  if (isCompact) return [head]
  const level = findLevel(inputs.base.type, request.target)!
  const context = attempt === 1 ? describeContext(inputs.base, level) : 'Same as attempt 1'
  return [head, ...(context === '' ? [] : [`  • Context: ${context}`]), ...feedbackLines(attempt, about, memo)]
}

function feedbackLines(attempt: number, { inputs, request, words }: WritingAbout, { edits }: WritingMemo): string[] {
  if (request.kind !== 'iterate') return []
  const edited = edits.at(-1) && words(edits.at(-1)!)
  if (typeof edited === 'string') return [`  • Feedback: "${edited}" + Judge feedback`]
  if (attempt === 2) return ['  • Feedback: Original + Judge feedback']
  if (attempt > 2) return ['  • Feedback: Original + Judge feedback (cumulative)']
  const [first, ...rest] = quoteLines(inputs.brief.feedback, '')
  return [`  • Feedback: ${first}`, ...rest.map((line) => `              ${line.trimStart()}`)]
}

function describeStart({ isPartial, draftOf }: WritingMemo, isCompact: boolean): string[] {
  if (isCompact) return [isPartial ? `[Semantic diff for attempt ${draftOf}...]` : '[Semantic diff...]']
  return [
    isPartial ? `[Generating semantic diff of attempt ${draftOf}...]` : '[Generating semantic diff...]',
    '  • Comparing: Old vs New content',
    '  • Context: User feedback + iteration history',
    '  • Analysis: What changed and why',
  ]
}

function endLines(
  event: Extract<LoopEvent, { type: 'attempt-ended' }>,
  { after }: WritingStep,
  about: WritingAbout,
  isCompact: boolean,
): string[] {
  const { outcome } = event
  const { request } = about
  if (outcome.status === 'interrupted') return []
  if (outcome.status !== 'ok') {
    const what = event.task === 'finalize' ? 'Not saved' : outcome.status === 'unavailable' ? 'No answer' : 'No text'
    return [`✗ ${what}: ${outcome.detail ?? 'no reason given'}`]
  }
  if (event.task === 'finalize') return savedLines(event, about, after.memo, isCompact)
  if (event.chore) return diffLines(outcome.output, about, after.memo.isPartial, isCompact)
  if (isCompact) return request.kind === 'iterate' ? ['✓ Generated'] : []
  const isJudged = request.kind === 'iterate' && outcomeData(outcome).problems === 0
  return [fullBar, '✓ Generated (saved to debug/)', ...(isJudged ? ['[Running validation judge...]'] : [])]
}

function diffLines(ref: Ref | undefined, about: WritingAbout, isPartial: boolean, isCompact: boolean): string[] {
  const parsed = SemanticDiff.safeParse(ref && about.words(ref))
  if (!parsed.success) return ['(The summary is in the debug folder: final_semantic_diff.md)']
  if (isCompact) return isPartial ? formatPartial(parsed.data) : formatBriefSummary(parsed.data)
  const { base } = about.inputs
  const level = findLevel(base.type, about.request.target)!
  return formatSummary(parsed.data, { level, leadParts: findLeadParts(level, base.files) })
}

const formatPartial = (diff: SemanticDiff): string[] => [
  `Changes: ${diff.changes.map(({ summary, title }) => summary || title).join(' ')}`,
]

function savedLines(
  event: Extract<LoopEvent, { type: 'attempt-ended' }>,
  { inputs, request, words }: WritingAbout,
  { edits }: WritingMemo,
  isCompact: boolean,
): string[] {
  const { base, brief } = inputs
  const { files = 0, changed = 0, iterations = 0, culled = [], commit } = outcomeData(event.outcome)
  const level = findLevel(base.type, request.target)!
  if (request.kind === 'generate') return [`✓ ${level.title} generated`]
  if (request.kind === 'analyze') return [`✓ Report saved: ${level.folder}/${brief.analysis?.name ?? ''}.md`]
  if (isCompact) return []
  const culls = culled.map((part) => {
    const from = findLevel(base.type, part.level)
    const gone = base.downstream.find((one) => one.level === part.level)?.files ?? []
    const what = from ? describeDownstream(from, gone) : formatCount(part.files, 'file')
    return `  ✓ ${findTitle(base.type, part.level)} culled (${what} deleted)`
  })
  if (!commit) return ['  ✓ Nothing changed, so there is no commit']
  const edited = edits.at(-1) && words(edits.at(-1)!)
  const { subject } = formatMessage(request, brief, typeof edited === 'string' ? edited : brief.feedback)
  return [
    `  ✓ ${level.saved} saved (${formatCount(files, 'file')})${changed < files ? `, ${changed} of them changed` : ''}`,
    `  ✓ Iteration history updated (${formatCount(iterations, 'total iteration')})`,
    ...culls,
    `  ✓ Git commit: "${subject}"`,
  ]
}

function verdictLines(
  { verdict }: Extract<LoopEvent, { type: 'verdict-reached' }>,
  about: WritingAbout,
  isCompact: boolean,
): string[] {
  const { by } = verdictData(verdict)
  if (verdict.status === 'unavailable') return [`✗ No verdict: ${verdict.detail ?? 'the judge does not answer'}`]
  if (about.request.kind !== 'iterate' && verdict.status === 'passed') return []
  const isApproved = verdict.status === 'passed'
  const stored = StoredVerdict.safeParse(verdict.evidence && about.words(verdict.evidence))
  const reasoning = stored.success ? stored.data.reasoning : '(not shown)'
  const who = by === 'structure' ? 'Check' : 'Judge'
  if (isCompact) return [`[${who}: ${isApproved ? '✓' : '✗'} "${firstSentence(reasoning)}"]`]
  const also = by === 'second' ? ' (by a second judge: the first one contradicted itself)' : ''
  const said = isApproved ? `${who} verdict: ✓ APPROVED` : `${who} verdict: ✗ NEEDS REVISION`
  return [`${said}${also}`, `${who} ${isApproved ? 'reasoning' : 'feedback'}:`, ...quoteLines(reasoning)]
}

function endingLines(
  { reason }: Extract<LoopEvent, { type: 'run-ended' }>,
  { after: { memo } }: WritingStep,
  { request }: WritingAbout,
): string[] {
  const { attempts, verdict, accepted } = memo
  switch (reason.code) {
    case 'accepted': {
      if (request.view === 'compact') return [`✓ Iteration complete${attempts > 1 ? ` (${attempts} attempts)` : ''}`]
      const how =
        accepted === 'some' ? 'partly accepted' : verdict === 'approved' ? 'approved' : 'accepted without approval'
      return [`✓ Iteration complete (${formatCount(attempts, 'judge attempt')}, ${how})`]
    }
    case 'rejected':
      return ['✗ Changes rejected. Nothing was saved.']
    case 'aborted':
      return ['✗ Iteration aborted. Nothing was saved.']
    case 'nothing_changed':
      return ['✓ Nothing changed']
    case 'attempts_used':
      return ['✗ The judge rejected every attempt. Nothing was saved.']
    default:
      return []
  }
}
