import type { Ref } from '../../../contract/values.ts'
import type { Left } from '../../../kernel/policy.ts'
import { type RefinementMemo, shownOutput } from '../core/memo.ts'
import { fallbackPhases } from '../core/phases.ts'
import { refinementResult } from '../core/result.ts'
import type { InProcess } from './in-process.ts'
import { keepPaused } from './resume-token.ts'
import type { Refined } from './types.ts'

export async function refinedOf(kept: InProcess, left: Left<RefinementMemo>): Promise<Refined> {
  const { request, content } = kept
  const { memo, state } = left.view
  const read = async (ref: Ref | null): Promise<string | null> =>
    ref ? new TextDecoder().decode(await content.get(ref)) : null
  const label = (via: string): string => request.refinement.ladder.find(({ id }) => id === via)?.label ?? via
  const titles = memo.phases?.titles
    ? (JSON.parse((await read(memo.phases.titles))!) as { title: string }[])
    : fallbackPhases
  const { score, model_used, reason } = refinementResult(request, left, undefined)
  const completed = state.ended?.ending === 'completed'
  const paused = left.status !== 'ended' && state.question !== undefined
  const single = memo.singleShot && memo.singleShot !== 'failed' ? memo.singleShot : null
  const best = await read(shownOutput(left.view))
  return {
    status: completed ? 'completed' : paused ? 'paused' : 'aborted',
    state: completed ? 'Completed' : paused ? 'Paused' : 'Aborted',
    reason: reason ?? (left.status === 'interrupted' ? 'interrupted' : null),
    output: completed ? best : await read(single),
    partial_output: completed ? null : best,
    fallback: single ? 'single-shot' : null,
    score,
    model_used,
    iterations: await Promise.all(
      memo.iterations.map(async ({ iteration, phase, via, score: scored, raw, output }) => ({
        iteration,
        phase: titles[phase - 1]?.title ?? '',
        model_used: label(via),
        score: scored,
        raw_score: raw,
        output: await read(output),
      })),
    ),
    escalations: state.escalations,
    tokens: state.tokens,
    overhead_tokens: state.overheadTokens,
    run_id: request.run_id,
    correlation_id: request.refinement.correlationId,
    warning:
      completed || paused
        ? null
        : `aborted: ${reason ?? 'interrupted'}; ${best === null ? 'there is no text' : 'what there is of the text is returned'}`,
    payload: paused ? keepPaused(kept) : null,
  }
}
