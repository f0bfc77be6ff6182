import type { Reason } from '../../../contract/reasons.ts'
import { defaultReasons, formatReason } from '../../../show/reasons.ts'
import type { Reasons } from '../../../show/show.ts'
import { refineReasons as exits, isRefineReason, type RefineReason } from '../contract/reasons.ts'
import type { RefinementMemo } from './memo.ts'

const endings: Readonly<Record<RefineReason, string>> = {
  threshold_met: 'every phase reached its score',
  accepted_by_person: 'a person accepted it',
  empty_task: 'there is no task',
  retries_exhausted: 'no retries are left, and the text is not good enough yet',
  no_text: 'the model returned no text',
  escalations_exhausted: 'the score stayed too low, and no escalation is left',
  plateau: 'two iterations brought no significant gain (plateau)',
  cycle: 'the model repeated an earlier text (cycle)',
  contested: 'an issue came back twice after it was fixed: writer and judge disagree (contested)',
  iteration_cap: 'iteration limit reached',
  token_budget: 'token limit reached',
  overhead_budget: 'the tokens for judging and planning are used up',
  cost_budget: 'the cost limit is reached',
  time_budget: 'time limit reached',
  escalation_failed: 'the stronger models do not answer',
  provider_unavailable: 'no model answers',
  judge_unavailable: 'no judge returned a usable judgement',
  wait_budget: 'the wait would exceed its limit',
  interrupted_too_often: 'interrupted or unavailable too many times in a row',
  login_needed: 'a key or a login is missing',
  model_missing: 'the model is not available',
}

const waits = {
  /** A provider rejects calls until a given time. */
  usage_limit: 'rate limit',
  /** After this wait all models are asked again. */
  nobody_answers: 'no model answers',
  /** The judge did not answer, or its answer could not be parsed. */
  no_judgement: 'no judgement',
} as const
export type WaitCode = keyof typeof waits

export const waitFor = (code: WaitCode): Reason => ({ code })

/** Formats why a run ended, with the problem behind it. */
export function formatEnding(reason: Reason, { problem }: Pick<RefinementMemo, 'problem'>): string {
  const says = formatReason(refinementReasons, reason)
  const isRelevant = problem !== null && isRefineReason(reason.code) && exits[reason.code] !== 0
  return isRelevant ? `${says}: ${problem}` : says
}

/** Every reason to end, wait or ask, in plain words. */
export const refinementReasons: Reasons<RefinementMemo> = {
  ...defaultReasons,
  ...Object.fromEntries(Object.entries(waits).map(([code, text]) => [code, { fields: {}, text }])),
  ...Object.fromEntries(
    (Object.keys(endings) as RefineReason[]).map((code) => [
      code,
      { fields: {}, exit: exits[code], text: endings[code] },
    ]),
  ),
}
