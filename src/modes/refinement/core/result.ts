import type { ExitCode } from '../../../contract/exit.ts'
import type { Left } from '../../../kernel/policy.ts'
import { type RunResult, resultBase } from '../../../show/result.ts'
import type { RefinementRequest } from '../contract/request.ts'
import { bestOutput, type RefinementMemo, shownOutput } from './memo.ts'
import { formatEnding } from './reasons.ts'

/** `result.json` of a refinement. It names the text, which is stored encrypted. */
export type RefinementResult = RunResult & {
  readonly task_id: string
  readonly correlation_id: string
  readonly state: 'Pending' | 'Paused' | 'Resumed' | 'Completed' | 'Aborted'
  readonly score: number | null
  readonly model_used: string | null
  readonly iterations: number
  readonly phases: { readonly done: number; readonly of: number | null }
  readonly escalations: number
  readonly overhead_tokens: number
  readonly open_issues: number
  /** The problem of the last step, or null. */
  readonly problem: string | null
  /** `path` is inside the run's folder. */
  readonly output: { readonly kind: 'final' | 'partial' | 'single-shot'; readonly path: string } | null
}

/** `run` is the run's id. */
export function refinementResult(
  run: string,
  { taskId, correlationId, ladder }: Pick<RefinementRequest, 'taskId' | 'correlationId' | 'ladder'>,
  left: Left<RefinementMemo>,
  exit: ExitCode,
): RefinementResult {
  const { state, memo } = left.view
  const isSingleShot = memo.singleShot !== null && memo.singleShot !== 'failed'
  // The single-shot answer is not judged.
  const shown = isSingleShot
    ? undefined
    : memo.iterations.findLast(({ output }) => output?.path === bestOutput(memo)?.path)
  return {
    ...resultBase(run, left, exit, (reason) => formatEnding(reason, memo)),
    task_id: taskId,
    correlation_id: correlationId,
    state: describeState(left),
    score: shown?.score ?? null,
    model_used: ladder.find(({ id }) => id === shown?.via)?.label ?? null,
    iterations: state.attempts,
    phases: { done: memo.accepted.length, of: memo.phases?.count ?? null },
    escalations: state.escalations,
    overhead_tokens: state.overheadTokens,
    open_issues: memo.issues.filter((issue) => issue.state === 'open').length,
    problem: memo.problem,
    output: findOutput(left),
  }
}

export function findOutput({ view: { state, memo } }: Pick<Left<RefinementMemo>, 'view'>): RefinementResult['output'] {
  if (memo.singleShot && memo.singleShot !== 'failed') return { kind: 'single-shot', path: memo.singleShot.path }
  const best = shownOutput({ state, memo })
  return best && { kind: state.ended?.ending === 'completed' ? 'final' : 'partial', path: best.path }
}

function describeState({ status, view: { state } }: Left<RefinementMemo>): RefinementResult['state'] {
  if (state.ended) return state.ended.ending === 'completed' ? 'Completed' : 'Aborted'
  return status === 'waiting' || state.question ? 'Paused' : 'Pending'
}
