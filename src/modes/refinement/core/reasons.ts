import type { Reason } from '../../../contract/reasons.ts'
import { usualReasons } from '../../../show/reasons.ts'
import type { Reasons } from '../../../show/show.ts'
import { refineReasons as exits, type RefineReason } from '../contract/reasons.ts'
import type { RefinementMemo } from './memo.ts'

const endings: Readonly<Record<RefineReason, string>> = {
  threshold_met: 'every phase reached its score',
  accepted_by_person: 'a person accepted it',
  empty_task: 'there is no task',
  retries_exhausted: 'no retry is left, and it is not good enough yet',
  escalations_exhausted: 'the score stayed too low, and no escalation is left',
  plateau: 'two rounds brought nothing that could be told from chance (plateau)',
  cycle: 'a text came back that was there before (cycle)',
  contested: 'an issue came back twice after it was fixed: writer and judge do not agree (contested)',
  iteration_cap: 'all iterations are used',
  token_budget: 'the tokens are used up',
  overhead_budget: 'the tokens for judging and planning are used up',
  cost_budget: 'the money is spent',
  time_budget: 'the time is up',
  escalation_failed: 'the stronger models do not answer',
  provider_unavailable: 'no model answers',
  judge_unavailable: 'no judge gave a judgement that can be used',
  wait_budget: 'it would have to wait longer than it may',
  interrupted_too_often: 'interrupted or unavailable too many times in a row',
  login_needed: 'a key or a login is missing',
  model_missing: 'the model is not there',
}

const waits = {
  /** A provider turned a call away until a moment. */
  usage_limit: 'rate limit',
  /** Nobody answers; afterwards all of them are asked once more. */
  nobody_answers: 'nobody answers',
  /** The judge could not be asked or understood; it is asked again. */
  no_judgement: 'no judgement',
} as const
export type WaitCode = keyof typeof waits

/** The reason of a wait, as data. */
export const waitFor = (code: WaitCode): Reason => ({ code })

/** Every reason that a refinement stops, waits or asks for, in plain words. */
export const refinementReasons: Reasons<RefinementMemo> = {
  ...usualReasons,
  ...Object.fromEntries(Object.entries(waits).map(([code, text]) => [code, { fields: {}, text }])),
  ...Object.fromEntries(
    (Object.keys(endings) as RefineReason[]).map((code) => [
      code,
      { fields: {}, exit: exits[code], text: endings[code] },
    ]),
  ),
}
