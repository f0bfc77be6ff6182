import type { FileArtifacts } from '../adapters/stores/files/artifacts.ts'
import { openInbox } from '../adapters/stores/files/inbox.ts'
import type { NewNote, Note } from '../contract/event.ts'
import { PawlError } from '../contract/exit.ts'
import { accepts } from '../kernel/state.ts'
import { person } from './continue-run.ts'
import { readFrozenRequest } from './frozen-request.ts'
import type { RunEntry } from './index-of-runs.ts'
import { modeOf } from './modes.ts'
import { openRunContent } from './open-content.ts'
import type { Place } from './paths.ts'
import { readRun } from './read-run.ts'

/** Leaves a note for a run, whether or not anybody runs it now. */
export async function postNote(run: RunEntry, note: NewNote): Promise<Note> {
  const { state } = readRun(run.dir)
  if (state.ended) {
    throw new PawlError(
      2,
      `${run.name} has ended (${state.ended.ending}: ${state.ended.reason})`,
      `To go on: pawl resume ${run.id}`,
    )
  }
  return openInbox(run.dir).post(note)
}

/** Checks the answer against the question before it is sent, so that a person learns of a slip at once. */
export async function answer(
  place: Place,
  run: RunEntry,
  { choice, text }: { readonly choice: string | undefined; readonly text: string | undefined },
): Promise<Note> {
  const { state } = readRun(run.dir)
  const { question } = state
  if (!question) throw new PawlError(2, `${run.name} asks nothing now`, `To see how it stands: pawl why ${run.id}`)
  if (choice !== undefined && !question.choices) {
    throw new PawlError(
      2,
      `${question.topic} takes no choice`,
      'To go on: the same without it. Words of your own: --text. To end it: pawl stop',
    )
  }
  const ref = text === undefined ? undefined : await contentsOf(place, run).put('answer.md', text)
  const note = { by: person(), say: 'answer', questionId: question.id, choice, text: ref } as const
  if (!accepts(question, { ...note, id: 0 })) {
    throw new PawlError(
      2,
      `${choice ?? 'that'} is no answer to ${question.topic}`,
      `One of: ${question.choices?.join(', ')}`,
    )
  }
  return postNote(run, note)
}

/** What a person thinks of it, for the next iteration. Refused where nobody would read it. */
export async function feedback(place: Place, run: RunEntry, text: string): Promise<Note> {
  const { name, feedback: taken } = modeOf(readFrozenRequest(run.dir).current)
  if (taken !== 'taken')
    throw new PawlError(2, `${run.name} is a ${name}: it is not told feedback as it goes`, taken.instead)
  const { stop, ended } = readRun(run.dir).state
  if (stop && !ended) {
    throw new PawlError(
      2,
      `${run.name} has only its end left to do (${stop.reason})`,
      `For that: pawl resume ${run.id}`,
    )
  }
  const ref = await contentsOf(place, run).put('feedback.md', text)
  return postNote(run, { by: person(), say: 'feedback', text: ref })
}

/** Sealed with the run's other content, where that is. */
const contentsOf = (place: Place, { dir }: RunEntry): FileArtifacts =>
  openRunContent(place, dir, readFrozenRequest(dir).original)
