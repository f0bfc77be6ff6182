import type { Outcome, Verdict } from '../../../contract/event.ts'
import type { Work } from '../../../kernel/run.ts'
import type { WritingMemo } from '../core/memo.ts'
import { NoAnswerError } from './call.ts'
import { describeDraft } from './describe.ts'
import { evaluateDraft } from './evaluate.ts'
import { saveDraft } from './finalize.ts'
import type { WritingTools } from './tools.ts'
import { writeDraft } from './write.ts'

/** The work of an iteration: writes and judges, describes the difference, saves. */
export const writingWork = (tools: WritingTools): Work<WritingMemo> => ({
  attempt: (a, view, signal) =>
    orNoAnswer(() => {
      if (a.task.id === 'finalize') return saveDraft(view, tools)
      return a.task.kind === 'work' ? writeDraft(a, view, tools, signal) : describeDraft(a, view, tools, signal)
    }),
  evaluate: async (a, view, signal): Promise<Verdict> => {
    if (a.task.kind === 'work') return evaluateDraft(a, view, tools, signal)
    return { status: view.state.outcome?.status === 'ok' ? 'passed' : 'failed' }
  },
})

async function orNoAnswer(attempt: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await attempt()
  } catch (error) {
    if (error instanceof NoAnswerError) return error.outcome
    throw error
  }
}
