import type { LoopEvent } from '../../../contract/event.ts'
import type { Ref } from '../../../contract/values.ts'
import { cleanOutput } from '../../../judging/text/clean-output.ts'
import { followEvents } from '../../../run/follow.ts'
import type { RunEntry } from '../../../run/index-of-runs.ts'
import { openContent } from '../../../run/open-content.ts'
import type { Place } from '../../../run/paths.ts'
import { recordOf } from '../../../show/report/told.ts'
import type { AttemptTold } from '../contract/told.ts'

export type WrittenText = { readonly task: string; readonly iteration: number | null; readonly text: string }

/** What the models wrote, unsealed: the newest text, or with `follow` every one, and those still to come. */
export async function* textsOf(place: Place, { id, dir }: RunEntry, follow: boolean): AsyncGenerator<WrittenText> {
  const content = openContent(place, dir, { run: id, sealed: true, isNew: false })
  const read = async ({ ref, ...about }: Written): Promise<WrittenText> => ({
    ...about,
    text: cleanOutput(new TextDecoder().decode(await content.get(ref))),
  })
  let newest: Written | undefined
  for await (const event of followEvents(dir, follow)) {
    newest = writtenIn(event) ?? newest
    if (!follow || !newest) continue
    yield await read(newest)
    newest = undefined
  }
  if (newest) yield await read(newest)
}

type Written = Omit<WrittenText, 'text'> & { readonly ref: Ref }

/** A plan is none. */
function writtenIn(event: LoopEvent): Written | undefined {
  if (event.type !== 'attempt-ended' || event.task === null || event.task === 'decompose') return undefined
  const { output: ref, data } = event.outcome
  const { iteration }: Partial<AttemptTold> = recordOf(data)
  return ref && { task: event.task, iteration: iteration ?? null, ref }
}
