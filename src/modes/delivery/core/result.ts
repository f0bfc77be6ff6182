import type { Left } from '../../../kernel/policy.ts'
import type { LoopState } from '../../../kernel/state.ts'
import { formatReason } from '../../../show/reasons.ts'
import type { Plan, Story } from '../contract/plan.ts'
import {
  type DeliveryResult,
  type Evidence,
  isReason,
  type NextAction,
  type RedTests,
  type StoryResult,
} from '../contract/result.ts'
import { type DeliveryMemo, findStoryMemo } from './memo.ts'
import { deliveryReasons } from './reasons.ts'

export type RunExit = {
  readonly run: string
  readonly plan: Plan
  readonly left: Left<DeliveryMemo>
  readonly exit: number
  readonly sandbox: DeliveryResult['sandbox']
  /** For an unsaved run: true if writing failed, false if it is a bug in Pawl. */
  readonly notSaved?: boolean
}

/** Builds `result.json` from the state in which the run loop returned. Pure. */
export function buildDeliveryResult({ run, plan, left, exit, sandbox, notSaved = false }: RunExit): DeliveryResult {
  const { state, memo } = left.view
  const stories = buildStoryResults(plan, memo)
  const status = decideStatus(left)
  const reason = decideReason(left)
  const count = (wanted: StoryResult['status']): number => stories.filter((story) => story.status === wanted).length
  const error = buildError(left, notSaved)
  return {
    contract_version: 1,
    run_id: run,
    status,
    reason,
    stories,
    run_verification: memo.runVerification,
    ...(memo.stillRed !== null && { still_red: memo.stillRed }),
    summary: {
      completed: count('done'),
      failed: count('failed'),
      skipped: count('skipped'),
      pending: count('pending'),
      blocked: count('blocked'),
    },
    next_action: decideNextAction(status, exit, reason, state),
    detail: formatDetail(left, stories, error),
    exit,
    seq: state.seq,
    ...(state.ended?.ending === 'cancelled' && { cancelled_by: state.cancelBy ?? 'somebody' }),
    ...(error && { error }),
    spend: {
      attempts: state.attempts,
      tokens: state.tokens,
      cost_usd: Math.round(state.costUsd * 1e6) / 1e6,
      unknown_calls: state.unknownCalls,
      active_ms: Math.round(state.activeMs),
      wait_ms: Math.round(state.waitMs),
    },
    sandbox,
  }
}

function decideStatus({ status, view }: Left<DeliveryMemo>): DeliveryResult['status'] {
  if (status === 'interrupted') return 'interrupted'
  if (status === 'waiting') return 'blocked'
  if (status === 'unsaved') return 'failed'
  const ending = view.state.ended?.ending
  return ending === 'completed' ? 'success' : ending === 'cancelled' ? 'interrupted' : (ending ?? 'failed')
}

function decideReason({ status, view }: Left<DeliveryMemo>): DeliveryResult['reason'] {
  if (status === 'waiting') return 'blocked_dependency'
  const code = status === 'ended' ? (view.state.ended?.reason.code ?? '') : ''
  return isReason(code) ? code : null
}

/** Describes failures for which the contract has no reason. */
function buildError(left: Left<DeliveryMemo>, notSaved: boolean): DeliveryResult['error'] {
  if (left.status === 'unsaved') {
    return { code: notSaved ? 'not_saved' : 'internal', message: String((left.error as Error).message) }
  }
  const { ended } = left.view.state
  if (left.status !== 'ended' || ended?.ending !== 'failed' || isReason(ended.reason.code)) return undefined
  const { cap } = ended.reason
  if (cap === 'waitMs') return { code: 'wait_exhausted', message: 'the wait would exceed wait_minutes' }
  if (cap === 'interruptionsInARow') {
    return { code: 'unavailable', message: 'interrupted or unavailable too many times in a row' }
  }
  return { code: 'internal', message: formatReason(deliveryReasons, ended.reason) }
}

function decideNextAction(
  status: DeliveryResult['status'],
  exit: number,
  reason: DeliveryResult['reason'],
  { ended }: LoopState,
): NextAction {
  if (status === 'success') return 'open_pr'
  if (status === 'blocked') return 'unblock'
  if (status === 'interrupted') return ended?.ending === 'cancelled' ? 'review' : 'retry'
  if (exit === 20) return 'retry'
  return reason === 'plan_generation_failed' || reason === 'story_verification_failed' ? 'fix_spec' : 'review'
}

/** One line for people: the cause of the ending, which is not always the last event. */
function formatDetail(left: Left<DeliveryMemo>, stories: readonly StoryResult[], error: DeliveryResult['error']) {
  const { state, memo } = left.view
  const { ended, question, task } = state
  const at = task?.kind === 'work' ? ` in ${task.id}, attempt ${state.attempt}` : ''
  if (left.status === 'waiting')
    return `waiting for an answer${question ? `: ${formatReason(deliveryReasons, question.topic)}` : ''}`
  if (error) return error.message
  if (left.status === 'interrupted') return `interrupted${at}`
  if (ended?.ending === 'cancelled') return `cancelled by ${state.cancelBy ?? 'somebody'}${at}`
  if (ended?.ending === 'completed') return describeWeak(stories, memo.stillRed)
  if (memo.trouble !== null) return memo.trouble
  if (ended?.reason.code === 'run_timeout') return 'run_timeout_minutes is used up'
  const first = stories.find(({ status }) => status === ended?.ending)
  return first
    ? `${first.id}: ${first.because ?? first.reason}`
    : (findUsedUpLimit(state) ?? state.outcome?.detail ?? null)
}

function describeWeak(stories: readonly StoryResult[], red: RedTests | null): string | null {
  const list = (kind: Evidence): string =>
    stories.flatMap(({ id, evidence }) => (evidence === kind ? [id] : [])).join(', ')
  const [rewritten, unproven] = [list('rewritten'), list('unproven')]
  const weak = [
    ...(rewritten ? [`passed only with tests or settings that it changed itself: ${rewritten}`] : []),
    ...(unproven ? [`done without proof: ${unproven}`] : []),
    ...(red ? [`still red: ${formatRed(red)}`] : []),
  ]
  return weak.length > 0 ? weak.join('; ') : null
}

/** "2 tests (adds, takes)" */
export const formatRed = ({ count, tests }: RedTests): string =>
  `${count} ${count === 1 ? 'test' : 'tests'} (${tests.join(', ')}${count > tests.length ? ', …' : ''})`

/** Names the limit that ended a run in which no story failed. */
function findUsedUpLimit({ attempts, tokens, costUsd, caps }: LoopState): string | undefined {
  if (attempts >= (caps.attemptsPerRun ?? Infinity)) return 'run_max_attempts is used up'
  if (tokens >= (caps.tokens ?? Infinity)) return 'the token limit is used up'
  return costUsd >= (caps.costUsd ?? Infinity) ? 'the cost limit is used up' : undefined
}

function buildStoryResults(plan: Plan, memo: DeliveryMemo): StoryResult[] {
  const lost = new Map<string, string>()
  return plan.stories.map((story) => {
    const skippedFor = findSkipReason(story, memo, lost)
    if (skippedFor) lost.set(story.id, skippedFor)
    return buildStoryResult(story, memo, skippedFor)
  })
}

/** One pass is enough, because in plan order every story comes after its dependencies. */
function findSkipReason(
  { id, depends_on }: Story,
  memo: DeliveryMemo,
  lost: ReadonlyMap<string, string>,
): string | undefined {
  if (findStoryMemo(memo, id).status !== 'open') return undefined
  const broken = depends_on.find(
    (one) => lost.has(one) || ['failed', 'blocked'].includes(findStoryMemo(memo, one).status),
  )
  return broken && `${broken} is ${lost.has(broken) ? 'skipped' : findStoryMemo(memo, broken).status}`
}

function buildStoryResult({ id, title }: Story, memo: DeliveryMemo, skippedFor: string | undefined): StoryResult {
  const story = findStoryMemo(memo, id)
  const { status, attempts, verification, evidence, reason, because, tampering, commit, moved, place, runs } = story
  return {
    id,
    title,
    status: skippedFor ? 'skipped' : status === 'open' ? 'pending' : status,
    attempts,
    verification,
    evidence: status === 'done' ? evidence : null,
    reason,
    because: skippedFor ?? because,
    tampering,
    commit,
    ...(status === 'done' && place !== null && { verified_in: place }),
    ...(runs.length > 0 && { runs }),
    ...(moved.length > 0 && { rewritten: moved }),
  }
}
