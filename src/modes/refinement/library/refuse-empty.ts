import { randomUUID } from 'node:crypto'
import { createRunId } from '../../../run/new-run.ts'
import { logRefusal } from '../sap/sap-log.ts'
import { type BeginOptions, type LibraryParts, openLibraryMachine, planOwnLadder } from './begin.ts'
import type { Refined } from './types.ts'

const problem = 'the task is empty'

/** Seed 001: an empty task is an error in the log. It is not thrown, and there is no run. */
export function refuseEmptyTask(parts: LibraryParts, options: BeginOptions): Refined {
  const machine = openLibraryMachine(parts, options)
  const { taskId = 'refine', correlationId = randomUUID(), branch = null, workspace = '' } = options
  const run = createRunId(new Date())
  const { ladder, start } = planOwnLadder(machine, options)
  if (workspace !== '') {
    logRefusal(run, 'empty_task', problem, {
      machine,
      workspace,
      request: { taskId, correlationId, branch, ladder, start },
      pseudonymOf: (text) => machine.keys({ make: true }).pseudonymOf(text),
      onNotice: () => {},
    })
  }
  return {
    status: 'aborted',
    state: 'Aborted',
    reason: 'empty_task',
    output: null,
    partial_output: null,
    fallback: null,
    score: null,
    model_used: null,
    iterations: [],
    escalations: 0,
    tokens: 0,
    overhead_tokens: 0,
    run_id: run,
    correlation_id: correlationId,
    problem,
    warning: `aborted: empty_task; ${problem}; there is no text`,
    payload: null,
  }
}
