import type { Ref } from '../../../contract/values.ts'
import { cleanOutput } from '../../../judging/text/clean-output.ts'
import { diffTexts } from '../../../judging/text/difference.ts'
import type { View } from '../../../kernel/policy.ts'
import type { ModeText } from '../../../run/mode.ts'
import type { Run } from '../../../run/run.ts'
import { Brief, type RefinementRequest } from '../contract/request.ts'
import { type RefinementMemo, shownOutput } from '../core/memo.ts'
import { differenceBlock } from '../show/difference.ts'

export type ResultText = Pick<ModeText, 'kind' | 'text'> & { readonly brief: Brief; readonly completed: boolean }

/** Reads the run's text as the model wrote it: final, best so far or single-shot. */
export async function readResultText(
  { current, content }: Pick<Run<RefinementRequest>, 'current' | 'content'>,
  view: View<RefinementMemo>,
): Promise<ResultText> {
  const read = async (ref: Ref): Promise<string> => new TextDecoder().decode(await content.get(ref))
  const { singleShot } = view.memo
  const plain = singleShot && singleShot !== 'failed' ? singleShot : undefined
  const best = plain ?? shownOutput(view)
  const completed = view.state.ended?.ending === 'completed'
  return {
    brief: Brief.parse(JSON.parse(await read(current.request.brief))),
    completed,
    kind: completed ? 'final' : plain ? 'single-shot' : 'partial',
    text: best ? await read(best) : undefined,
  }
}

/** Compares a text with its file, ignoring line endings. Undefined if there is no file. */
export function compareWithFile({ file, text: before = '' }: Brief, text: string): ModeText['diff'] {
  if (!file) return undefined
  const after = cleanOutput(text).replace(/\n+$/, '') + (before.endsWith('\n') ? '\n' : '')
  return differenceBlock(file.shown, diffTexts(file.shown, before, after))
}

/** For `show --text` and `--diff`. */
export async function readText(run: Run<RefinementRequest>, view: View<RefinementMemo>): Promise<ModeText> {
  const { brief, kind, text } = await readResultText(run, view)
  if (text === undefined) return { kind, text }
  const diff = compareWithFile(brief, text)
  return { kind, text: cleanOutput(text), ...(diff && { diff }) }
}
