import type { LoopEvent, Note } from '../contract/event.ts'
import type { Line } from '../contract/show.ts'

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
export const noteLine = (event: LoopEvent): readonly Line[] =>
  event.type === 'note-received' ? [[`${event.note.by} ${words[event.note.say]}`]] : []
