import { z } from 'zod'
import { defaultReasons, formatField } from '../../../show/reasons.ts'
import type { Reasons } from '../../../show/show.ts'
import { type Reason, reasonExits } from '../contract/result.ts'
import type { DeliveryMemo } from './memo.ts'

/** The contract's reasons in words. */
const texts: Readonly<Record<Reason, string>> = {
  plan_generation_failed: 'no plan could be made',
  agent_exit_nonzero: 'the agent failed in every attempt',
  agent_timeout: 'the agent timed out in every attempt',
  story_verification_failed: 'a verification command cannot pass',
  run_verification_failed: 'all stories are done, but the run verification failed',
  attempt_budget_exhausted: 'no attempts left',
  run_timeout: 'the run timed out',
  blocked_dependency: 'blocked by something outside the repository',
}

export const deliveryReasons: Reasons<DeliveryMemo> = {
  ...defaultReasons,
  ...Object.fromEntries(
    (Object.keys(texts) as Reason[]).map((code) => [code, { fields: {}, exit: reasonExits[code], text: texts[code] }]),
  ),
  all_done: { fields: {}, exit: 0, text: 'all stories are done and verified' },
  undone: {
    fields: { story: z.string(), by: z.string() },
    exit: 130,
    text: ({ story, by }) => `${formatField(story)} was undone by ${formatField(by)}`,
  },
  red_baseline: {
    fields: {},
    text: 'a command that several stories share fails before any work, so a solved story may be rejected for what another one lacks: continue or stop?',
  },
  tampering_question: {
    fields: {},
    text: 'the attempt changed files that decide verification: accept or reject?',
  },
}
