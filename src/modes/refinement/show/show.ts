import type { LoopEvent } from '../../../contract/event.ts'
import type { Card, Output } from '../../../contract/show.ts'
import type { CapName, Ref } from '../../../contract/values.ts'
import type { View } from '../../../kernel/policy.ts'
import { usualSetting } from '../../../show/reasons.ts'
import type { Show } from '../../../show/show.ts'
import type { RefinementRequest } from '../contract/request.ts'
import { boundsOf } from '../core/bounds.ts'
import { attemptData, scoreData } from '../core/event-data.ts'
import { bestOutput, type RefinementMemo } from '../core/memo.ts'
import { asBound } from './format-bound.ts'
import { formatScore } from './format-score.ts'
import { refinementLines } from './lines.ts'
import { refinementLive } from './live.ts'
import { refinementNotices } from './notices.ts'
import { showQuestion } from './question.ts'
import type { RefinementFacts } from './report/facts.ts'
import { refinementSections } from './sections.ts'
import { phaseOf, subjectOf } from './subject.ts'
import { formatDoing, refinementWhy } from './why.ts'

/** Everything that shows a refinement. Pure: values in, values out. */
export const refinementShow: Show<RefinementRequest, null, RefinementMemo, RefinementFacts> = {
  unit: { one: 'iteration', many: 'iterations' },
  setting,
  task: (id, about, { memo }) => phaseOf(id, subjectOf(about, memo.phases?.titles)).title,
  doing: (underWay, about, { memo }) => formatDoing(underWay, subjectOf(about, memo.phases?.titles)),
  wants: (event, { memo }, { rubric }) => [rubric, memo.phases?.titles, ledgerIn(event)].filter(isThere),
  lines: refinementLines,
  live: refinementLive,
  bounds: (state, { request }) => boundsOf(state, request.rules).map(asBound),
  question: (question) => showQuestion(question),
  progress: (view, { request }) => progressOf(view, request),
  notices: ({ facts }) => refinementNotices(facts.refinement),
  report: refinementSections,
  why: refinementWhy,
  outputs,
}

/** An attempt is an iteration here. */
function setting(cap: CapName): string {
  return cap === 'attemptsPerRun' ? usualSetting('tasks') : usualSetting(cap)
}

const isThere = (ref: Ref | null | undefined): ref is Ref => Boolean(ref)

const ledgerIn = (event: LoopEvent): Ref | null | undefined =>
  event.type === 'verdict-reached' ? scoreData(event.verdict)?.ledger : undefined

/** How far it is, and how good the text is that it has to show. */
function progressOf(
  { state, memo }: View<RefinementMemo>,
  { rules }: RefinementRequest,
): Pick<Card, 'progress' | 'did'> {
  const { attempts: iterations, caps } = state
  const of = caps.attemptsPerRun ?? rules.iterations
  const best = memo.iterations.findLast(({ output }) => output?.path === bestOutput(memo)?.path)
  const { score = null, spread = null } = best ?? {}
  const scored = score === null || spread === null ? '' : `, ${formatScore({ score, spread }, rules)}`
  const says = `${iterations}/${of}${scored}`
  return { progress: says, did: { iterations, of, score, spread, says } }
}

/** What the models wrote. A plan is none. */
function outputs(event: LoopEvent): readonly Output[] {
  if (event.type !== 'attempt-ended' || event.task === null || event.task === 'decompose') return []
  const { output: ref } = event.outcome
  const iteration = attemptData(event.outcome).iteration ?? null
  return ref ? [{ name: `${event.task}, iteration ${iteration}`, ref, data: { task: event.task, iteration } }] : []
}
