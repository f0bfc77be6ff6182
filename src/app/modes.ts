import type { RunRequest } from '../contract/request.ts'
import type { Policy } from '../kernel/policy.ts'
import { composeDelivery, deliveryPolicyOf } from './modes/delivery.ts'
import type { Mode, Tools } from './modes/mode.ts'
import { composeProcedure, procedurePolicyOf } from './modes/procedure.ts'
import { composeRefinement, refinementPolicyOf } from './modes/refinement.ts'

/** The only place that tells modes apart when a run goes on. */
export function composeMode(original: RunRequest, tools: Tools): Mode {
  switch (original.mode) {
    case 'procedure':
      return composeProcedure(original, tools as Tools<typeof original>)
    case 'delivery':
      return composeDelivery(original, tools as Tools<typeof original>)
    case 'refinement':
      return composeRefinement(original, tools as Tools<typeof original>)
  }
}

/** For whoever only reads a run: its rules, without its tools. */
export function policyOf(request: RunRequest, dir: string): Policy<unknown> {
  switch (request.mode) {
    case 'procedure':
      return procedurePolicyOf(request)
    case 'delivery':
      return deliveryPolicyOf(request, dir)
    case 'refinement':
      return refinementPolicyOf(request)
  }
}
