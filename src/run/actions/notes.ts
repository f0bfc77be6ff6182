import type { NewNote, Note } from '../../contract/event.ts'
import { PawlError } from '../../contract/exit.ts'
import { accepts } from '../../kernel/state.ts'
import type { StoredRun } from '../../ports/run-store.ts'
import { formatReason } from '../../show/reasons.ts'
import { executeRun } from '../execution/execute.ts'
import type { Program } from '../mode.ts'
import { currentPerson } from '../new-run.ts'
import { type OpenRun, openRun } from '../open-run.ts'
import { readRun } from '../read-run.ts'

/** Leaves a note for a run, whether or not anybody runs it now. */
export async function postNote(program: Program, stored: StoredRun, note: NewNote): Promise<Note> {
  const { state } = await readRun(stored)
  const { id, name } = stored.entry
  if (state.ended) {
    const { ending, reason } = state.ended
    const says = (await openRun(program, stored)).use((mode) => formatReason(mode.reasons, reason, mode.show.setting))
    throw new PawlError(2, `${name} has ended (${ending}: ${says})`, `To go on: pawl resume ${id}`)
  }
  return stored.post(note)
}

export type Answer = {
  readonly choice?: string | undefined
  readonly picks?: readonly string[] | undefined
  readonly text?: string | undefined
}

/** Checks the answer against the question before it is sent, so that a person learns of a slip at once. */
export async function answerRun(program: Program, stored: StoredRun, answer: Answer): Promise<Note> {
  const { choice, picks, text } = answer
  const { question } = (await readRun(stored)).state
  const { id, name } = stored.entry
  if (!question) throw new PawlError(2, `${name} asks nothing now`, `To see how it stands: pawl why ${id}`)
  const open = await openRun(program, stored)
  const topic = open.use((mode) => formatReason(mode.reasons, question.topic, mode.show.setting))
  if (choice !== undefined && !question.choices) {
    throw new PawlError(
      2,
      `${topic} takes no choice`,
      'To go on: the same without it. Words of your own: --text. To end it: pawl stop',
    )
  }
  const ref = text === undefined ? undefined : await putWords(open, 'answer.md', text)
  const note = { by: currentPerson(), say: 'answer', questionId: question.id, choice, picks, text: ref } as const
  if (!accepts(question, { ...note, id: 0 })) {
    throw new PawlError(2, `${choice ?? 'that'} is no answer to ${topic}`, `One of: ${question.choices?.join(', ')}`)
  }
  return postNote(program, stored, note)
}

/** What a person thinks of it, for the next attempt. Refused where nobody would read it. */
export async function giveFeedback(program: Program, stored: StoredRun, text: string): Promise<Note> {
  const open = await openRun(program, stored)
  const { id, name } = stored.entry
  const { stop, ended } = (await readRun(stored)).state
  open.use((mode) => {
    if (mode.feedback !== 'taken') {
      const what = `${name} is a ${mode.name}: it is not told feedback as it goes`
      throw new PawlError(2, what, mode.feedback.instead)
    }
    if (stop && !ended) {
      const says = formatReason(mode.reasons, stop.reason, mode.show.setting)
      throw new PawlError(2, `${name} has only its end left to do (${says})`, `For that: pawl resume ${id}`)
    }
  })
  const ref = await putWords(open, 'feedback.md', text)
  return postNote(program, stored, { by: currentPerson(), say: 'feedback', text: ref })
}

/** Sealed with the run's other content, where that is. */
const putWords = (open: OpenRun, name: string, text: string) =>
  open.use(async (_mode, { content }) => {
    const ref = await content.put(name, text)
    await content.flush()
    return ref
  })

/** Ends a run that nobody runs now: what was left behind is ended, and the journal says so. No agent is started. */
export async function endRun(program: Program, stored: StoredRun, onNotice: (text: string) => void): Promise<void> {
  await postNote(program, stored, { by: currentPerson(), say: 'cancel' })
  const never = new AbortController().signal
  const stop = { soft: never, hard: never, now: never }
  const { machine } = program
  const surface = { notice: onNotice }
  const open = await openRun(program, stored)
  await executeRun(open, { machine, stop, attended: false, endsOnly: true, mayShowWords: false, surface })
}
