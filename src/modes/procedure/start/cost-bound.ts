import type { Settings } from '../../../config/settings.ts'
import { PawlError } from '../../../contract/exit.ts'
import type { Agents } from '../../../run/machine.ts'

/**
 * A bound on money holds only where the agent tells what it spends. One that a person asks for on the command line and
 * cannot get is refused; one from a file is told of. Returns that warning.
 */
export function checkCostBound(
  settings: Settings,
  agent: string,
  { agents, allowUnknown }: { readonly agents: Pick<Agents, 'reportsCost'>; readonly allowUnknown: boolean },
): string | undefined {
  const { value, origin } = settings.effective('max_cost')
  const reports = agents.reportsCost(agent)
  if (value === undefined || reports || allowUnknown) return undefined
  const says = reports === undefined ? 'this agent may not tell' : `${agent} does not tell`
  if (origin.tier !== 'flag') return `${says} what it costs: max_cost (${origin.where}) may never fire`
  const hint = 'Bound it by --max-tokens, --max-time or -n instead, or add --allow-unknown-cost.'
  throw new PawlError(30, `${says} what it costs, so --max-cost ${value} cannot hold`, hint)
}
