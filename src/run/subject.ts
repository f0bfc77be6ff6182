import { plansOf } from '../modes/delivery/start/plans.ts'
import { type RefineSubject, refineSubject } from '../modes/refinement/show/subject.ts'
import { noWords, wordsOf } from '../modes/refinement/show/words.ts'
import { readFrozenRequest } from './frozen-request.ts'
import type { Place } from './paths.ts'

/** What a run is about, for whoever tells of it: its name and what its stories, or its phases and models, are called. */
export type Subject = {
  readonly name: string
  readonly titles?: ReadonlyMap<string, string> | undefined
  readonly refine?: RefineSubject | undefined
}

/**
 * Of a refinement what its phases are called and its issues say is read as far as this person's key goes; not where what is
 * told of it ends up `inFile`, since sealed words lie in no other file in the clear.
 */
export function subjectOf(
  place: Place,
  { id, name, dir }: { readonly id: string; readonly name: string; readonly dir: string },
  inFile = false,
): Subject {
  const { current } = readFrozenRequest(dir)
  switch (current.mode) {
    case 'procedure':
      return { name }
    case 'delivery': {
      const plan = plansOf(dir).get(current.delivery.plan.sha256)
      return { name, titles: new Map(plan?.stories.map((story) => [story.id, story.title])) }
    }
    case 'refinement': {
      const words = inFile ? noWords : wordsOf(place, { id, dir }, current.refinement)
      return { name, refine: refineSubject(current.refinement, words) }
    }
  }
}
