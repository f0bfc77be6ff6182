import type { NewNote, Note } from '../../contract/event.ts'
import { PawlError } from '../../contract/exit.ts'
import { accepts, type LoopState } from '../../kernel/state.ts'
import type { StoredRun } from '../../ports/run-store.ts'
import { formatReason } from '../../show/reasons.ts'
import { executeRun } from '../execution/execute.ts'
import type { Program } from '../mode.ts'
import { currentPerson } from '../new-run.ts'
import { type OpenRun, openRun } from '../open-run.ts'
import { readRun } from '../read-run.ts'

/**
 * Posts a note to a run, whether or not a process is running it. Refused if the run has ended, or ends before it reads the
 * note. The note names the last event that this process has seen, so that it never acts on a run that is reopened later.
 */
export async function postNote(program: Program, stored: StoredRun, note: NewNote): Promise<Note> {
  const { seq } = await readOpenState(program, stored, 0)
  const posted = await stored.post({ ...note, seen: seq })
  await readOpenState(program, stored, posted.id)
  return posted
}

/** Throws if the run has ended without reading this note. */
async function readOpenState(program: Program, stored: StoredRun, note: number): Promise<LoopState> {
  const { state } = await readRun(stored)
  if (!state.ended || (note > 0 && state.lastNote >= note)) return state
  const { id, name } = stored.entry
  const { ending, reason } = state.ended
  const says = (await openRun(program, stored)).use((mode) => formatReason(mode.reasons, reason, mode.show.setting))
  throw new PawlError(2, `${name} has ended (${ending}: ${says})`, (pawl) => `To reopen it: ${pawl} resume ${id}`)
}

export type Answer = {
  readonly choice?: string | undefined
  readonly picks?: readonly string[] | undefined
  readonly text?: string | undefined
}

/** Answers the open question of a run. Checks the answer first, so that a mistake is reported immediately. */
export async function answerRun(program: Program, stored: StoredRun, answer: Answer): Promise<Note> {
  const { choice, picks, text } = answer
  const { question } = (await readRun(stored)).state
  const { id, name } = stored.entry
  if (!question)
    throw new PawlError(2, `${name} has no open question`, (pawl) => `To see its status: ${pawl} why ${id}`)
  const open = await openRun(program, stored)
  const topic = open.use((mode) => formatReason(mode.reasons, question.topic, mode.show.setting))
  if (choice !== undefined && !question.choices) {
    throw new PawlError(
      2,
      `the question "${topic}" takes no choice`,
      (pawl) => `Answer without a choice, or with --text. To end the run: ${pawl} stop ${id}`,
    )
  }
  const ref = text === undefined ? undefined : await putWords(open, 'answer.md', text)
  const note = { by: currentPerson(), say: 'answer', questionId: question.id, choice, picks, text: ref } as const
  if (!accepts(question, { ...note, id: 0 })) {
    const what = choice === undefined ? 'the question needs a choice' : `${choice} is not one of the choices`
    throw new PawlError(2, what, `Choices: ${question.choices?.join(', ')}`)
  }
  return postNote(program, stored, note)
}

/** Posts feedback for the next attempt. Refused if no attempt would read it. */
export async function giveFeedback(program: Program, stored: StoredRun, text: string): Promise<Note> {
  const open = await openRun(program, stored)
  const { id, name } = stored.entry
  const { stop, ended } = (await readRun(stored)).state
  open.use((mode) => {
    if (mode.feedback !== 'taken') {
      const what = `${name} is a ${mode.name}: it does not read feedback while it runs`
      throw new PawlError(2, what, mode.feedback.instead)
    }
    if (stop && !ended) {
      const says = formatReason(mode.reasons, stop.reason, mode.show.setting)
      throw new PawlError(
        2,
        `${name} makes no more attempts (${says})`,
        (pawl) => `To let it finish: ${pawl} resume ${id}`,
      )
    }
  })
  const ref = await putWords(open, 'feedback.md', text)
  return postNote(program, stored, { by: currentPerson(), say: 'feedback', text: ref })
}

/** Stores a text with the run's content, encrypted if that is. */
const putWords = (open: OpenRun, name: string, text: string) =>
  open.use(async (_mode, { content }) => {
    const ref = await content.put(name, text)
    await content.flush()
    return ref
  })

/** Cancels a run that no process is running: ends leftover processes and records the end. Starts no agent. */
export async function endRun(program: Program, stored: StoredRun, onNotice: (text: string) => void): Promise<void> {
  await postNote(program, stored, { by: currentPerson(), say: 'cancel' })
  const never = new AbortController().signal
  const stop = { soft: never, hard: never, now: never }
  const { machine } = program
  const surface = { notice: onNotice }
  const open = await openRun(program, stored)
  await executeRun(open, { machine, stop, attended: false, endsOnly: true, mayShowWords: false, surface })
}
