import { NotSavedError } from '../../ports/journal.ts'
import { defineMode } from '../../run/mode.ts'
import type { DeliveryRequest } from './contract/request.ts'
import type { DeliveryFacts } from './core/facts.ts'
import type { DeliveryMemo } from './core/memo.ts'
import { buildDeliveryResult } from './core/result.ts'
import { deliveryFacts } from './facts.ts'
import { deliveryShow } from './show/show.ts'
import type { Plans } from './start/open-delivery.ts'
import { currentPlan, deliveryReader } from './start/open-delivery.ts'

/** Works through the stories of a PRD in order and proves each by its commands (seed 004). Imports that only a running delivery needs are lazy. */
export const delivery = defineMode<DeliveryRequest, Plans, DeliveryMemo, DeliveryFacts>({
  ...deliveryReader,
  commands: ({ agent, input }) => {
    const { story_commands, run_commands, by_requirement = {} } = input.verification
    const checks = [...new Set([...story_commands, ...Object.values(by_requirement).flat(), ...run_commands])]
    return { agents: [agent], checks, sends: [] }
  },
  resuming: {
    amend: async (...given) => (await import('./start/amend.ts')).amendDelivery(...given),
    caps: (given) => given,
    notices: async (run, machine) => {
      const { describeUncommitted, findUncommitted } = await import('./start/uncommitted.ts')
      const notice = describeUncommitted(await findUncommitted(machine, run))
      return notice ? [notice] : []
    },
  },
  feedback: { instead: 'To change what the agent does: edit the PRD, then run the same command again.' },
  preflight: async ({ envelope, request }, machine) => {
    const { checkProgram } = await import('../../run/preflight.ts')
    checkProgram(machine, envelope.workspace, request.agent, { exit: 10, namedIn: 'run input' })
  },
  hold: async (...given) => (await import('./compose.ts')).holdWorkTree(...given),
  compose: async (...given) => (await import('./compose.ts')).composeDelivery(...given),
  result: ({ entry: { id } }, plans, left, { exit, sandbox }) =>
    buildDeliveryResult({
      run: id,
      plan: currentPlan(plans, left.view),
      left,
      exit,
      sandbox,
      notSaved: left.status === 'unsaved' && left.error instanceof NotSavedError,
    }),
  facts: deliveryFacts,
  show: deliveryShow,
})
