import type { Reason } from '../../../contract/reasons.ts'
import type { QuestionShown } from '../../../contract/show.ts'
import { formatReason } from '../../../show/reasons.ts'
import { refinementReasons } from '../core/reasons.ts'
import { short } from './run-labels.ts'

const does: Readonly<Record<string, string>> = {
  accept: 'use the best text of this phase',
  'go-on': 'try again anyway',
  stop: 'end the run with the best text so far',
}

type Asked = { readonly id: string; readonly topic: Reason; readonly choices?: readonly string[] | undefined }

/** A text sent with the answer is feedback for the next iteration. */
export const showQuestion = ({ id, topic, choices = [] }: Asked): QuestionShown => ({
  id,
  asks: [
    topic.code === 'paused'
      ? 'paused by a person: what should change?'
      : short(formatReason(refinementReasons, topic), 200),
  ],
  choices: choices.map((choice) => ({ choice, does: does[choice] ?? '' })),
  takesText: true,
  about: [],
})
