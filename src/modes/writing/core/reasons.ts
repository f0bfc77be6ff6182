import { z } from 'zod'
import type { Reason } from '../../../contract/reasons.ts'
import { defaultReasons, formatField } from '../../../show/reasons.ts'
import type { Reasons } from '../../../show/show.ts'
import type { WritingMemo } from './memo.ts'

/** Every reason to end, wait or ask, in plain words. */
export const writingReasons: Reasons<WritingMemo> = {
  ...defaultReasons,
  // Endings.
  accepted: { fields: {}, exit: 0, text: 'the changes are saved and committed' },
  generated: { fields: {}, exit: 0, text: 'the text is saved and committed' },
  nothing_changed: { fields: {}, exit: 0, text: 'nothing changed, so there is nothing to save' },
  rejected: { fields: {}, exit: 0, text: 'the changes were rejected, and nothing was saved' },
  aborted: { fields: {}, exit: 10, text: 'aborted, and nothing was saved' },
  attempts_used: { fields: {}, exit: 30, text: 'the judge rejected every attempt' },
  // Questions.
  judge_rejects: {
    fields: { attempt: z.number() },
    text: ({ attempt }) => `the judge rejects attempt ${formatField(attempt)}: continue with its feedback?`,
  },
  continue_after_view: { fields: {}, text: 'continue with the feedback of the judge?' },
  accept_changes: { fields: {}, text: 'accept these changes?' },
  no_answer: {
    fields: { step: z.enum(['write', 'judge', 'describe']) },
    text: ({ step }) => `the model does not answer (${steps[formatField(step)] ?? 'a call'}): try again?`,
  },
  cannot_save: { fields: {}, text: 'the changes could not be saved: try again?' },
  // Waits.
  usage_limit: { fields: {}, text: 'rate limit' },
  no_judgement: { fields: {}, text: 'the judge is asked again' },
  model_down: { fields: {}, text: 'the model does not answer' },
}

const steps: Readonly<Record<string, string>> = {
  write: 'writing',
  judge: 'judging',
  describe: 'describing the changes',
}

export type WritingReason = Extract<keyof typeof writingReasons, string>
export const because = (code: WritingReason, more: Omit<Reason, 'code'> = {}): Reason => ({ code, ...more })
