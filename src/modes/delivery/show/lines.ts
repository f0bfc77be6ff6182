import type { LoopEvent } from '../../../contract/event.ts'
import type { Line } from '../../../contract/show.ts'
import type { LoopState } from '../../../kernel/state.ts'
import { duration, plural } from '../../../show/format.ts'
import { noteLine } from '../../../show/note-line.ts'
import { oneLine } from '../../../show/one-line.ts'
import { formatReason } from '../../../show/reasons.ts'
import type { Step } from '../../../show/show.ts'
import type { Story } from '../contract/plan.ts'
import { attemptData, jobOf, verdictData } from '../core/event-data.ts'
import type { DeliveryMemo } from '../core/memo.ts'
import { deliveryReasons } from '../core/reasons.ts'

type About = { readonly name: string; readonly stories: readonly Story[] }

/** One event of a delivery as a person reads it: what begins, what was rejected and why, what is done and kept. */
export function deliveryLines({ event, before, after }: Step<DeliveryMemo>, about: About): readonly Line[] {
  const { state, memo } = after
  switch (event.type) {
    case 'run-started':
      return [[`Delivering ${about.name}: ${countStories(about)}`]]
    case 'run-resumed':
    case 'run-reopened':
      return [[`Going on with ${about.name}: ${countDone(memo)} of ${countStories(about)} done`]]
    case 'attempt-started':
      return started(event, state, about)
    case 'attempt-ended':
      return attempted(event, before.state)
    case 'verdict-reached':
      return event.chore || event.verdict.status !== 'failed'
        ? []
        : [[`${event.task} attempt ${event.attempt} rejected: ${oneLine(event.verdict.detail ?? 'no detail', 200)}`]]
    case 'decision-made':
      return decided(event, state)
    case 'wait-ended':
      return [[event.skipped ? 'Wait skipped' : 'Wait over']]
    case 'run-ended':
      return [[ended(event, state, memo, about)]]
    case 'note-received':
      return noteLine(event)
    case 'task-picked':
    case 'call-ended':
    case 'run-interrupted':
      return []
  }
}

const countStories = ({ stories }: About): string => plural(stories.length, 'story', 'stories')

export const countDone = ({ stories }: DeliveryMemo): number =>
  Object.values(stories).filter(({ status }) => status === 'done').length

function started({ task, attempt, chore }: LoopEvent, { caps }: LoopState, { stories }: About): Line[] {
  if (chore) return task === 'run-verification' ? [['All stories are done; verifying the whole']] : []
  const title = stories.find(({ id }) => id === task)?.title ?? ''
  return [[`${task} attempt ${attempt}${boundOf(attempt ?? 0, caps)}: ${oneLine(title, 100)}`]]
}

/** Numbers go on after a run was reopened, and its bound begins anew. */
export const boundOf = (attempt: number, { attemptsPerTask }: LoopState['caps']): string =>
  attemptsPerTask && attempt <= attemptsPerTask ? `/${attemptsPerTask}` : ''

function attempted({ task, chore, outcome }: Extract<LoopEvent, { type: 'attempt-ended' }>, before: LoopState): Line[] {
  const { fault, commit, tampering = [] } = attemptData(outcome)
  if (outcome.status === 'unavailable' && fault === 'limit') return [[`${task}: its agent met a usage limit`]]
  if (outcome.status === 'unavailable') return [[`${task} could not be tried: ${oneLine(outcome.detail ?? '', 200)}`]]
  if (chore && outcome.status === 'failed') return [[`${task} failed: ${oneLine(outcome.detail ?? '', 200)}`]]
  if (chore && commit) {
    const job = jobOf(before.task)
    return [[`${job.story} ${job.do === 'put-away' ? 'put away' : 'kept'} as ${commit.slice(0, 10)}`]]
  }
  return tampering
    .filter(({ expected }) => !expected)
    .slice(0, 3)
    .map(({ path, kind, says }) => [`${task} touched ${path} (${kind}): ${oneLine(says, 120)}`])
}

function decided(
  { decision, task, chore, at }: Extract<LoopEvent, { type: 'decision-made' }>,
  state: LoopState,
): Line[] {
  if (decision.do === 'settle' && !chore) {
    if (decision.as === 'interrupted') return []
    const { evidence } = verdictData(state.verdict)
    const proof = decision.as === 'done' && evidence ? ` (${evidence})` : ''
    const tries = plural(state.burned, 'attempt')
    return [[`${task} ${decision.as}${proof} after ${tries}, ${duration(state.taskMs)}`]]
  }
  if (decision.do === 'wait') {
    const ms = Math.max(0, decision.until - at)
    const length: Line = ms < 60_000 ? [{ is: 'duration', ms }] : ['until ', { is: 'at', at: decision.until }]
    const skip = { is: 'action', action: { do: 'resume', now: true } } as const
    return [['Waiting ', ...length, ` (${formatReason(deliveryReasons, decision.reason)}); skip with: `, skip]]
  }
  if (decision.do === 'pause') {
    const { topic } = decision.question
    const what = topic.code === 'paused' ? 'Paused' : `It asks: ${formatReason(deliveryReasons, topic)}`
    return [[`${what}; go on with: `, { is: 'action', action: { do: 'answer' } }]]
  }
  return []
}

function ended(
  { ending, reason }: Extract<LoopEvent, { type: 'run-ended' }>,
  state: LoopState,
  memo: DeliveryMemo,
  about: About,
): string {
  const done = `${countDone(memo)} of ${countStories(about)} done`
  const spent = `${plural(state.attempts, 'attempt')}, ${duration(state.activeMs)}`
  const how = ending === 'completed' ? 'Delivered' : `Ended as ${ending}: ${formatReason(deliveryReasons, reason)}`
  return `${how}; ${done} (${spent})`
}
