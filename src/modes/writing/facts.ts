import type { Ref } from '../../contract/values.ts'
import type { View } from '../../kernel/policy.ts'
import type { Run } from '../../run/run.ts'
import type { WritingRequest } from './contract/request.ts'
import { SemanticDiff } from './contract/semantic-diff.ts'
import { StoredVerdict } from './contract/verdict.ts'
import type { Inputs } from './core/inputs.ts'
import type { WritingMemo } from './core/memo.ts'
import type { WritingFacts } from './show/show.ts'

/** Reads what `show` and `why` report about an iteration. */
export async function readWritingFacts(
  { current, content }: Run<WritingRequest>,
  { brief }: Inputs,
  { state, memo }: View<WritingMemo>,
): Promise<WritingFacts> {
  const { kind, project, target, session, debug } = current.request
  const read = async (ref: Ref): Promise<unknown> => JSON.parse(new TextDecoder().decode(await content.get(ref)))
  const verdicts = await Promise.all(memo.verdicts.map(async (ref) => StoredVerdict.parse(await read(ref))))
  const { attempts, verdict, saved, accepted } = memo
  const decision = saved ? (accepted === 'some' ? 'partial' : 'accepted') : null
  const code = state.ended?.reason.code
  return {
    writing: {
      kind,
      project,
      target,
      session,
      feedback: brief.feedback,
      attempts,
      verdict,
      verdicts,
      diff: memo.diff ? SemanticDiff.parse(await read(memo.diff)) : null,
      decision: code === 'rejected' || code === 'aborted' ? 'rejected' : decision,
      commit: saved?.commit ?? null,
      debug,
    },
  }
}
