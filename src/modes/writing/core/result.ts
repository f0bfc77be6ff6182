import type { ExitCode } from '../../../contract/exit.ts'
import type { Left } from '../../../kernel/policy.ts'
import { formatReason } from '../../../show/reasons.ts'
import { type RunResult, resultBase } from '../../../show/result.ts'
import type { WritingRequest } from '../contract/request.ts'
import type { WritingMemo } from './memo.ts'
import { writingReasons } from './reasons.ts'

/** `result.json` of an iteration. */
export type WritingResult = RunResult & {
  readonly kind: WritingRequest['kind']
  readonly project: string
  readonly target: string
  readonly judge_attempts: number
  readonly judge_verdict: WritingMemo['verdict']
  readonly accepted: WritingMemo['accepted']
  readonly commit: string | null
  readonly files_changed: number
  readonly lines_changed: number
  readonly debug: string
}

export function writingResult(
  run: string,
  { kind, project, target, debug }: WritingRequest,
  left: Left<WritingMemo>,
  exit: ExitCode,
): WritingResult {
  const { attempts, verdict, accepted, saved } = left.view.memo
  return {
    ...resultBase(run, left, exit, (reason) => formatReason(writingReasons, reason)),
    kind,
    project,
    target,
    judge_attempts: attempts,
    judge_verdict: verdict,
    accepted: saved ? (accepted ?? 'all') : null,
    commit: saved?.commit ?? null,
    files_changed: saved?.changed ?? 0,
    lines_changed: saved?.lines ?? 0,
    debug,
  }
}
