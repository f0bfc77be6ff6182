import type { Ref } from '../../../contract/values.ts'
import type { View } from '../../../kernel/policy.ts'
import { advance, emptyView } from '../../../kernel/step.ts'
import type { StoredRun } from '../../../ports/run-store.ts'
import type { Executed } from '../../../run/execution/execute.ts'
import type { OpenRun } from '../../../run/open-run.ts'
import { RefinementRequest } from '../contract/request.ts'
import { type RefinementMemo, shownOutput } from '../core/memo.ts'
import { fallbackPhases } from '../core/phases.ts'
import { refinementPolicy } from '../core/policy.ts'
import type { RefinementResult } from '../core/result.ts'
import type { InProcess } from './begin.ts'
import { keepPaused } from './resume-token.ts'
import type { Refined } from './types.ts'

/** What a run came to, as the seeds want it returned. */
export async function readRefined(kept: InProcess, open: OpenRun, executed: Executed): Promise<Refined> {
  const { envelope, stored } = open
  const request = RefinementRequest.parse(envelope.with)
  const view = await readView(stored, request, envelope.caps)
  const { memo, state } = view
  const content = open.use((_mode, run) => run.content)
  const read = async (ref: Ref | null): Promise<string | null> =>
    ref ? new TextDecoder().decode(await content.get(ref)) : null
  const label = (via: string): string => request.ladder.find(({ id }) => id === via)?.label ?? via
  const titles = memo.phases?.titles
    ? (JSON.parse((await read(memo.phases.titles))!) as { title: string }[])
    : fallbackPhases
  const { status } = executed
  const { score, model_used } = executed.result as RefinementResult
  const reason = state.ended?.reason.code ?? null
  const completed = state.ended?.ending === 'completed'
  const paused = status !== 'ended' && state.question !== undefined
  const single = memo.singleShot && memo.singleShot !== 'failed' ? memo.singleShot : null
  const best = await read(shownOutput(view))
  return {
    status: completed ? 'completed' : paused ? 'paused' : 'aborted',
    state: completed ? 'Completed' : paused ? 'Paused' : 'Aborted',
    reason: reason ?? (status === 'interrupted' ? 'interrupted' : null),
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
    run_id: stored.entry.id,
    correlation_id: request.correlationId,
    warning:
      completed || paused
        ? null
        : `aborted: ${reason ?? 'interrupted'}; ${best === null ? 'there is no text' : 'what there is of the text is returned'}`,
    payload: paused ? keepPaused(kept) : null,
  }
}

async function readView(
  stored: StoredRun,
  request: RefinementRequest,
  caps: Parameters<typeof refinementPolicy>[1],
): Promise<View<RefinementMemo>> {
  const policy = refinementPolicy(request, caps)
  let view = emptyView(policy)
  for await (const page of (await stored.read()).events) for (const event of page) view = advance(view, event, policy)
  return view
}
