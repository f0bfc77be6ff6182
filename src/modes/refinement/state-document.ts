import type { View } from '../../kernel/policy.ts'
import type { Projection } from '../../run/mode.ts'
import type { Run } from '../../run/run.ts'
import type { RefinementRequest } from './contract/request.ts'
import type { RefinementMemo } from './core/memo.ts'

/**
 * Keeps a refinement that asks, is paused or waits as one document for other programs, as the seeds ask: ids, scores and counts, never
 * a text. It is removed when the run goes on.
 */
export function projectState(run: Run<RefinementRequest>): Projection<RefinementMemo> {
  let saving: Promise<void> = Promise.resolve()
  let mayBeKept = false
  const keep = (value: unknown): Promise<void> => {
    saving = saving.then(() => run.stored.keep('state', value))
    return saving
  }
  return {
    onEvent({ type }) {
      if (type !== 'run-resumed' && type !== 'run-reopened') return
      mayBeKept = true
      void keep(undefined)
    },
    onSaved: () => {},
    async onLeft({ status, view }) {
      if (status === 'waiting') await keep(describeState(run, view))
      else if (mayBeKept) await keep(undefined)
    },
  }
}

function describeState({ entry, current: { request } }: Run<RefinementRequest>, { state, memo }: View<RefinementMemo>) {
  const { question, wait, escalations, tokens, costUsd, via, task } = state
  return {
    state: question ? 'paused' : 'waiting',
    run_id: entry.id,
    task_id: request.taskId,
    correlation_id: request.correlationId,
    question: question ? { id: question.id, topic: question.topic.code, choices: question.choices ?? null } : null,
    until: wait ? new Date(wait.until).toISOString() : null,
    scores: memo.iterations.map(({ iteration, phase, via: model, score, raw }) => ({
      iteration,
      phase,
      model,
      score,
      raw_score: raw,
    })),
    context: { phase: task?.id ?? null, model: via, escalations, tokens, cost_usd: costUsd },
    seq: state.seq,
  }
}

/** One projection from several. */
export const joinProjections = <Memo>(...all: readonly Projection<Memo>[]): Projection<Memo> => ({
  onEvent: (event, view) => {
    for (const one of all) one.onEvent?.(event, view)
  },
  onSaved: (view) => {
    for (const one of all) one.onSaved(view)
  },
  onLeft: async (left) => {
    for (const one of all) await one.onLeft(left)
  },
})
