import type { Question } from '../contract/event.ts'
import type { QuestionShown } from '../contract/show.ts'
import { formatReason } from './reasons.ts'
import type { Reasons } from './show.ts'

/** A question that its topic says all about, in a mode that reads no text of a person. */
export const plainQuestion = <Memo>(question: Question, reasons: Reasons<Memo>): QuestionShown => ({
  id: question.id,
  asks: [formatReason(reasons, question.topic)],
  choices: (question.choices ?? []).map((choice) => ({ choice, does: '' })),
  takesText: false,
  about: [],
})
