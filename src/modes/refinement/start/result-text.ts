import { PawlError } from '../../../contract/exit.ts'
import type { Ref } from '../../../contract/values.ts'
import type { View } from '../../../kernel/policy.ts'
import { foldOf } from '../../../run/fold-run.ts'
import { readFrozenRequest } from '../../../run/frozen-request.ts'
import { openContent } from '../../../run/open-content.ts'
import type { Place } from '../../../run/paths.ts'
import { eventsOf } from '../../../run/read-run.ts'
import type { Brief } from '../contract/request.ts'
import { type RefinementMemo, shownOutput } from '../core/memo.ts'

export type ResultText = {
  readonly brief: Brief
  readonly completed: boolean
  /** Whole, best so far, or one plain answer. */
  readonly kind: 'final' | 'partial' | 'single-shot'
  readonly text: string | undefined
}

/** What a run has come to, unsealed: for the person whose key it is. */
export async function readResultText(
  place: Place,
  { id, dir, name }: { readonly id: string; readonly dir: string; readonly name: string },
): Promise<ResultText> {
  const { current } = readFrozenRequest(dir)
  if (current.mode !== 'refinement') throw new PawlError(2, `${name} is no refinement: it has no text of its own`)
  const content = openContent(place, dir, { run: id, sealed: true, isNew: false })
  const fold = foldOf(dir)
  let view: View<unknown> | undefined
  for (const event of eventsOf(dir)) view = fold(event)
  const read = async (ref: Ref): Promise<string> => new TextDecoder().decode(await content.get(ref))
  const brief = JSON.parse(await read(current.refinement.brief)) as Brief
  if (!view) return { brief, completed: false, kind: 'partial', text: undefined }
  const memo = view.memo as RefinementMemo
  const completed = view.state.ended?.ending === 'completed'
  const plain = memo.singleShot && memo.singleShot !== 'failed' ? memo.singleShot : undefined
  const best = plain ?? shownOutput(view as View<RefinementMemo>)
  const kind = completed ? 'final' : plain ? 'single-shot' : 'partial'
  return { brief, completed, kind, text: best ? await read(best) : undefined }
}
