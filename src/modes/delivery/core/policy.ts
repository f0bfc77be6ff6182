import type { Decision, Stop, Task } from '../../../contract/event.ts'
import type { CapName, Caps } from '../../../contract/values.ts'
import { computeBackOffMs } from '../../../judging/commands.ts'
import type { Policy, View } from '../../../kernel/policy.ts'
import type { LoopState } from '../../../kernel/state.ts'
import type { DeliveryPolicy } from '../contract/input.ts'
import type { Plan, Story } from '../contract/plan.ts'
import type { DeliveryRequest } from '../contract/request.ts'
import type { Evidence, Reason } from '../contract/result.ts'
import { attemptData, readJob, verdictData } from './event-data.ts'
import { foldDelivery } from './fold.ts'
import { type DeliveryMemo, emptyMemo, findStoryMemo, type StoryMemo } from './memo.ts'

export type DeliveryTerms = {
  /** Every plan the run has used, by hash, and the hash of the first. */
  readonly plans: ReadonlyMap<string, Plan>
  readonly first: string
  readonly agent: string
  readonly runCommands: number
  readonly tampering: DeliveryPolicy['tampering']
  /** Stories are committed on the branch, so they can be removed from it. */
  readonly commits: boolean
  /** After how many idle attempts in a row, failing in the same way, a story is given up. 0: never. */
  readonly stuckAfter: number
  readonly redBaseline: DeliveryPolicy['red_baseline']
  /** Stories are judged by single tests, if the output names them. */
  readonly results?: boolean
}

/** Extracts the parts of a request that decisions depend on. */
export const buildTerms = (
  { input, plan, agent, commit }: DeliveryRequest,
  plans: DeliveryTerms['plans'],
): DeliveryTerms => ({
  plans,
  first: plan.sha256,
  agent: agent.name,
  runCommands: input.verification.run_commands.length,
  tampering: input.policy.tampering,
  commits: commit,
  stuckAfter: input.policy.stuck_after,
  redBaseline: input.policy.red_baseline,
  results: input.verification.results !== undefined,
})

/** Delivers stories in plan order. A story's verification commands decide whether it is done. */
export const deliveryPolicy = (terms: DeliveryTerms, caps: Caps): Policy<DeliveryMemo> => ({
  name: 'delivery',
  version: 5,
  caps,
  memo: emptyMemo(terms.first),
  fold: foldDelivery(terms.plans),
  pick: (view) => pick(view, terms),
  decide: (view) => decide(view, terms),
  whenSpent,
})

/** Saves verified work first, then picks the first story that is ready, and verifies the run at the end. */
function pick({ state, memo }: View<DeliveryMemo>, terms: DeliveryTerms): Task | Stop {
  const { stories } = terms.plans.get(memo.plan)!
  if (memo.undone) return { do: 'stop', ending: 'cancelled', reason: { code: 'undone', ...memo.undone } }
  const isDone = (id: string): boolean => findStoryMemo(memo, id).status === 'done'
  const unkept = stories.find(({ id }) => isDone(id) && !findStoryMemo(memo, id).kept)
  if (unkept) return buildChore('keep', unkept)
  if (terms.commits && !memo.checked && stories.some(({ id }) => isDone(id))) {
    return { id: 'check-stories', kind: 'chore', data: { do: 'check', story: '' } }
  }
  const next = stories.find(
    ({ id, depends_on }) => findStoryMemo(memo, id).status === 'open' && depends_on.every(isDone),
  )
  if (next) {
    const spent = state.attempts >= (state.caps.attemptsPerRun ?? Infinity)
    if (spent) return failed('attempt_budget_exhausted')
    const messy = stories.find(({ id }) => id !== next.id && isMessy(findStoryMemo(memo, id)))
    if (messy) return buildChore('put-away', messy)
    const { base, lastAttempt: tried } = findStoryMemo(memo, next.id)
    if (base === null) return buildChore('baseline', next)
    return { id: next.id, kind: 'work', via: memo.terms?.agent ?? terms.agent, ...(tried > 0 && { tried }) }
  }
  if (!stories.every(({ id }) => isDone(id))) return stopUnfinished(memo, stories)
  if (memo.runVerification === 'failed') return failed('run_verification_failed')
  const verified = memo.runVerification === 'passed' || (memo.terms?.runCommands ?? terms.runCommands) === 0
  return verified
    ? { do: 'stop', ending: 'completed', reason: { code: 'all_done', ...countWeak(memo, stories) } }
    : { id: 'run-verification', kind: 'chore', data: { do: 'verify-run', story: '' } }
}

/** Counts the stories that are done but not proven. */
function countWeak(memo: DeliveryMemo, stories: readonly Story[]): Readonly<Record<string, number>> {
  const count = (kind: Evidence): number => stories.filter(({ id }) => findStoryMemo(memo, id).evidence === kind).length
  const counts = (['rewritten', 'held', 'unproven'] as const).map((kind) => [kind, count(kind)] as const)
  return Object.fromEntries(counts.filter(([, number]) => number > 0))
}

/** Started but not done: its changes may still be in the work tree. */
const isMessy = ({ status, away, base }: StoryMemo): boolean => status !== 'done' && !away && base !== null

const buildChore = (what: 'baseline' | 'keep' | 'put-away', { id }: Story): Task => ({
  id: `${what}-${id}`,
  kind: 'chore',
  data: { do: what, story: id },
})

const failed = (code: Reason): Stop => ({ do: 'stop', ending: 'failed', reason: { code } })

/** Uses the reason of the first failed story in plan order. Blocked if no story failed. */
function stopUnfinished(memo: DeliveryMemo, stories: readonly Story[]): Stop {
  const first = stories.map(({ id }) => findStoryMemo(memo, id)).find(({ status }) => status === 'failed')
  return first ? failed(first.reason ?? 'attempt_budget_exhausted') : blocked
}

function decide(view: View<DeliveryMemo>, terms: DeliveryTerms): Decision {
  const { outcome, verdict, task, interruptionsInARow } = view.state
  const { fault, stale } = attemptData(outcome)
  if (fault === 'login' || fault === 'start') return blocked
  if (outcome?.status === 'unavailable') {
    if (fault === 'repository' && interruptionsInARow > maxBlockedTries) return blocked
    if (outcome.retryAt === undefined) return { do: 'retry', afterMs: computeBackOffMs(interruptionsInARow) }
    const code = fault === 'limit' ? 'usage_limit' : 'agent_unavailable'
    return { do: 'wait', until: outcome.retryAt, reason: { code } }
  }
  if (outcome?.status === 'interrupted') return { do: 'retry' }
  if (verdict?.status === 'unavailable') return { do: 'wait', until: 0, reason: { code: 'command_unavailable' } }
  if (stale) return { do: 'settle', as: 'interrupted' }
  return task?.kind === 'chore' ? decideChore(view, terms) : decideStory(view, terms)
}

const redStop: Stop = { do: 'stop', ending: 'blocked', reason: { code: 'blocked_dependency', by: 'red_baseline' } }
const blocked: Stop = { do: 'stop', ending: 'blocked', reason: { code: 'blocked_dependency' } }
const maxChoreRetries = 3
const maxBlockedTries = 2

/** Retries git chores with a delay. The result of the run verification is final. */
function decideChore({ state, memo }: View<DeliveryMemo>, terms: DeliveryTerms): Decision {
  const good = state.outcome?.status === 'ok'
  if (good && isHopelesslyRed(memo, terms, state)) {
    if (state.answer?.choice === 'stop') return redStop
    const topic = { code: 'red_baseline', ...(state.outcome?.detail && { failed: state.outcome.detail }) }
    const question = { id: `red-${state.seq}`, topic, choices: ['continue', 'stop'], about: state.outcome?.output }
    return { do: 'pause', question }
  }
  if (good || readJob(state.task).do === 'verify-run') return { do: 'settle', as: good ? 'done' : 'failed' }
  return state.retries < maxChoreRetries ? { do: 'retry', afterMs: 1000 * 2 ** state.retries } : blocked
}

/**
 * Tells whether a command fails before any work and has to pass for several stories: then a story that is solved may still
 * be rejected, because the work of another one is missing.
 */
function isHopelesslyRed(
  memo: DeliveryMemo,
  { plans, redBaseline, results }: DeliveryTerms,
  { task, outcome }: LoopState,
): boolean {
  const { do: job, story: id } = readJob(task)
  const { was, ids } = attemptData(outcome)
  if (redBaseline !== 'ask' || memo.redAccepted || job !== 'baseline' || was !== 'red' || (results && ids)) return false
  const { stories } = plans.get(memo.plan)!
  const commands = new Set(stories.find((story) => story.id === id)?.verification)
  return stories.some(
    (other) =>
      other.id !== id &&
      findStoryMemo(memo, other.id).status === 'open' &&
      other.verification.length > 0 &&
      other.verification.every((command) => commands.has(command)),
  )
}

function decideStory({ state, memo }: View<DeliveryMemo>, terms: DeliveryTerms): Decision {
  const { outcome, verdict, answer, seq, task } = state
  const { hopeless, blocked: saysBlocked } = verdictData(verdict)
  if (verdict?.status !== 'passed') {
    if (hopeless) return { do: 'settle', as: 'failed' }
    const { idle } = findStoryMemo(memo, task?.id ?? '')
    if (terms.stuckAfter > 0 && idle.times >= terms.stuckAfter) {
      // An agent that only fails would fail in every other story too.
      return outcome?.status === 'failed' ? blocked : { do: 'settle', as: 'failed' }
    }
    return saysBlocked ? { do: 'settle', as: 'blocked' } : { do: 'retry' }
  }
  // The verdict has a critique only if there is something to ask about.
  const isAsked = verdict.evidence !== undefined
  if (!isAsked || (memo.terms?.tampering ?? terms.tampering) !== 'ask') return { do: 'settle', as: 'done' }
  if (answer?.choice === 'accept') return { do: 'settle', as: 'done' }
  if (answer?.choice === 'reject') return { do: 'retry' }
  const touched = (attemptData(outcome).tampering ?? []).filter(({ expected }) => !expected)
  const topic = { code: 'tampering_question', ...(touched[0] && { path: touched[0].path, more: touched.length - 1 }) }
  const question = { id: `tampering-${seq}`, topic, choices: ['accept', 'reject'], about: verdict.evidence }
  return { do: 'pause', question }
}

/** Story limits end the story, run limits end the run. Running out of run attempts also ends the open story. */
function whenSpent(cap: CapName, { state }: View<DeliveryMemo>): Decision {
  const open = state.task?.kind === 'work'
  if (open && (cap === 'attemptsPerTask' || cap === 'taskMs' || cap === 'attemptsPerRun')) {
    return { do: 'settle', as: 'failed' }
  }
  if (cap === 'activeMs') return failed('run_timeout')
  if (cap === 'attemptsPerRun' || cap === 'tokens' || cap === 'costUsd') return failed('attempt_budget_exhausted')
  return { do: 'stop', ending: 'failed', reason: { code: 'cap_spent', cap } }
}
