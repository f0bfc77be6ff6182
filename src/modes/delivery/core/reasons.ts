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
  all_done: {
    fields: { rewritten: z.int().optional(), held: z.int().optional(), unproven: z.int().optional() },
    exit: 0,
    text: ({ rewritten, held, unproven }) =>
      describeAllDone({ rewritten: Number(rewritten ?? 0), held: Number(held ?? 0), unproven: Number(unproven ?? 0) }),
  },
  undone: {
    fields: { story: z.string(), by: z.string() },
    exit: 130,
    text: ({ story, by }) => `${formatField(story)} was undone by ${formatField(by)}`,
  },
  blocked_dependency: {
    fields: { by: z.string().optional() },
    exit: reasonExits.blocked_dependency,
    text: ({ by }) =>
      by === 'red_baseline'
        ? 'stopped, because a command that several stories share fails before any work'
        : texts.blocked_dependency,
  },
  red_baseline: {
    fields: { failed: z.string().optional() },
    text: ({ failed }) =>
      `before any work, ${failed === undefined ? 'a command failed' : formatField(failed)}, and several stories share it: a solved story may be rejected for what another one lacks. Continue or stop?`,
  },
  tampering_question: {
    fields: { path: z.string().optional(), more: z.int().optional() },
    text: ({ path, more }) =>
      `the attempt passes only with tests or settings that it changed${path === undefined ? '' : ` (${formatField(path)}${Number(more ?? 0) > 0 ? ` and ${formatField(more)} more` : ''})`}: accept or reject?`,
  },
}

function describeAllDone({
  rewritten,
  held,
  unproven,
}: Readonly<Record<'rewritten' | 'held' | 'unproven', number>>): string {
  const weak = [
    ...(rewritten > 0 ? [`${rewritten} passed only with tests or settings that it changed itself`] : []),
    ...(unproven > 0 ? [`${unproven} without proof`] : []),
    ...(held > 0 ? [`${held} only held: the checks passed before the work too`] : []),
  ]
  return weak.length > 0 ? `all stories are done, but ${weak.join('; ')}` : 'all stories are done and verified'
}
