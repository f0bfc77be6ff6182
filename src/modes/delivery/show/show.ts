import type { LoopEvent } from '../../../contract/event.ts'
import type { Block, Cell, Line, Section, UnderWay } from '../../../contract/show.ts'
import type { LoopState } from '../../../kernel/state.ts'
import { formatCount, formatDuration, toOneLine } from '../../../show/format.ts'
import { continuation, formatNote, formatQuestion, resultLook } from '../../../show/lines.ts'
import { defaultSetting, formatReason } from '../../../show/reasons.ts'
import type { Show, Step } from '../../../show/show.ts'
import { explainWork } from '../../../show/why.ts'
import { listDefaultBounds, showWorkLive } from '../../../show/work-live.ts'
import { attemptsSection, changesSection, nextSection, spentSection } from '../../../show/work-report.ts'
import type { Plan, Story } from '../contract/plan.ts'
import type { DeliveryRequest } from '../contract/request.ts'
import type { Evidence, StoryResult } from '../contract/result.ts'
import { describeRuns } from '../core/describe-run.ts'
import { attemptData, readJob, verdictData } from '../core/event-data.ts'
import { sameTree } from '../core/evidence/weigh.ts'
import type { DeliveryFacts } from '../core/facts.ts'
import type { DeliveryMemo } from '../core/memo.ts'
import { deliveryReasons, deliveryReasons as reasons } from '../core/reasons.ts'
import { formatEvidence, listEvidence } from './evidence.ts'
import { deliveryNotices } from './notices.ts'

const unit = { one: 'story', many: 'stories' }

/** Shows a delivery to people. */
export const deliveryShow: Show<DeliveryRequest, ReadonlyMap<string, Plan>, DeliveryMemo, DeliveryFacts> = {
  unit,
  setting: defaultSetting,
  task: (id) => id,
  planned: ({ inputs }, { memo }) =>
    (inputs.get(memo.plan)?.stories ?? []).map(({ id, title }) => ({ id, title: `${id} ${title}` })),
  doing,
  wants: () => [],
  lines: (step, { name, request, inputs }) =>
    deliveryLines(step, { name, stories: inputs.get(request.plan.sha256)?.stories ?? [] }),
  live: (watched) => showWorkLive(watched, { unit, setting: defaultSetting, reasons, task: formatTask }),
  bounds: (state) => listDefaultBounds(state, { tasks: 'stories' }),
  question: (question) => formatQuestion(question, reasons),
  progress: ({ memo }, { inputs }) => {
    const [stories, of] = [countDone(memo), inputs.get(memo.plan)?.stories.length ?? 0]
    return { progress: `${stories}/${of} stories`, did: { stories, of }, tasks: { done: stories, of } }
  },
  notices: deliveryNotices,
  evidence: listEvidence,
  report: (report) => [
    changesSection(report.facts),
    storiesSection(report.facts),
    attemptsSection(report, 'ATTEMPTS'),
    spentSection(report),
    nextSection(report),
  ],
  why: (report) => explainWork(report, { reasons, setting: defaultSetting, doing, advice: listFailed(report.facts) }),
}

/** Why stories did not come through. The rule that ended the run does not say. */
const listFailed = ({ delivery: { stories } }: DeliveryFacts): readonly Line[] =>
  stories.flatMap(({ id, status, because, reason }) =>
    status === 'failed' || status === 'blocked'
      ? [[`${id} ${status}: ${toOneLine(because ?? reason ?? '', 200)}`]]
      : [],
  )

/** "running S2" */
function doing({ doing, task }: UnderWay): string {
  return `${doing === 'attempt' ? 'running' : 'running the gates of'} ${task}`
}

/** "S1 attempt 2/4", or the chore between stories. */
function formatTask({ task, attempt, caps }: LoopState): string {
  if (!task) return 'between stories'
  if (task.kind === 'chore') return task.id.replace('-', ' ')
  return `${task.id} attempt ${Math.max(1, attempt)}${formatBound(attempt, caps)}`
}

const maxStories = 50
const maxReasons = 10
const head = ['STORY', 'STATUS', 'EVIDENCE', 'TRIED', 'COMMIT', 'TITLE']

/** Lists the status of each story and why. */
function storiesSection({ delivery }: DeliveryFacts): Section {
  const { stories, run_verification: final } = delivery
  const cut = stories.length - maxStories
  const why = stories.flatMap(({ id, because }) => (because ? [`${id}: ${toOneLine(because, 150)}`] : []))
  const tried = stories.flatMap(({ id, runs = [], verified_in: place }) => {
    const where = place && place !== 'work_tree' ? ['verified in a clean room'] : []
    const says = [...where, ...[describeRuns(runs)].filter(Boolean)]
    return says.length > 0 ? [`${id}: ${says.join('; ')}`] : []
  })
  const lines = [
    ...(cut > 0 ? [`and ${cut} more: --json`] : []),
    ...why.slice(0, maxReasons),
    ...tried.slice(0, maxReasons),
    ...(final === 'not_run' ? [] : [`final verification ${final}`]),
  ]
  const blocks: Block[] = [
    { kind: 'table', head, rows: stories.slice(0, maxStories).map(toCells), narrow: { shorten: [5], drop: [4, 3, 2] } },
    { kind: 'text', lines: lines.map((line) => [line]) },
  ]
  return { id: 'stories', title: 'STORIES', blocks }
}

const toCells = ({ id, status, evidence, attempts, because, commit, title }: StoryResult): Cell[] =>
  [
    id,
    status,
    evidence ? formatEvidence(evidence) : '',
    attempts ? formatCount(attempts, 'attempt') : '',
    because === sameTree ? 'no change' : (commit?.slice(0, 10) ?? ''),
    toOneLine(title, 60),
  ].map((text, column) => ({ line: [column === 1 ? resultLook(text) : text] }))

type About = { readonly name: string; readonly stories: readonly Story[] }

/** Formats one event as lines for people. */
function deliveryLines({ event, before, after }: Step<DeliveryMemo>, about: About): readonly Line[] {
  const { state, memo } = after
  switch (event.type) {
    case 'run-started':
      return [[`Delivering ${about.name}: ${countStories(about)}`]]
    case 'run-resumed':
    case 'run-reopened':
      return [[`Resuming ${about.name}: ${countDone(memo)} of ${countStories(about)} done`]]
    case 'attempt-started':
      return started(event, state, about)
    case 'attempt-ended':
      return attempted(event, before.state)
    case 'verdict-reached':
      return event.chore || event.verdict.status !== 'failed'
        ? []
        : [
            [
              { is: 'warning', text: `${event.task} attempt ${event.attempt} rejected` },
              `: ${toOneLine(event.verdict.detail ?? 'no detail', 200)}`,
            ],
          ]
    case 'decision-made':
      return decided(event, state)
    case 'wait-ended':
      return [[event.skipped ? 'Wait skipped' : 'Wait over']]
    case 'run-ended':
      return [[{ is: event.ending === 'completed' ? 'good' : 'bad', text: ended(event, state, memo, about) }]]
    case 'note-received':
      return formatNote(event)
    case 'task-picked':
    case 'call-ended':
    case 'run-interrupted':
      return []
  }
}

const countStories = ({ stories }: About): string => formatCount(stories.length, 'story', 'stories')

const countDone = ({ stories }: DeliveryMemo): number =>
  Object.values(stories).filter(({ status }) => status === 'done').length

function started({ task, attempt, chore }: LoopEvent, { caps }: LoopState, { stories }: About): Line[] {
  if (chore) return task === 'run-verification' ? [['All stories are done; running the final verification']] : []
  const title = stories.find(({ id }) => id === task)?.title ?? ''
  return [[`${task} attempt ${attempt}${formatBound(attempt ?? 0, caps)}: ${toOneLine(title, 100)}`]]
}

/** Leaves out the limit in a reopened run, where attempt numbers continue and the limit starts over. */
const formatBound = (attempt: number, { attemptsPerTask }: LoopState['caps']): string =>
  attemptsPerTask && attempt <= attemptsPerTask ? `/${attemptsPerTask}` : ''

function attempted({ task, chore, outcome }: Extract<LoopEvent, { type: 'attempt-ended' }>, before: LoopState): Line[] {
  const { fault, commit, tampering = [] } = attemptData(outcome)
  if (outcome.status === 'unavailable' && fault === 'limit') return [[`${task}: the agent hit a usage limit`]]
  if (outcome.status === 'unavailable') return [[`${task} could not start: ${toOneLine(outcome.detail ?? '', 200)}`]]
  if (chore && outcome.status === 'failed') return [[`${task} failed: ${toOneLine(outcome.detail ?? '', 200)}`]]
  const { removed = [] } = attemptData(outcome)
  if (removed.length > 0) {
    const are = removed.length > 1 ? 'are' : 'is'
    return [[`${removed.join(', ')} ${are} no longer in the branch (reverted or reset): planned again`]]
  }
  if (chore && commit) {
    const job = readJob(before.task)
    return [[`${job.story} ${job.do === 'put-away' ? 'set aside' : 'saved'} as ${commit.slice(0, 10)}`]]
  }
  return tampering
    .filter(({ expected }) => !expected)
    .slice(0, 3)
    .map(({ path, kind, says }) => [`${task} touched ${path} (${kind}): ${toOneLine(says, 120)}`])
}

function decided(
  { decision, task, chore, at }: Extract<LoopEvent, { type: 'decision-made' }>,
  state: LoopState,
): Line[] {
  if (decision.do === 'settle' && !chore) {
    if (decision.as === 'interrupted') return []
    const { evidence } = verdictData(state.verdict)
    const proof = decision.as === 'done' && evidence ? ` (${formatEvidence(evidence)})` : ''
    const tries = formatCount(state.burned, 'attempt')
    return [[`${task} ${decision.as}${proof} after ${tries}, ${formatDuration(state.taskMs)}`]]
  }
  if (decision.do === 'wait') {
    const ms = Math.max(0, decision.until - at)
    const length: Line = ms < 60_000 ? [{ is: 'duration', ms }] : ['until ', { is: 'at', at: decision.until }]
    const skip = { is: 'action', action: { do: 'resume', now: true } } as const
    return [['Waiting ', ...length, ` (${formatReason(deliveryReasons, decision.reason)}); skip with: `, skip]]
  }
  if (decision.do === 'pause') {
    const { topic } = decision.question
    const action = { is: 'action', action: continuation(decision.question) } as const
    if (topic.code === 'paused') return [['Paused; continue with: ', action]]
    const hints = topic.code === 'red_baseline' ? redBaselineHints : []
    return [[`Question: ${formatReason(deliveryReasons, topic)}`], ...hints, ['Answer with: ', action]]
  }
  return []
}

const redBaselineHints: readonly Line[] = [
  [
    'To judge each story alone, stop, and start again with --fresh and one of these: a command with {story_id}, results in the config, or by_requirement in a run input. Or repair the suite first.',
  ],
]

function ended(
  { ending, reason }: Extract<LoopEvent, { type: 'run-ended' }>,
  state: LoopState,
  memo: DeliveryMemo,
  about: About,
): string {
  const count = (kind: Evidence): number =>
    Object.values(memo.stories).filter(({ status, evidence }) => status === 'done' && evidence === kind).length
  const weak = [[count('rewritten'), 'rewritten'] as const, [count('unproven'), 'without proof'] as const].flatMap(
    ([number, how]) => (number > 0 ? [`, ${number} ${how}`] : []),
  )
  const done = `${countDone(memo)} of ${countStories(about)} done${weak.join('')}`
  const spent = `${formatCount(state.attempts, 'attempt')}, ${formatDuration(state.activeMs)}`
  // The agent's own words say more than that something is in the way.
  const { detail = '' } = reason.code === 'blocked_dependency' ? (state.outcome ?? {}) : {}
  const why = `${formatReason(deliveryReasons, reason)}${detail ? `: ${toOneLine(detail, 200)}` : ''}`
  const how = ending === 'completed' ? 'Delivered' : `Ended as ${ending}: ${why}`
  return `${how}; ${done} (${spent})`
}
