import type { LoopEvent } from '../../../contract/event.ts'
import type { View } from '../../../run/fold-run.ts'
import type { LoopState } from '../../../run/read-run.ts'
import { duration, moment, plural } from '../../../show/format.ts'
import { recordOf } from '../../../show/report/told.ts'
import { sayReason } from '../../../show/words.ts'
import { oneLine } from '../../../surfaces/terminal/one-line.ts'
import { deliveryReasons } from '../core/reasons.ts'

type Told = { readonly name: string; readonly titles: ReadonlyMap<string, string> }

/** One event of a delivery as a person reads it: what begins, what was rejected and why, what is done and kept. */
export function sayStory(event: LoopEvent, { state, memo }: View<unknown>, about: Told): string[] {
  switch (event.type) {
    case 'run-started':
      return [`Delivering ${about.name}: ${plural(about.titles.size, 'story', 'stories')}`]
    case 'run-resumed':
    case 'run-reopened':
      return [`Going on with ${about.name}: ${doneIn(memo)} of ${plural(about.titles.size, 'story', 'stories')} done`]
    case 'attempt-started':
      return started(event, state, about)
    case 'attempt-ended':
      return attempted(event)
    case 'verdict-reached':
      return event.chore || event.verdict.status !== 'failed'
        ? []
        : [`${event.task} attempt ${event.attempt} rejected: ${oneLine(event.verdict.detail ?? 'no detail', 200)}`]
    case 'decision-made':
      return decided(event, state)
    case 'wait-ended':
      return [event.skipped ? 'Wait skipped' : 'Wait over']
    case 'run-ended':
      return [ended(event, state, memo, about)]
    case 'note-received':
    case 'task-picked':
    case 'call-ended':
    case 'run-interrupted':
      return []
  }
}

function started({ task, attempt, chore }: LoopEvent, { caps }: LoopState, { titles }: Told): string[] {
  if (chore) return task === 'run-verification' ? ['All stories are done; verifying the whole'] : []
  // Numbers go on after a run was reopened, and its bound begins anew.
  const of = caps.attemptsPerTask && (attempt ?? 0) <= caps.attemptsPerTask ? `/${caps.attemptsPerTask}` : ''
  return [`${task} attempt ${attempt}${of}: ${oneLine(titles.get(task ?? '') ?? '', 100)}`]
}

function attempted({ task, chore, outcome }: Extract<LoopEvent, { type: 'attempt-ended' }>): string[] {
  const told = recordOf(outcome.data)
  if (outcome.status === 'unavailable' && told.fault === 'limit') return [`${task}: its agent met a usage limit`]
  if (outcome.status === 'unavailable') return [`${task} could not be tried: ${oneLine(outcome.detail ?? '', 200)}`]
  if (chore && outcome.status === 'failed') return [`${task} failed: ${oneLine(outcome.detail ?? '', 200)}`]
  const commit = typeof told.commit === 'string' ? told.commit : undefined
  if (chore && commit) {
    const given = task?.startsWith('put-away-')
    const id = task?.replace(/^(?:keep|put-away)-/, '')
    return [`${id} ${given ? 'put away' : 'kept'} as ${commit.slice(0, 10)}`]
  }
  const named = Array.isArray(told.tampering) ? told.tampering.map(recordOf) : []
  return named
    .filter(({ expected }) => expected !== true)
    .slice(0, 3)
    .map(({ path, kind, says }) => `${task} touched ${String(path)} (${String(kind)}): ${oneLine(String(says), 120)}`)
}

function decided(
  { decision, task, chore, at }: Extract<LoopEvent, { type: 'decision-made' }>,
  state: LoopState,
): string[] {
  if (decision.do === 'settle' && !chore) {
    if (decision.as === 'interrupted') return []
    const evidence = recordOf(state.verdict?.data).evidence
    const proof = decision.as === 'done' && typeof evidence === 'string' ? ` (${evidence})` : ''
    const tries = plural(state.burned, 'attempt')
    return [`${task} ${decision.as}${proof} after ${tries}, ${duration(state.taskMs)}`]
  }
  if (decision.do === 'wait') {
    const ms = Math.max(0, decision.until - at)
    const length = ms < 60_000 ? duration(ms) : `until ${moment(decision.until)} UTC`
    return [`Waiting ${length} (${decision.reason}); skip with: pawl resume --now`]
  }
  if (decision.do === 'pause') {
    const { topic } = decision.question
    return [`${topic === 'paused' ? 'Paused' : `It asks: ${topic}`}; go on with: pawl answer`]
  }
  return []
}

function ended(
  { ending, reason }: Extract<LoopEvent, { type: 'run-ended' }>,
  state: LoopState,
  memo: unknown,
  { titles }: Told,
): string {
  const done = `${doneIn(memo)} of ${plural(titles.size, 'story', 'stories')} done`
  const spent = `${plural(state.attempts, 'attempt')}, ${duration(state.activeMs)}`
  const how = ending === 'completed' ? 'Delivered' : `Ended as ${ending}: ${sayReason(deliveryReasons, reason)}`
  return `${how}; ${done} (${spent})`
}

function doneIn(memo: unknown): number {
  const stories = Object.values(recordOf(recordOf(memo).stories))
  return stories.filter((story) => recordOf(story).status === 'done').length
}
