import type { Decision, Stop } from '../../../contract/event.ts'
import type { Reason } from '../../../contract/reasons.ts'
import type { CapName } from '../../../contract/values.ts'
import type { View } from '../../../kernel/policy.ts'
import { type RefineReason, refineReasons } from '../contract/reasons.ts'
import type { RefinementRequest } from '../contract/request.ts'
import { attemptData, noScoreData, scoreData } from './event-data.ts'
import type { RefinementMemo } from './memo.ts'
import { type WaitCode, waitFor } from './reasons.ts'

export type Terms = Pick<
  RefinementRequest,
  'rules' | 'ladder' | 'start' | 'escalateTo' | 'failover' | 'judges' | 'empty'
>
type MemoView = View<RefinementMemo>

/** Unanswered calls before another rung takes over. */
const maxTries = 3

const isDown = (memo: RefinementMemo, via: string): boolean => (memo.down[via] ?? 0) >= maxTries

/** Undefined if no escalation is left or no stronger model is available. */
export function findStronger(
  { escalateTo, ladder }: Pick<Terms, 'escalateTo' | 'ladder'>,
  { state, memo }: MemoView,
): string | undefined {
  if (state.escalations >= (state.caps.escalations ?? Infinity)) return undefined
  const rank = (via: string): number => ladder.findIndex(({ id }) => id === via)
  return escalateTo.find((via) => rank(via) > rank(state.via) && !isDown(memo, via))
}

/** True if the run used more tokens than `escalateTokens`. */
export const isPastSoftLimit = ({ rules }: Pick<Terms, 'rules'>, { state }: MemoView): boolean =>
  state.tokens > rules.escalateTokens

function escalate(terms: Terms, view: MemoView, reason: RefineReason): Decision {
  const via = findStronger(terms, view)
  if (via === undefined) return giveUp(terms, view, reason)
  return reason === 'token_budget' && isEscalationAtCap(terms, view)
    ? { do: 'escalate', via, grace: true }
    : { do: 'escalate', via }
}

/** Gives up, because a stronger model would have no tokens. Exception: if the escalation limit is not below the token cap, the stronger model gets one grace call. */
export const decideOnSpentTokens = (terms: Terms, view: MemoView): Decision =>
  isEscalationAtCap(terms, view) ? escalate(terms, view, 'token_budget') : giveUp(terms, view, 'token_budget')

const areTokensSpent = ({ state }: MemoView): boolean => state.tokens >= (state.caps.tokens ?? Infinity)

const isEscalationAtCap = ({ rules }: Terms, { state }: MemoView): boolean =>
  rules.escalateTokens >= (state.caps.tokens ?? Infinity)

/** Stops the run, or settles the phase as failed, so that `pick` tries a single shot first (seed 000). `decideEnding` then finds the reason again: keep both in the same order. */
export function giveUp({ rules }: Terms, { memo }: MemoView, reason: RefineReason): Decision {
  const wanted = rules.onFailure === 'single-shot' && refineReasons[reason] === 30 && memo.singleShot === null
  return wanted ? { do: 'settle', as: 'failed' } : stopFor(reason)
}

/** Decides after a call was skipped: it passed the escalation limit (soft) or would exceed a cap (hard). A stronger model costs more, so it does not help with the cost bound. */
export function decideOnCrossing(terms: Terms, view: MemoView): Decision {
  const reason = crossingReason(view)
  return reason === 'cost_budget' ? giveUp(terms, view, reason) : escalate(terms, view, reason)
}

const crossingReason = ({ state }: MemoView): RefineReason =>
  attemptData(state.outcome).fault === 'cost' ? 'cost_budget' : 'token_budget'

export function stopFor(code: RefineReason): Stop {
  const exit = refineReasons[code]
  return { do: 'stop', ending: exit === 0 ? 'completed' : exit === 10 ? 'blocked' : 'failed', reason: { code } }
}

/** For a rung that does not answer: two retries, then the next rung. */
export function decideOnOutage(terms: Terms, view: MemoView, retryAt: number | undefined): Decision {
  const { state, memo } = view
  const { fault } = memo
  const tries = memo.down[state.via] ?? 1
  if (fault === 'limit' && retryAt !== undefined) {
    return waitUntil(Math.max(retryAt, memo.at + minWaitMs(tries)), 'usage_limit')
  }
  const hopeless = fault === 'login' || fault === 'model'
  if (!hopeless && tries < maxTries) return { do: 'retry', afterMs: retryDelayMs(terms, fault, tries) }
  const via = terms.failover.find((id) => id !== state.via && !isDown(memo, id) && (memo.down[id] ?? 0) === 0)
  if (via !== undefined) return { do: 'failover', via }
  if (hopeless) return stopFor(fault === 'login' ? 'login_needed' : 'model_missing')
  return waitOrStop(terms, view, outageReason(view))
}

const outageReason = ({ state }: MemoView): RefineReason =>
  state.escalations > 0 ? 'escalation_failed' : 'provider_unavailable'

/** Seed 001 ends here. Other presets wait, so that a run left overnight survives an outage. */
function waitOrStop({ rules }: Terms, { state, memo }: MemoView, reason: RefineReason): Decision {
  if (rules.onOutage === 'end') return stopFor(reason)
  const ms = Math.min(60_000, 2_500 * 2 ** Math.min(state.interruptionsInARow, 8))
  return waitUntil(memo.at + ms, 'nobody_answers')
}

const waitUntil = (until: number, code: WaitCode): Decision => ({ do: 'wait', until, reason: waitFor(code) })

/** True for a wait after which all models are asked again. */
export const asksAllAgain = ({ code }: Reason): boolean => code === ('nobody_answers' satisfies WaitCode)

/** Doubles with each try, in case the provider keeps naming a time that has passed. */
const minWaitMs = (tries: number): number => 150 * 2 ** (tries - 1)

/** Seed 001: 150 ms, then 300 ms. Longer for a rate limit without a retry time. */
const retryDelayMs = ({ rules }: Terms, fault: string | null, tries: number): number =>
  fault === 'limit' ? 1000 * 2 ** tries : (rules.backOffMs[tries - 1] ?? rules.backOffMs.at(-1) ?? 0)

/** For a run whose last phase passed. Opened again with a higher limit, an overrun completes without another call. */
export function decideOnSuccess({ rules }: Pick<Terms, 'rules'>, { state, memo }: MemoView): Stop {
  if (memo.byPerson) return stopFor('accepted_by_person')
  const isOverrun = state.tokens > (state.caps.tokens ?? Infinity)
  return stopFor(isOverrun && rules.onOverrun === 'fail' ? 'token_budget' : 'threshold_met')
}

/** For a judge that did not answer, or whose answer could not be parsed. */
export function decideOnNoScore(terms: Terms, view: MemoView): Decision {
  const { rules, judges } = terms
  const { state, memo } = view
  const { why } = noScoreData(state.verdict)
  if (why === 'budget') return stopFor(rules.counts === 'all' ? 'token_budget' : 'overhead_budget')
  if (memo.judge >= judges.length)
    return why === 'down' ? waitOrStop(terms, view, 'judge_unavailable') : stopFor('judge_unavailable')
  const { retryAt } = state.verdict ?? {}
  const soonest = memo.at + (memo.judgeTries === 0 ? 0 : (rules.backOffMs[memo.judgeTries - 1] ?? 0))
  const isLimited = retryAt !== undefined && memo.judgeTries > 0
  return isLimited ? waitUntil(Math.max(retryAt, soonest), 'usage_limit') : waitUntil(soonest, 'no_judgement')
}

/** For a text that was judged and does not pass. */
export function decideOnLowScore(terms: Terms, view: MemoView): Decision {
  const { rules } = terms
  const { state, memo } = view
  const { choice } = state.answer ?? {}
  if (choice === 'accept' && memo.best) return { do: 'settle', as: 'done' }
  if (choice === 'stop') return giveUp(terms, view, 'contested')
  if (areTokensSpent(view)) return decideOnSpentTokens(terms, view)
  if (choice === 'go-on') return { do: 'retry' }
  if (isInEscalateBand(view) && mayEscalate(terms, view)) return escalate(terms, view, 'escalations_exhausted')
  if (isPastSoftLimit(terms, view) && findStronger(terms, view)) return escalate(terms, view, 'token_budget')
  if (rules.decidesBy === 'interval') {
    const stuck = findStuck(memo)
    if (stuck === 'contested') return askAboutIssue(view)
    if (stuck) return escalate(terms, view, stuck)
  }
  if (state.retries >= rules.retries && !isImproving(terms, memo)) return giveUp(terms, view, spentRetries(view))
  return { do: 'retry', afterMs: rules.backOffMs[state.retries] ?? rules.backOffMs.at(-1) ?? 0 }
}

/** A model that refuses, fails or returns nothing has not written a text that is too weak. */
const spentRetries = ({ state }: MemoView): RefineReason =>
  noScoreData(state.verdict).why === 'no-text' ? 'no_text' : 'retries_exhausted'

const isInEscalateBand = ({ state }: MemoView): boolean => scoreData(state.verdict)?.band === 'escalate'

/**
 * Without a stronger model in the ladder, a low score is retried. If all escalations are used, the presets of the seeds end
 * the run and `standard` retries.
 */
const mayEscalate = (terms: Terms, view: MemoView): boolean =>
  terms.escalateTo.length > 0 && (terms.rules.decidesBy === 'point' || findStronger(terms, view) !== undefined)

/** Keep retrying while the score improves; the iteration cap still applies. */
function isImproving({ rules }: Terms, { scores }: RefinementMemo): boolean {
  const [last, ...before] = scores.toReversed()
  if (rules.decidesBy === 'point' || !last || before.length === 0) return false
  return last.score - Math.max(...before.map(({ score }) => score)) >= minGain(last)
}

/** A smaller gain may be chance. */
const minGain = ({ spread }: { readonly spread: number }): number => Math.max(1, spread / 2)

/** Returns why another retry would not help, undefined if it may. */
function findStuck({ cycle, scores, issues, asked }: RefinementMemo): 'cycle' | 'plateau' | 'contested' | undefined {
  if (issues.some(({ id, reopened }) => reopened >= 2 && !asked.includes(id))) return 'contested'
  if (cycle) return 'cycle'
  const [first, ...later] = scores.slice(-3)
  if (!first || later.length < 2) return undefined
  const gain = Math.max(...later.map(({ score }) => score)) - first.score
  return gain < minGain(first) ? 'plateau' : undefined
}

/** Asks a person about an issue that keeps coming back. */
function askAboutIssue({ state, memo: { ledger } }: MemoView): Decision {
  const question = { id: `contested-${state.seq}`, topic: { code: 'contested' }, choices: ['accept', 'go-on', 'stop'] }
  return { do: 'pause', question: ledger ? { ...question, about: ledger } : question }
}

const reasonOfCap: Readonly<Partial<Record<CapName, RefineReason>>> = {
  attemptsPerRun: 'iteration_cap',
  tokens: 'token_budget',
  overheadTokens: 'overhead_budget',
  costUsd: 'cost_budget',
  activeMs: 'time_budget',
  taskMs: 'time_budget',
  waitMs: 'wait_budget',
  interruptionsInARow: 'interrupted_too_often',
}
export const capReason = (cap: CapName): RefineReason => reasonOfCap[cap] ?? 'retries_exhausted'

/** For a wait that exceeds its bound: names the outage instead, if it waited for one. */
export function waitReason(view: MemoView): RefineReason {
  const { decision, verdict } = view.state
  if (decision?.do !== 'wait' || !asksAllAgain(decision.reason)) return 'wait_budget'
  return verdict?.status === 'unavailable' ? 'judge_unavailable' : outageReason(view)
}

/** Decides how a run ends after it gave up a phase. `by` is 'policy' or the cap that decided. */
export function decideEnding(terms: Terms, view: MemoView, by: string): Stop {
  if (by !== 'policy') return stopFor(capReason(by as CapName))
  const { state } = view
  if (attemptData(state.outcome).crossing) return stopFor(crossingReason(view))
  if (state.answer?.choice === 'stop') return stopFor('contested')
  if (areTokensSpent(view)) return stopFor('token_budget')
  if (isInEscalateBand(view) && mayEscalate(terms, view)) return stopFor('escalations_exhausted')
  const stuck = terms.rules.decidesBy === 'interval' ? findStuck(view.memo) : undefined
  return stopFor(stuck ?? spentRetries(view))
}
