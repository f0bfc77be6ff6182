import type { LoopEvent } from '../contract/event.ts'
import type { Caps } from '../contract/values.ts'

/** The source of each cap, for people. */
export type Origins = Readonly<Record<string, string>>

/** Pure. Returns the origins after one more event. */
export function updateOrigins(origins: Origins, event: LoopEvent): Origins {
  if (event.type === 'run-started') return event.origins ?? {}
  if (event.type === 'run-reopened') return { ...origins, ...markSetBy(event.caps ?? {}, event.by) }
  if (event.type !== 'note-received' || event.note.say !== 'raise') return origins
  return { ...origins, ...markSetBy(event.note.caps, event.note.by) }
}

const markSetBy = (caps: Caps, by: string): Origins =>
  Object.fromEntries(Object.keys(caps).map((cap) => [cap, `resume by ${by}`]))
