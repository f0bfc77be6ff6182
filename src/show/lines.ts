import type { LoopEvent, Note, Question } from '../contract/event.ts'
import type { Line, QuestionShown } from '../contract/show.ts'
import type { LoopState } from '../kernel/state.ts'
import { formatOutputLine } from './format.ts'
import { formatReason } from './reasons.ts'
import type { Reasons, Watched } from './show.ts'

/** What a run waits for, where it does. Every mode waits for the same. */
export function formatIdleLine<Memo>({ view, eventAt, now }: Watched<Memo>, reasons: Reasons<Memo>): Line | undefined {
  const { state } = view
  if (state.running) return undefined
  if (state.question) {
    const { topic } = state.question
    const what = topic.code === 'paused' ? 'paused' : `it asks: ${formatOutputLine(formatReason(reasons, topic))}`
    return [`${what}, for `, { is: 'since', at: eventAt }, '; go on with: ', { is: 'action', action: { do: 'answer' } }]
  }
  return state.wait && waiting(state, reasons, now)
}

const longAway = 20 * 3_600_000

function waiting<Memo>({ wait, decision }: LoopState, reasons: Reasons<Memo>, now: number): Line {
  const until = wait?.until ?? now
  const left = until - now
  const reason = decision?.do === 'wait' ? decision.reason : undefined
  const text = reason ? formatOutputLine(formatReason(reasons, reason)) : 'before the next try'
  const what = reason?.code === 'usage_limit' ? `waiting for ${text}` : `waiting (${text})`
  // A time of day that is not today's would be read as today's.
  const when = { is: left > longAway ? 'at' : 'clock', at: until } as const
  const skip = { is: 'action', action: { do: 'resume', now: true } } as const
  return [`${what}: `, { is: 'until', at: until }, ' left, until ', when, '; skip: ', skip]
}

/** What a person did, in a few words. */
const words = {
  answer: 'answered',
  pause: 'paused it',
  cancel: 'ended it',
  'skip-wait': 'will not wait',
  raise: 'set new bounds',
  feedback: 'commented',
  amend: 'changed what it goes by',
} as const satisfies Record<Note['say'], string>

/** A note as a line, the same in every mode. Nothing for other events. */
export const formatNote = (event: LoopEvent): readonly Line[] =>
  event.type === 'note-received' ? [[`${event.note.by} ${words[event.note.say]}`]] : []

/** A question that its topic says all about, in a mode that reads no text of a person. */
export const formatQuestion = <Memo>(question: Question, reasons: Reasons<Memo>): QuestionShown => ({
  id: question.id,
  asks: [formatReason(reasons, question.topic)],
  choices: (question.choices ?? []).map((choice) => ({ choice, does: '' })),
  takesText: false,
  about: [],
})
