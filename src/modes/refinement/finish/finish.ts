import { cleanOutput } from '../../../judging/text/clean-output.ts'
import type { Left } from '../../../kernel/policy.ts'
import type { Machine } from '../../../run/machine.ts'
import type { Finish } from '../../../run/mode.ts'
import type { Run } from '../../../run/run.ts'
import type { RefinementRequest } from '../contract/request.ts'
import type { RefinementMemo } from '../core/memo.ts'
import { compareWithFile, type ResultText, readResultText } from './result-text.ts'
import { formatHandOver, type HandedOver, handOverAlone } from './write-output.ts'

/** Hands the text over: as it is, as a diff, or into the file that was named for it. */
export async function finishRefinement(
  run: Run<RefinementRequest>,
  left: Pick<Left<RefinementMemo>, 'view'>,
  machine: Pick<Machine, 'environment' | 'withLock' | 'place'>,
): Promise<Finish> {
  const result = await readResultText(run, left.view)
  return finishText(run.entry.id, result, machine)
}

export function finishText(
  run: string,
  result: ResultText,
  machine: Pick<Machine, 'environment' | 'withLock' | 'place'>,
): Finish {
  const handed = handOverAlone(machine, result.brief, { run, completed: result.completed, text: result.text })
  const output = shownOutput(result, handed)
  return {
    // Whoever asked for a file and did not get one must not read success from the exit code.
    ...(result.completed && handed.did === 'kept' && { exit: 10 }),
    says: formatHandOver(handed),
    ...(output && { output }),
  }
}

function shownOutput({ brief, completed, text }: ResultText, { did }: HandedOver): Finish['output'] {
  if (!completed || text === undefined) return undefined
  if (brief.file) return compareWithFile(brief, text)
  return brief.out === undefined || did === 'kept'
    ? { kind: 'document', format: 'plain', text: cleanOutput(text) }
    : undefined
}
