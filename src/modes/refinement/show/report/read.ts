import type { RunRequest } from '../../../../contract/request.ts'
import { readFrozenRequest } from '../../../../run/frozen-request.ts'
import { eventsOf, type Standing } from '../../../../run/read-run.ts'
import { refinementPolicy } from '../../core/policy.ts'
import { type RefinementReport, refinementReport } from './report.ts'

/** How a refinement stands, from its journal alone: no key is needed for that. undefined: it is none. */
export function refinementOf(dir: string, standing: Standing): RefinementReport | undefined {
  const original = requestIn(dir)
  if (original?.mode !== 'refinement') return undefined
  const policy = refinementPolicy(original.refinement, original.caps)
  return refinementReport(original, policy, eventsOf(dir), standing)
}

/** One that is gone or was changed takes only its words along. */
function requestIn(dir: string): RunRequest | undefined {
  try {
    return readFrozenRequest(dir).original
  } catch {
    return undefined
  }
}
