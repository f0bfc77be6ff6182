import { formatOwnText } from '../../contract/programs.ts'
import { defineMode } from '../../run/mode.ts'
import { formatReason } from '../../show/reasons.ts'
import type { WorkFacts } from '../../show/report/collect.ts'
import { resultBase } from '../../show/result.ts'
import { ProcedureRequest } from './contract/request.ts'
import { procedureData } from './core/event-data.ts'
import type { ProcedureMemo } from './core/memo.ts'
import { procedurePolicy } from './core/policy.ts'
import { procedureReasons } from './core/reasons.ts'
import { procedureFacts } from './facts.ts'
import { procedureShow } from './show/show.ts'

/** Starts a fresh agent for each iteration, then runs the gates (seed 002). Code needed only by a live run is imported lazily. */
export const procedure = defineMode<ProcedureRequest, null, ProcedureMemo, WorkFacts>({
  name: 'procedure',
  request: ProcedureRequest,
  data: procedureData,
  reasons: procedureReasons,
  sealedBy: () => undefined,
  load: async () => null,
  policy: ({ request, envelope }) => procedurePolicy(request, envelope.caps),
  commands: ({ agent, gates }) => ({ agents: [agent], checks: gates, sends: [] }),
  resuming: {
    amend: async (...given) => (await import('./start/amend.ts')).amendProcedure(...given),
    caps: (given) => given,
    notices: async ({ current }, { environment }) => {
      const warning = (await import('./start/preflight.ts')).warnOfGoal(current.request)
      return warning === undefined ? [] : [`warning: ${formatOwnText(warning, environment)}`]
    },
  },
  feedback: { instead: (pawl) => `To change the prompt: edit the prompt files, or: ${pawl} resume --context` },
  preflight: async (...given) => (await import('./start/preflight.ts')).checkProcedure(...given),
  hold: async ({ entry: { workspace, name } }, machine, { force }) =>
    (await import('./start/lock.ts')).lockName(machine, { workspace, name, force }),
  compose: async (run, _inputs, tools) => (await import('./compose.ts')).composeProcedure(run, tools),
  result: ({ entry: { id } }, _inputs, left, { exit }) =>
    resultBase(id, left, exit, (reason) => formatReason(procedureReasons, reason)),
  facts: (run, _inputs, machine, options) => procedureFacts(run, machine, options),
  show: procedureShow,
})
