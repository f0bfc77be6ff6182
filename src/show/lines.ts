import type { LoopEvent, Note, Question } from '../contract/event.ts'
import type { Action, Line, QuestionShown, Span, Standing } from '../contract/show.ts'
import type { LoopState } from '../kernel/state.ts'
import { formatOutputLine } from './format.ts'
import { formatReason } from './reasons.ts'
import type { Reasons, Watched } from './show.ts'

/** Formats what a run waits for, for all modes; undefined if it does not wait. */
export function formatIdleLine<Memo>({ view, eventAt, now }: Watched<Memo>, reasons: Reasons<Memo>): Line | undefined {
  const { state } = view
  if (state.running) return undefined
  if (state.question) {
    const { topic } = state.question
    const isPaused = topic.code === 'paused'
    const next = { is: 'action', action: continuation(state.question) } as const
    const what = isPaused ? 'paused' : `asks: ${formatOutputLine(formatReason(reasons, topic))}`
    return [`${what} (for `, { is: 'since', at: eventAt }, '); continue with: ', next]
  }
  return state.wait && formatWait(state, reasons, now)
}

/** The action that lets a run with this question go on. */
export const continuation = ({ topic, choices }: Question): Action =>
  topic.code === 'paused' ? { do: 'resume' } : { do: 'answer', ...(choices && { choices }) }

const farAwayMs = 20 * 3_600_000

function formatWait<Memo>({ wait, decision }: LoopState, reasons: Reasons<Memo>, now: number): Line {
  const until = wait?.until ?? now
  const left = until - now
  const reason = decision?.do === 'wait' ? decision.reason : undefined
  const text = reason ? formatOutputLine(formatReason(reasons, reason)) : 'before the next attempt'
  const what = reason?.code === 'usage_limit' ? `waiting for ${text}` : `waiting (${text})`
  // A time of day alone would be read as today's.
  const when = { is: left > farAwayMs ? 'at' : 'clock', at: until } as const
  const skip = { is: 'action', action: { do: 'resume', now: true } } as const
  return [`${what}: `, { is: 'until', at: until }, ' left, until ', when, '; skip: ', skip]
}

/** Verbs for the sender of a note. */
const verbs = {
  answer: 'answered',
  pause: 'paused the run',
  unpause: 'continued the run',
  cancel: 'cancelled the run',
  'skip-wait': 'skipped the wait',
  raise: 'set new limits',
  feedback: 'gave feedback',
  amend: 'changed the request',
} as const satisfies Record<Note['say'], string>

/** Formats a note, for all modes. Returns nothing for other events. */
export const formatNote = (event: LoopEvent): readonly Line[] =>
  event.type === 'note-received' ? [[`${event.note.by} ${verbs[event.note.say]}`]] : []

/** Formats a question that consists of its topic only, for modes that read no answer texts. */
export const formatQuestion = <Memo>(question: Question, reasons: Reasons<Memo>): QuestionShown => ({
  id: question.id,
  asks: [formatReason(reasons, question.topic)],
  choices: (question.choices ?? []).map((choice) => ({ choice, does: '' })),
  takesText: false,
  about: [],
})

/** Marks a text as the status of a run, good or bad. */
export const standingLook = (standing: Standing | 'damaged', text: string): Span => {
  const is = looks[standing]
  return is ? { is, text } : text
}

const looks: Readonly<Record<Standing | 'damaged', 'good' | 'bad' | 'warning' | undefined>> = {
  queued: undefined,
  running: undefined,
  completed: 'good',
  failed: 'bad',
  crashed: 'bad',
  damaged: 'bad',
  blocked: 'warning',
  waiting: 'warning',
  interrupted: 'warning',
  cancelled: 'warning',
}

const resultLooks: Readonly<Record<string, 'good' | 'bad' | 'warning'>> = {
  passed: 'good',
  done: 'good',
  failed: 'bad',
  blocked: 'warning',
  skipped: 'warning',
}

/** Marks the result of a gate, a story or an attempt, by its first word: "failed: exit 1". */
export const resultLook = (text: string): Span => {
  const is = resultLooks[/^[a-z]*/.exec(text)![0]]
  return is ? { is, text } : text
}
