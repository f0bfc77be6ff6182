import type { Ref } from '../../../contract/values.ts'
import type { Issue } from '../../../judging/scoring/scored.ts'
import { openContent } from '../../../run/open-content.ts'
import type { Place } from '../../../run/paths.ts'
import { eventsOf } from '../../../run/read-run.ts'
import type { RefinementRequest } from '../contract/request.ts'
import type { Phase } from '../core/phases.ts'
import type { RefineSubject } from './subject.ts'

type Words = Pick<RefineSubject, 'rubric' | 'phaseTitles' | 'issueTexts'>

export const noWords: Words = { rubric: 'a rubric', phaseTitles: () => [], issueTexts: () => new Map() }

/** What lies sealed beside a journal, for whoever tells of the run. What cannot be read is left out. */
export function wordsOf(
  place: Place,
  { id, dir }: { readonly id: string; readonly dir: string },
  { rubric }: Pick<RefinementRequest, 'rubric'>,
): Words {
  let content: ReturnType<typeof openContent> | undefined
  const read = <T>(ref: Ref): T | undefined => {
    try {
      content ??= openContent(place, dir, { run: id, sealed: true, isNew: false })
      return JSON.parse(new TextDecoder().decode(content.getNow(ref))) as T
    } catch {
      return undefined
    }
  }
  let titles: readonly string[] | undefined
  return {
    rubric: read<{ id: string }>(rubric)?.id ?? noWords.rubric,
    phaseTitles: () => {
      const ref = titles ? undefined : phasesIn(dir)
      titles ??= ref && read<readonly Phase[]>(ref)?.map(({ title }) => title)
      return titles ?? []
    },
    issueTexts: (ledger) => new Map(read<readonly Issue[]>(ledger)?.map((issue) => [issue.id, issue.problem])),
  }
}

function phasesIn(dir: string): Ref | undefined {
  for (const event of eventsOf(dir)) {
    if (event.type === 'attempt-ended' && event.task === 'decompose' && event.outcome.output)
      return event.outcome.output
  }
  return undefined
}
