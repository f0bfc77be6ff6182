import type { Reason } from '../../../contract/reasons.ts'
import type { QuestionShown } from '../../../contract/show.ts'
import { formatReason } from '../../../show/reasons.ts'
import { refinementReasons } from '../core/reasons.ts'
import { short } from './run-labels.ts'

const does: Readonly<Record<string, string>> = {
  accept: 'take the best text of this phase as it is',
  'go-on': 'try again, though it came back',
  stop: 'end the run with the best text so far',
}

type Asked = { readonly id: string; readonly topic: Reason; readonly choices?: readonly string[] | undefined }

/** What a person is asked. A text that comes with the answer is feedback to the next iteration. */
export const showQuestion = ({ id, topic, choices = [] }: Asked): QuestionShown => ({
  id,
  asks: [
    topic.code === 'paused'
      ? 'a person paused it: what is to be different?'
      : short(formatReason(refinementReasons, topic), 200),
  ],
  choices: choices.map((choice) => ({ choice, does: does[choice] ?? '' })),
  takesText: true,
  about: [],
})
